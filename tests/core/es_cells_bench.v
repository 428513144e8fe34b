`resetall
`timescale 1ns/1ps
`default_nettype none

// es_bits of one bank, of part of a bank and of several, and es_spram in whole and in part, all driven by the same
// ports; each takes as much of an address as it has.
module es_cells_bench (
  input  wire        clk,
  input  wire        bits_rd_en,
  input  wire [13:0] bits_rd_index,
  input  wire        bits_wr_en,
  input  wire [9:0]  bits_wr_row,
  input  wire [15:0] bits_wr_mask,
  input  wire        bits_wr_bit,
  output wire [3:0]  bits_rd_bit,   // of 6, 8, 9 and 10 as ROWS_LOG2
  input  wire        words_en,
  input  wire        words_write,
  input  wire [3:0]  words_lanes,
  input  wire [13:0] words_index,
  input  wire [31:0] words_wr_data,
  output wire [31:0] words_whole,   // of 14 as LOG2
  output wire [31:0] words_part     // of 5
);
  es_bits #(.ROWS_LOG2(6)) bits_6 (
    .clk(clk), .rd_en(bits_rd_en), .rd_index(bits_rd_index[9:0]), .rd_bit(bits_rd_bit[0]),
    .wr_en(bits_wr_en), .wr_row(bits_wr_row[5:0]), .wr_mask(bits_wr_mask), .wr_bit(bits_wr_bit)
  );
  es_bits #(.ROWS_LOG2(8)) bits_8 (
    .clk(clk), .rd_en(bits_rd_en), .rd_index(bits_rd_index[11:0]), .rd_bit(bits_rd_bit[1]),
    .wr_en(bits_wr_en), .wr_row(bits_wr_row[7:0]), .wr_mask(bits_wr_mask), .wr_bit(bits_wr_bit)
  );
  es_bits #(.ROWS_LOG2(9)) bits_9 (
    .clk(clk), .rd_en(bits_rd_en), .rd_index(bits_rd_index[12:0]), .rd_bit(bits_rd_bit[2]),
    .wr_en(bits_wr_en), .wr_row(bits_wr_row[8:0]), .wr_mask(bits_wr_mask), .wr_bit(bits_wr_bit)
  );
  es_bits #(.ROWS_LOG2(10)) bits_10 (
    .clk(clk), .rd_en(bits_rd_en), .rd_index(bits_rd_index), .rd_bit(bits_rd_bit[3]),
    .wr_en(bits_wr_en), .wr_row(bits_wr_row), .wr_mask(bits_wr_mask), .wr_bit(bits_wr_bit)
  );
  es_spram #(.LOG2(14)) whole (
    .clk(clk), .en(words_en), .write(words_write), .lanes(words_lanes),
    .index(words_index), .wr_data(words_wr_data), .rd_data(words_whole)
  );
  es_spram #(.LOG2(5)) part (
    .clk(clk), .en(words_en), .write(words_write), .lanes(words_lanes),
    .index(words_index[4:0]), .wr_data(words_wr_data), .rd_data(words_part)
  );
endmodule

`resetall
