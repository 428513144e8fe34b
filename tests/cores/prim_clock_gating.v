/* prim_clock_gating of Ibex, without a gate: the models here have one clock. A clock that would rest
 * ticks on, which changes nothing.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module prim_clock_gating (
  input  wire clk_i,
  input  wire en_i,
  input  wire test_en_i,
  output wire clk_o
);
  assign clk_o = clk_i;

  wire unused = &{1'b0, en_i, test_en_i};
endmodule

`resetall
