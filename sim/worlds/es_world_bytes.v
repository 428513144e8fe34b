/* es_world_bytes: the probe up to the byte port before any pins, as Verilator's top. The shim runs
 * it beside es_world_bare, whose bus it hears, and leaves out clocks of either where they would
 * change nothing (sim/shim/bytes.cpp).
 *
 * The tap hears the bus as it is before an edge of clk_tap, which is the target's clock. Every
 * other input but the clocks goes to registers only.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_world_bytes (
  input  wire        clk_tap,
  input  wire        rst_tap,
  input  wire        bus_valid,
  input  wire        bus_ready,
  input  wire        bus_fetch,
  input  wire [31:0] bus_addr,
  input  wire [31:0] bus_wdata,
  input  wire [3:0]  bus_wstrb,
  input  wire [3:0]  bus_lanes,
  input  wire [31:0] bus_rdata,

  input  wire        clk_pipe,   // of es_probe, like the next three: edges that change something
  input  wire        rst,
  input  wire        clk_soc,
  input  wire        clk_link,
  input  wire        clk_cpu,
  output wire        cpu_sleeping,
  output wire        cpu_wake,
  output wire        idle,
  output wire [2:0]  calm,
  output wire [7:0]  trigger,
  output wire        halt,
  output wire        hit_waits,  // the hit queue is not empty
  output reg  [31:0] hits_done,  // taken off it since reset; and of the last one:
  output reg  [1:0]  hit_kind,
  output reg  [31:0] hit_addr,
  output reg  [15:0] hit_time,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire [7:0]  rx_byte,
  input  wire        rx_put,     // only while !rx_full: rx_byte goes to the probe
  output wire        rx_full
);

  reg rst_tap_now;
  always @(posedge clk_tap)
    rst_tap_now <= rst_tap;

  reg rst_now;
  always @(posedge clk_pipe)
    rst_now <= rst;

  wire [7:0] rx_held;
  wire       rx_ready, probe_idle;

  assign idle = probe_idle && !rx_full;

  es_world_byte_in byte_in (
    .clk(clk_link), .rst(rst), .rx_byte(rx_byte), .rx_put(rx_put), .rx_ready(rx_ready),
    .rx_held(rx_held), .rx_full(rx_full)
  );

  es_world_listener listener (
    .clk_tap(clk_tap), .rst_tap(rst_tap_now),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata),
    .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .clk(clk_pipe), .rst(rst_now), .clk_soc(clk_soc), .clk_link(clk_link), .clk_cpu(clk_cpu),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(probe_idle), .calm(calm),
    .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(1'b1),
    .rx_byte(rx_held), .rx_byte_valid(rx_full), .rx_byte_ready(rx_ready)
  );

  assign hit_waits = listener.probe.hit_valid;

  always @(posedge clk_soc) begin
    if (listener.probe.hit_pop && listener.probe.hit_valid) begin
      hits_done <= hits_done + 32'd1;
      hit_kind  <= listener.probe.regs.hit_kind;
      hit_addr  <= listener.probe.regs.hit_addr;
      hit_time  <= listener.probe.regs.hit_time[15:0];
    end
    if (rst_now)
      hits_done <= 32'd0;
  end

endmodule

`resetall
