`resetall
`timescale 1ns/1ps
`default_nettype none

// One bit per word, 16 words to a row: a row is written under a mask, bit by bit, so that block RAM
// of 256x16 with write masks (iCE40) is used fully. Reading takes a clock; a read in the clock of a
// write returns the bits before it.
//
// In simulation 16 masked bit writes are many times slower than one write of a row, so there the
// same thing is said as a read-modify-write, from which synthesis would not find the write masks.
module es_bits #(
  parameter ROWS_LOG2 = 10 // log2 of rows of 16 bits
) (
  input  wire                 clk,
  input  wire                 rd_en,
  input  wire [ROWS_LOG2-1:0] rd_row,
  output reg  [15:0]          rd_bits, // keeps its value while rd_en is low
  input  wire                 wr_en,
  input  wire [ROWS_LOG2-1:0] wr_row,
  input  wire [15:0]          wr_mask,
  input  wire                 wr_bit   // value for every masked bit
);
  (* no_rw_check *) reg [15:0] rows [0:(1 << ROWS_LOG2)-1];

`ifdef VERILATOR
  always @(posedge clk) begin
    if (wr_en) rows[wr_row] <= rows[wr_row] & ~wr_mask | {16{wr_bit}} & wr_mask;
  end
`else
  integer i;
  always @(posedge clk) begin
    if (wr_en) begin
      for (i = 0; i < 16; i = i + 1) begin
        if (wr_mask[i]) rows[wr_row][i] <= wr_bit;
      end
    end
  end
`endif

  always @(posedge clk) begin
    if (rd_en) rd_bits <= rows[rd_row];
  end
endmodule

`resetall
