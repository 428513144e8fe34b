/* Shifter of two stages with a register between them: multiples of four places, then nought to
 * three.
 *
 * Only right shifts are built; a left shift reverses the bits before and after. The result stands
 * in the clock after `en` and stays.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_shift (
  input  wire        clk,
  input  wire        en,
  input  wire [31:0] value,
  input  wire [4:0]  amount,
  input  wire        left,
  input  wire        arithmetic,
  output wire [31:0] result
);

  // Swaps of ever larger groups: only wires in hardware, few operations in simulation.
  function [31:0] reversed(input [31:0] x);
    reg [31:0] r;
    begin
      r = ((x & 32'h55555555) << 1) | ((x >> 1) & 32'h55555555);
      r = ((r & 32'h33333333) << 2) | ((r >> 2) & 32'h33333333);
      r = ((r & 32'h0f0f0f0f) << 4) | ((r >> 4) & 32'h0f0f0f0f);
      r = ((r & 32'h00ff00ff) << 8) | ((r >> 8) & 32'h00ff00ff);
      reversed = {r[15:0], r[31:16]};
    end
  endfunction

  reg signed [32:0] coarse;  // the top bit is what is shifted in
  reg        [1:0]  fine_amount;
  reg               fine_left;

  wire signed [32:0] operand = {arithmetic & value[31], left ? reversed(value) : value};

  always @(posedge clk)
    if (en) begin
      coarse      <= operand >>> {amount[4:2], 2'b00};
      fine_amount <= amount[1:0];
      fine_left   <= left;
    end

  wire signed [32:0] fine = coarse >>> fine_amount;

  assign result = fine_left ? reversed(fine[31:0]) : fine[31:0];

  wire unused = &{1'b0, fine[32]};

endmodule

`resetall
