/* es_world_board: the probe with the parameters that it has on the iCEBreaker, up to the serial
 * line, as Verilator's top. The target is one of 64 KiB: 32 KiB ROM at 0 and 32 KiB RAM behind it.
 *
 * clk_bus is the tap's clock, 48 MHz on the board, clk the probe's, 24 MHz. A processor that a
 * probe of this size can follow takes some clocks of the tap for an access; this one takes 32.
 * Accesses beyond the 64 KiB, to devices, are not on the bus that the tap sees. The bytes of the
 * serial line are put in and taken out behind a second es_uart, in the place of the FT2232H's.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"
`define ES_WORLD_TARGET .CORES(1), .WAIT(31), .ROM_SIZE(32'h8000), .RAM_BASE(32'h8000), \
  .RAM_SIZE(32'h8000)

module es_world_board (
  input  wire        clk_bus,
  input  wire        rst_bus,
`include "es_world_ports.vh"
  ,
  input  wire        clk,
  input  wire        rst,
  input  wire        clk_pipe,   // of es_probe, like the next three: edges that change something
  input  wire        clk_soc,
  input  wire        clk_link,
  input  wire        clk_cpu,
  output wire [2:0]  calm,
  output wire [7:0]  trigger,
  output wire        halt,
  output wire        cpu_sleeping,
  output wire        cpu_wake,
  output wire        idle,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire [7:0]  rx_byte,
  input  wire        rx_put,     // only while !rx_full: rx_byte goes to the serial line
  output reg         rx_full
);

`include "es_world_target.vh"

  reg rst_now;
  always @(posedge clk)
    rst_now <= rst;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_memvalid #(.ADDR_W(16), .DATA_W(32), .BIG_ENDIAN(0)) tap (
    .clk(clk_bus), .rst(rst_bus_now),
    .bus_valid(bus_valid && bus_addr[31:16] == 16'd0), .bus_ready(bus_ready),
    .bus_fetch(bus_fetch), .bus_addr(bus_addr[15:0]), .bus_wdata(bus_wdata),
    .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  wire [7:0] probe_tx, probe_rx;
  wire       probe_tx_valid, probe_tx_ready, probe_rx_valid, probe_rx_ready, probe_idle;
  wire       to_probe, to_host;

  // rtl/boards/icebreaker.v, but for the target's data width
  es_probe #(
    .FIFO_LOG2(8), .HITQ_LOG2(1), .WINDOW_LOG2(16), .MEM_LOG2(16), .EVQ_LOG2(8), .TIME_W(28),
    .TARGET_ADDR_W(16), .TARGET_DATA_W(32), .SPRAM(1), .CAPTURE_QUEUE(2),
    .READ_HITS(1), .OUTPUTS(0), .TIME_NOW(0)
  ) probe (
    .clk_tap(clk_bus), .rst_tap(rst_bus_now),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes),
    .clk(clk_pipe), .rst(rst_now), .clk_soc(clk_soc), .clk_link(clk_link), .clk_cpu(clk_cpu),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake),
    .idle(probe_idle), .calm(calm), .trigger(trigger), .halt(halt),
    .tx_byte(probe_tx), .tx_byte_valid(probe_tx_valid), .tx_byte_ready(probe_tx_ready),
    .rx_byte(probe_rx), .rx_byte_valid(probe_rx_valid), .rx_byte_ready(probe_rx_ready)
  );

  es_uart #(.CLK_HZ(24000000), .BAUD(`ES_UART_BAUD)) uart (
    .clk(clk), .rst(rst_now), .tx_byte(probe_tx), .tx_byte_valid(probe_tx_valid),
    .tx_byte_ready(probe_tx_ready),
    .rx_byte(probe_rx), .rx_byte_valid(probe_rx_valid), .rx_byte_ready(probe_rx_ready),
    .rx(to_probe), .tx(to_host)
  );

  // ---- the other end of the line ----
  reg  [7:0] rx_held;
  wire       rx_taken;

  es_uart #(.CLK_HZ(24000000), .BAUD(`ES_UART_BAUD)) host (
    .clk(clk), .rst(rst_now), .tx_byte(rx_held), .tx_byte_valid(rx_full), .tx_byte_ready(rx_taken),
    .rx_byte(tx_byte), .rx_byte_valid(tx_byte_valid), .rx_byte_ready(1'b1), .rx(to_host),
    .tx(to_probe)
  );

  // clocks in which nothing happened; a byte takes 80 from its start bit to its end
  reg [7:0] silence;
  assign idle = &silence;

  always @(posedge clk) begin
    if (rx_put) begin
      rx_held <= rx_byte;
      rx_full <= 1'b1;
    end else if (rx_taken) begin
      rx_full <= 1'b0;
    end
    if (rst_now || !probe_idle || rx_full || rx_put || !to_probe || !to_host)
      silence <= 8'd0;
    else if (!idle)
      silence <= silence + 8'd1;
    if (rst)
      rx_full <= 1'b0;
  end

endmodule

`resetall
