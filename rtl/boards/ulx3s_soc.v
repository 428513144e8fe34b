`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// ULX3S (ECP5 85F): the reference target and the probe beside it in one FPGA. The target's clock is
// the tap's, 10 MHz; the probe's is 60 MHz. Its program is in its memory from the start
// (SOC_PROGRAM of `make bitstream`), and begins again after FIRE1 was pressed.
//
// The link is the FT231X's serial line at 3 Mbaud (8N1, no flow control). `trigger` has eight pins
// of the first header; `halt` holds the target at its next access.
module ulx3s_soc #(
  parameter WINDOW_LOG2 = 16, // phantom window, from 0: log2 of bytes
  parameter MEM_LOG2    = 16, // soft core memory: log2 of bytes
  parameter TARGET_LOG2 = 16, // the target's memory: log2 of bytes
  parameter WAIT        = 3,  // wait states of its bus
  parameter PROGRAM     = ""  // for $readmemh
) (
  input  wire       clk_25mhz,
  input  wire       uart_rx,     // from the FT231X
  output wire       uart_tx,     // to the FT231X
  output wire       wifi_en,     // low: the ESP32 is in reset
  input  wire       button,      // high while FIRE1 is pressed
  // 0: runs, 1: has ended, 2: an access to nowhere or a trap, 3: held, 4: the exit code was not 0
  output wire [7:0] led,
  output wire [7:0] trigger
);
  assign wifi_en = 1'b0;

  // ---- clocks and resets ----
  wire clk_tap, rst_tap, clk, rst;

  ulx3s_clocks #(.TAP_TIMES(24), .TAP_DIVIDER(60)) clocks (
    .clk_25mhz(clk_25mhz), .clk_tap(clk_tap), .rst_tap(rst_tap), .clk(clk), .rst(rst)
  );

  wire rx, halt, hold, pressed, hold_settled, pressed_settled;
  ecp5_pads pad_rx (.clk(clk), .pins(uart_rx), .sampled(rx));
  es_sync hold_sync (
    .clk(clk_tap), .rst(rst_tap), .in(halt), .out(hold), .settled(hold_settled)
  );
  es_sync #(.RESET(1)) button_sync (
    .clk(clk_tap), .rst(rst_tap), .in(button), .out(pressed), .settled(pressed_settled)
  );

  // ---- target ----
  reg         rst_target;
  wire        bus_valid, bus_ready, bus_fetch, console_valid, exited, failed, stuck;
  wire [31:0] bus_addr, bus_wdata, bus_rdata;
  wire [3:0]  bus_wstrb, bus_lanes;
  wire [7:0]  console_byte;

  always @(posedge clk_tap) rst_target <= rst_tap || pressed;

  ulx3s_target #(.MEM_LOG2(TARGET_LOG2), .WAIT(WAIT), .PROGRAM(PROGRAM)) target (
    .clk(clk_tap), .rst(rst_target), .hold(hold),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_rdata(bus_rdata),
    .console_valid(console_valid), .console_byte(console_byte), .exited(exited),
    .failed(failed), .stuck(stuck)
  );

  assign led = {3'd0, failed, hold, stuck, exited, !rst_target && !exited && !stuck && !hold};

  // ---- tap ----
  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr;
  wire [31:0] tx_data;
  wire [3:0]  tx_lanes;

  es_tap_memvalid #(.ADDR_W(32), .DATA_W(32)) tap (
    .clk(clk_tap), .rst(rst_tap),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata), .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  // ---- probe and link ----
  wire [7:0] tx_byte, rx_byte;
  wire       tx_byte_valid, tx_byte_ready, rx_byte_valid, rx_byte_ready;

  ulx3s_probe #(
    .FETCHES(`ES_FETCHES_EXECUTED), .WINDOW_LOG2(WINDOW_LOG2), .MEM_LOG2(MEM_LOG2), .OUTPUTS(1)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  es_uart #(.CLK_HZ(60000000), .BAUD(`ES_UART_BAUD), .PIN_REGISTERED(1)) uart (
    .clk(clk), .rst(rst), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid),
    .tx_byte_ready(tx_byte_ready), .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid),
    .rx_byte_ready(rx_byte_ready), .rx(rx), .tx(uart_tx)
  );

  wire unused = &{1'b0, console_valid, console_byte, hold_settled, pressed_settled};
endmodule

`resetall
