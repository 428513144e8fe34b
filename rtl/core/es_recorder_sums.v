`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The heartbeat's sums over all transactions (docs/replay.md). `sums` follows `sum` by a clock:
// `settling` is high then.
module es_recorder_sums #(
  parameter ADDR_W = 32
) (
  input  wire              clk,
  input  wire              rst,
  input  wire              clear,
  input  wire              add,
  input  wire [1:0]        kind,     // no mark
  input  wire [ADDR_W-2:0] place,    // address in halves of words
  input  wire [31:0]       data,     // bytes outside of the lanes are 0
  output reg  [31:0]       sum,
  output reg  [31:0]       sums,
  output reg               settling
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH;

  wire [31:0] of_fetch = {{(32 - ADDR_W){1'b0}}, place, 1'b0};
  wire [31:0] of_word  = {of_fetch[31:2], 2'b00};
  wire [31:0] of_data  = kind == KIND_WRITE[1:0] ? {of_word[15:0], of_word[31:16]}
                                                 : {of_word[23:0], of_word[31:24]};
  wire [31:0] term     = kind == KIND_FETCH[1:0] ? of_fetch : of_data ^ data;

  always @(posedge clk) begin
    settling <= add;
    if (add) sum <= sum + term;
    if (settling) sums <= sums + sum;
    if (clear) begin
      sum  <= 32'd0;
      sums <= 32'd0;
    end
    if (rst || clear) settling <= 1'b0;
  end
endmodule

`resetall
