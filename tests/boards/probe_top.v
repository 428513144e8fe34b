`resetall
`timescale 1ns/1ps
`default_nettype none

// es_probe with all that a board may have, for crossing-check: two taps, pins, the tap's time; without
// the outputs that are for simulation.
module probe_top (
  input  wire        clk_tap,
  input  wire        rst_tap,
  input  wire [1:0]  tx_valid,
  input  wire [3:0]  tx_kind,
  input  wire [63:0] tx_addr,
  input  wire [63:0] tx_data,
  input  wire [7:0]  tx_lanes,
  input  wire        clk,
  input  wire        rst,
  output wire [7:0]  trigger,
  output wire        halt,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);
  es_probe #(.TAPS(2), .OUTPUTS(1), .WINDOW_LOG2(12), .MEM_LOG2(12)) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk), .clk_link(clk), .clk_cpu(clk),
    .cpu_sleeping(), .cpu_wake(), .idle(), .calm(), .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );
endmodule

`resetall
