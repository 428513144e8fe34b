`resetall
`timescale 1ns/1ps
`default_nettype none

// Memory of 32-bit words with byte lanes and two ports: one reads or writes, the other reads. True
// dual-port block RAM, which has no more room for it than es_ram. Reading takes a clock; a read by
// either port in the clock of a write to the same word returns what does not matter.
module es_ram_two #(
  parameter LOG2 = 14 // log2 of words
) (
  input  wire            clk,
  input  wire            rd_en,
  input  wire            wr_en,     // not with rd_en
  input  wire [LOG2-1:0] index,
  output reg  [31:0]     rd_data,   // keeps its value while rd_en is low
  input  wire [3:0]      wr_lanes,
  input  wire [31:0]     wr_data,
  input  wire            too_en,
  input  wire [LOG2-1:0] too_index,
  output reg  [31:0]     too_data   // keeps its value while too_en is low
);
  (* no_rw_check *) reg [31:0] words [0:(1 << LOG2)-1];

  always @(posedge clk) begin
    if (wr_en) begin
      if (wr_lanes[0]) words[index][7:0]   <= wr_data[7:0];
      if (wr_lanes[1]) words[index][15:8]  <= wr_data[15:8];
      if (wr_lanes[2]) words[index][23:16] <= wr_data[23:16];
      if (wr_lanes[3]) words[index][31:24] <= wr_data[31:24];
    end
  end

  always @(posedge clk) begin
    if (rd_en) rd_data <= words[index];
  end

  always @(posedge clk) begin
    if (too_en) too_data <= words[too_index];
  end
endmodule

`resetall
