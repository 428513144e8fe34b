/* es_world_bytes: target and probe up to the byte port before any pins, as Verilator's top.
 *
 * clk_bus drives the target and the tap.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_world_bytes (
  input  wire        clk_bus,
  input  wire        rst_bus,
`include "es_world_ports.vh"
  ,
  input  wire        clk,
  input  wire        rst,
  input  wire        clk_cpu,
  output wire        cpu_sleeping,
  output wire        cpu_wake,
  output wire        idle,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);

`include "es_world_target.vh"

  es_world_listener listener (
    .clk_tap(clk_bus), .rst_tap(rst_bus),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .clk(clk), .rst(rst), .clk_cpu(clk_cpu), .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(idle),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

endmodule

`resetall
