`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The heartbeat's sums over all transactions (docs/replay.md), in halves of 16 bits: a transaction
// is added in two clocks, and `sums` follows `sum` by one. Halves go round, so one adder takes both
// in their turn. `settling` is high until they are in their places again.
module es_recorder_sums #(
  parameter ADDR_W = 32
) (
  input  wire              clk,
  input  wire              rst,
  input  wire              clear,
  input  wire              add,      // of this clock and the next, in which no other is added
  input  wire [1:0]        kind,     // no mark
  input  wire [ADDR_W-2:0] place,    // address in halves of words
  input  wire [31:0]       data,     // bytes outside of the lanes are 0
  input  wire              shown,    // `half` is the data's: while nothing is added
  input  wire              upper,    // ... its upper one
  output wire [15:0]       half,
  input  wire              turn,     // the halves of `sum` change places: while nothing is added
  output wire [15:0]       sum,      // its lower half
  output wire [31:0]       sums,
  output wire              settling
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH;

  reg  late;    // the second clock of `add`
  reg  later;   // ... of `sums`
  wire is_fetch = kind == KIND_FETCH[1:0];
  wire is_write = kind == KIND_WRITE[1:0];

  // what is added: the address, turned by bytes, and the data
  wire [31:0] of_fetch = {{(32 - ADDR_W){1'b0}}, place, 1'b0};
  wire [31:0] address  = {of_fetch[31:2], of_fetch[1:0] & {2{is_fetch}}};
  wire        swapped  = late ^ is_write;
  wire [15:0] turned   = turn ? 16'd0 :
                         is_fetch || is_write ? (swapped ? address[31:16] : address[15:0]) :
                         late ? address[23:8] : {address[7:0], address[31:24]};

  assign half = turn || is_fetch && !shown ? 16'd0 : late || upper ? data[31:16] : data[15:0];

  reg  [15:0] sum_low, sum_high, sums_low, sums_high;
  reg         sum_carry, sums_carry;
  wire [16:0] sum_next  = {1'b0, sum_low} + {1'b0, turned ^ half} + {16'd0, sum_carry};
  wire [16:0] sums_next = {1'b0, sums_low} + {1'b0, sum_high} + {16'd0, sums_carry};

  assign sum      = sum_low;
  assign sums     = {sums_high, sums_low};
  assign settling = late || later;

  always @(posedge clk) begin
    late       <= add;
    later      <= late;
    sum_carry  <= add && sum_next[16];
    sums_carry <= late && sums_next[16];
    if (add || late || turn) {sum_high, sum_low} <= {sum_next[15:0], sum_high};
    if (late || later) {sums_high, sums_low} <= {sums_next[15:0], sums_high};
    if (clear) begin
      {sum_high, sum_low}   <= 32'd0;
      {sums_high, sums_low} <= 32'd0;
    end
    if (rst) begin
      late  <= 1'b0;
      later <= 1'b0;
    end
  end
endmodule

`resetall
