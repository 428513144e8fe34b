`resetall
`timescale 1ns/1ps
`default_nettype none

// The tap's time as the soft core's domain sees it: low 32 bits, as a Gray code through two
// flip-flops of each domain's own. What is read is the time of a clock that was: one clock of the
// tap and two to three of clk before. It never goes back.
//
// In simulation clk may stand still while nobody reads; after that the value counts from the third
// clock on.
module es_time_now (
  input  wire        clk_tap,
  input  wire [31:0] tap_time,
  input  wire        clk,
  output wire [31:0] time_now
);
  reg  [31:0] gray; // tap's domain
  wire [31:0] stable;
  wire        settled;

  always @(posedge clk_tap) gray <= tap_time ^ (tap_time >> 1);

  es_sync #(.WIDTH(32)) synchroniser (.clk(clk), .rst(1'b0), .in(gray), .out(stable),
    .settled(settled));
  wire unused = &{1'b0, settled};

  // bit k is the parity of the bits from k up
  wire [31:0] by_2  = stable ^ (stable >> 1);
  wire [31:0] by_4  = by_2 ^ (by_2 >> 2);
  wire [31:0] by_8  = by_4 ^ (by_4 >> 4);
  wire [31:0] by_16 = by_8 ^ (by_8 >> 8);

  assign time_now = by_16 ^ (by_16 >> 16);
endmodule

`resetall
