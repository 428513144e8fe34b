`resetall
`timescale 1ns/1ps
`default_nettype none

// Memory of 32-bit words with byte lanes, one read port and one write port: block RAM. Reading
// takes a clock; a read in the clock of a write to the same word returns the word before it.
module es_ram #(
  parameter LOG2 = 14 // log2 of words
) (
  input  wire            clk,
  input  wire            rd_en,
  input  wire [LOG2-1:0] rd_index,
  output reg  [31:0]     rd_data,  // keeps its value while rd_en is low
  input  wire            wr_en,
  input  wire [3:0]      wr_lanes,
  input  wire [LOG2-1:0] wr_index,
  input  wire [31:0]     wr_data
);
  (* no_rw_check *) reg [31:0] words [0:(1 << LOG2)-1];

  always @(posedge clk) begin
    if (wr_en) begin
      if (wr_lanes[0]) words[wr_index][7:0]   <= wr_data[7:0];
      if (wr_lanes[1]) words[wr_index][15:8]  <= wr_data[15:8];
      if (wr_lanes[2]) words[wr_index][23:16] <= wr_data[23:16];
      if (wr_lanes[3]) words[wr_index][31:24] <= wr_data[31:24];
    end
  end

  always @(posedge clk) begin
    if (rd_en) rd_data <= words[rd_index];
  end
endmodule

`resetall
