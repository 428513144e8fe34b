`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// ULX3S (ECP5): the probe on a 32-bit asynchronous-SRAM-style bus, which takes all 56 pins of the
// two headers: data 32, address 16 (256 KiB), byte enables 4, chip select, two strobes, fetch. The
// link is the FT231X's serial line at 3 Mbaud (8N1, no flow control). Defaults are for the 25F;
// rtl/boards/rules.mk has those of the 85F.
//
// Pins are 3.3 V and not 5 V tolerant: level shifters are the adapter's. All are pulled up, so that
// nothing is seen while no adapter is there. A target of 16 or 8 bits: rtl/boards/ulx3s_ft245.v.
//
// The ESP32 is on six of the pins (gp11 to gp13, gn11 to gn13): it is kept in reset.
//
// No pin towards the target is an output; scripts/bitstream-check proves it on the netlist.
module ulx3s #(
  // What a fetch proves on the bus that it listens to: a processor that fetches ahead on it needs
  // `ES_FETCHES_AHEAD (docs/attach-core.md)
  parameter        FETCHES     = `ES_FETCHES_EXECUTED,
  parameter [31:0] TARGET_BASE = 32'd0, // target address of the 256 KiB, a multiple of 256 KiB
  parameter [31:0] WINDOW_BASE = TARGET_BASE, // of the phantom window, a multiple of its size
  parameter        WINDOW_LOG2 = 15, // phantom window: log2 of bytes
  parameter        MEM_LOG2    = 15, // soft core memory: log2 of bytes
  parameter        RECORDER    = 0,  // 1: with a recorder, for replays (docs/replay.md)
  parameter        MONITOR     = 1,  // 0: the recorder alone
  parameter        TIMES       = 24, // the probe's clock: ulx3s_clocks
  parameter        DIVIDER     = 10
) (
  input  wire        clk_25mhz,
  input  wire        uart_rx,     // from the FT231X
  output wire        uart_tx,     // to the FT231X
  output wire        wifi_en,     // low: the ESP32 is in reset
  input  wire [17:2] target_a,
  input  wire [31:0] target_d,
  input  wire [3:0]  target_be_n, // low: the byte is meant; bit i: data bits 8i+7 to 8i
  input  wire        target_ce_n,
  input  wire        target_rd_n, // low: a read
  input  wire        target_wr_n, // low: a write
  input  wire        target_fetch // high during the read of an instruction
);
  assign wifi_en = 1'b0;

  // ---- clocks and resets: 160 and, by default, 60 MHz ----
  wire clk_tap, rst_tap, clk, rst;

  ulx3s_clocks #(.TIMES(TIMES), .DIVIDER(DIVIDER)) clocks (
    .clk_25mhz(clk_25mhz), .clk_tap(clk_tap), .rst_tap(rst_tap), .clk(clk), .rst(rst)
  );

  // ---- pins ----
  wire [17:2] a;
  wire [31:0] d;
  wire [3:0]  be_n;
  wire        ce_n, rd_n, wr_n, fetch, rx;

  ecp5_pads #(.WIDTH(16)) pads_a (.clk(clk_tap), .pins(target_a), .sampled(a));
  ecp5_pads #(.WIDTH(32)) pads_d (.clk(clk_tap), .pins(target_d), .sampled(d));
  ecp5_pads #(.WIDTH(8)) pads_control (
    .clk(clk_tap),
    .pins({target_be_n, target_ce_n, target_rd_n, target_wr_n, target_fetch}),
    .sampled({be_n, ce_n, rd_n, wr_n, fetch})
  );
  ecp5_pads pad_rx (.clk(clk), .pins(uart_rx), .sampled(rx));

  // ---- tap ----
  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr;
  wire [31:0] tx_data;
  wire [3:0]  tx_lanes;

  es_tap_sram #(.ADDR_W(18), .DATA_W(32), .PIN_REGISTERED(1)) tap (
    .clk(clk_tap), .rst(rst_tap),
    .pin_addr({a, 2'd0}), .pin_data(d), .pin_ce_n(ce_n), .pin_oe_n(rd_n),
    .pin_we_n(wr_n), .pin_lanes_n(be_n), .pin_fetch(fetch),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  // ---- probe and link ----
  wire [7:0] tx_byte, rx_byte;
  wire       tx_byte_valid, tx_byte_ready, rx_byte_valid, rx_byte_ready;
  wire [7:0] trigger; // no pins: these stay low
  wire       halt;

  ulx3s_probe #(
    .FETCHES(FETCHES), .WINDOW_BASE(WINDOW_BASE), .WINDOW_LOG2(WINDOW_LOG2), .MEM_LOG2(MEM_LOG2),
    .TARGET_ADDR_W(TARGET_BASE == 0 ? 18 : 32), .TARGET_DATA_W(32), .RECORDER(RECORDER),
    .RECORD_LOG2(MONITOR != 0 ? 12 : 14), .MONITOR(MONITOR)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind),
    .tx_addr(tx_addr | TARGET_BASE), .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  es_uart #(.CLK_HZ(25000000 / DIVIDER * TIMES), .BAUD(`ES_UART_BAUD), .PIN_REGISTERED(1)) uart (
    .clk(clk), .rst(rst), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid),
    .tx_byte_ready(tx_byte_ready), .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid),
    .rx_byte_ready(rx_byte_ready), .rx(rx), .tx(uart_tx)
  );

  wire unused = &{1'b0, trigger, halt};
endmodule

`resetall
