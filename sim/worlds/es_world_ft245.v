/* es_world_ft245: target and probe up to the pins of an FT2232H in synchronous FIFO mode, as
 * Verilator's top.
 *
 * The target starts when rst_bus falls; the tap has a reset of its own, so that the target can be
 * reset and the probe goes on listening, as on a board. The three clocks need no relation; the
 * shim gives ft_clk 60 MHz at a bus clock of 10 MHz.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_world_ft245 (
  input  wire        clk_bus,
  input  wire        rst_bus,
  input  wire        tap_runs,          // 0: the tap is in reset
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
  output reg  [63:0] core_clocks,       // of the soft core, since reset: awake
  output reg  [63:0] core_instructions, // fetched
  output reg  [63:0] core_events,       // taken off the hit queue

  input  wire        ft_clk,
  input  wire        ft_rxf_n,
  input  wire        ft_txe_n,
  output wire        ft_rd_n,
  output wire        ft_wr_n,
  output wire        ft_oe_n,
  output wire        ft_siwu_n,
  input  wire [7:0]  ft_data_i,
  output wire [7:0]  ft_data_o,
  output wire        ft_data_oe
);

`include "es_world_target.vh"

  reg rst_now;
  always @(posedge clk)
    rst_now <= rst;

  reg rst_tap_now;
  always @(posedge clk_bus)
    rst_tap_now <= !tap_runs;

  wire [7:0] tx_byte, rx_byte;
  wire       tx_byte_valid, tx_byte_ready, rx_byte_valid, rx_byte_ready;
  wire       probe_idle, link_idle;

  assign idle = probe_idle && link_idle;

  es_world_listener listener (
    .clk_tap(clk_bus), .rst_tap(rst_tap_now),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata),
    .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .clk(clk_pipe), .rst(rst_now), .clk_soc(clk_soc), .clk_link(clk_link), .clk_cpu(clk_cpu),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(probe_idle), .calm(calm),
    .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  es_ft245 pins (
    .clk(clk), .rst(rst_now),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready),
    .idle(link_idle),
    .ft_clk(ft_clk), .ft_rxf_n(ft_rxf_n), .ft_txe_n(ft_txe_n), .ft_rd_n(ft_rd_n),
    .ft_wr_n(ft_wr_n), .ft_oe_n(ft_oe_n),
    .ft_siwu_n(ft_siwu_n), .ft_data_i(ft_data_i), .ft_data_o(ft_data_o), .ft_data_oe(ft_data_oe)
  );

  always @(posedge clk) begin
    if (listener.probe.cpu_awake)
      core_clocks <= core_clocks + 64'd1;
    if (listener.probe.soc.fetched)
      core_instructions <= core_instructions + 64'd1;
    if (listener.probe.hit_pop && listener.probe.hit_valid)
      core_events <= core_events + 64'd1;
    if (rst_now) begin
      core_clocks       <= 64'd0;
      core_instructions <= 64'd0;
      core_events       <= 64'd0;
    end
  end

endmodule

`resetall
