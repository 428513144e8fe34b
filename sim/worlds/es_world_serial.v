/* es_world_serial: the probe with the parameters that it has on the iCEBreaker and its serial line,
 * after a tap: what the worlds of this board share. The bytes of the line are put in and taken out
 * after a second es_uart, in the place of the FT2232H's.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_world_serial #(
  parameter DATA_W   = 32, // bits of the target's data bus
  parameter ADDR_W   = 16, // and of its addresses
  parameter RECORDER = 0   // 1: rtl/boards/icebreaker.v with RECORDER
) (
  input  wire        clk_tap,
  input  wire        rst_tap,
  input  wire        tx_valid,
  input  wire [1:0]  tx_kind,
  input  wire [31:0] tx_addr,
  input  wire [31:0] tx_data,
  input  wire [3:0]  tx_lanes,

`include "es_world_serial_ports.vh"
);

  reg rst_now;
  always @(posedge clk)
    rst_now <= rst;

  wire [7:0] probe_tx, probe_rx;
  wire       probe_tx_valid, probe_tx_ready, probe_rx_valid, probe_rx_ready, probe_idle;
  wire       to_probe, to_host;

  assign recording = probe.recording;

  // as in rtl/boards/icebreaker.v
  es_probe #(
    .FIFO_LOG2(8), .HITQ_LOG2(1), .WINDOW_LOG2(16), .MEM_LOG2(16), .EVQ_LOG2(8), .TIME_W(28),
    .TARGET_ADDR_W(ADDR_W), .TARGET_DATA_W(DATA_W), .SPRAM(1), .CAPTURE_QUEUE(2),
    .FETCHES(`ES_SIM_FETCHES), .READ_HITS(1), .OUTPUTS(0), .TIME_NOW(0),
    .RECORDER(RECORDER), .RECORD_LOG2(13), .MONITOR(1 - RECORDER)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap),
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
  reg        rx_holds;
  wire       rx_taken;
  assign rx_full = rx_holds;

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
      rx_holds <= 1'b1;
    end else if (rx_taken) begin
      rx_holds <= 1'b0;
    end
    if (rst_now || !probe_idle || rx_full || rx_put || !to_probe || !to_host)
      silence <= 8'd0;
    else if (!idle)
      silence <= silence + 8'd1;
    if (rst)
      rx_holds <= 1'b0;
  end

endmodule

`resetall
