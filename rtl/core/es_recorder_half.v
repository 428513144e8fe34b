`resetall
`timescale 1ns/1ps
`default_nettype none

// A byte of a word: registers of its lower and its upper half, 0 where it is not of that half. (To
// choose one of two, with a flip-flop that is reset, takes a LUT; one of four takes three.)
module es_recorder_half (
  input  wire        clk,
  input  wire        wanted,
  input  wire [1:0]  lane,
  input  wire [31:0] word,
  output reg  [7:0]  lower,
  output reg  [7:0]  upper
);
  always @(posedge clk) begin
    lower <= lane[0] ? word[15:8] : word[7:0];
    upper <= lane[0] ? word[31:24] : word[23:16];
    if (!wanted || lane[1]) lower <= 8'd0;
    if (!wanted || !lane[1]) upper <= 8'd0;
  end
endmodule

`resetall
