/* es_world_marks: the probe of the multi-core target, as Verilator's top: es_probe with eight
 * taps, after what es_tap_mark of each core's model (es_world_core.v) hands on.
 *
 * Every input but the clocks goes to registers only. So the probe sees the taps a clock late; as
 * its reset ends a clock late as well, the time of its records is the taps' own. Bursts of marks
 * of all cores wait in the capture's rows.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_world_marks (
  input  wire         clk_bus,
  input  wire         rst_bus,
  input  wire [7:0]   mk_valid,
  input  wire [15:0]  mk_kind,
  input  wire [255:0] mk_addr,
  input  wire [255:0] mk_data,
  input  wire [31:0]  mk_lanes,

  input  wire         clk_pipe,  // of es_probe, like the next three: edges that change something
  input  wire         rst,
  input  wire         clk_soc,
  input  wire         clk_link,
  input  wire         clk_cpu,
  output wire         cpu_sleeping,
  output wire         cpu_wake,
  output wire         idle,
  output wire [2:0]   calm,
  output wire [7:0]   tx_byte,
  output wire         tx_byte_valid,
  input  wire [7:0]   rx_byte,
  input  wire         rx_put,    // only while !rx_full: rx_byte goes to the probe
  output wire         rx_full
);

  reg         rst_bus_now, rst_now;
  reg [7:0]   tx_valid;
  reg [15:0]  tx_kind;
  reg [255:0] tx_addr, tx_data;
  reg [31:0]  tx_lanes;
  always @(posedge clk_bus) begin
    rst_bus_now <= rst_bus;
    tx_valid    <= mk_valid;
    if (mk_valid != 0) begin
      tx_kind  <= mk_kind;
      tx_addr  <= mk_addr;
      tx_data  <= mk_data;
      tx_lanes <= mk_lanes;
    end
  end
  always @(posedge clk_pipe)
    rst_now <= rst;

  wire [7:0] rx_held;
  wire       rx_ready, probe_idle;

  assign idle = probe_idle && !rx_full;

  es_world_byte_in byte_in (
    .clk(clk_link), .rst(rst), .rx_byte(rx_byte), .rx_put(rx_put), .rx_ready(rx_ready),
    .rx_held(rx_held), .rx_full(rx_full)
  );

  es_probe #(
    .TAPS(8), .FIFO_LOG2(12), .HITQ_LOG2(4), .WINDOW_BASE(32'd0), .WINDOW_LOG2(18), .MEM_LOG2(16),
    .EVQ_LOG2(11),
    .TIME_W(16), .TARGET_ADDR_W(32), .TARGET_DATA_W(32), .TARGET_BIG_ENDIAN(0), .MARKS(1),
    .FETCHES(`ES_FETCHES_EXECUTED),
    .SPRAM(0), .CAPTURE_QUEUE(64),
    .COMPRESSED(1), .READ_HITS(0), .OUTPUTS(0), .TIME_NOW(0)
  ) probe (
    .clk_tap(clk_bus), .rst_tap(rst_bus_now),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes),
    .clk(clk_pipe), .rst(rst_now), .clk_soc(clk_soc), .clk_link(clk_link), .clk_cpu(clk_cpu),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(probe_idle), .calm(calm),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(1'b1),
    .rx_byte(rx_held), .rx_byte_valid(rx_full), .rx_byte_ready(rx_ready)
  );

endmodule

`resetall
