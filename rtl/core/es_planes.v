`resetall
`timescale 1ns/1ps
`default_nettype none

// The breakpoint bit arrays: per word of the window a data bit, a lock bit and a fetch bit. Users
// as in es_phantom: cpu_ is always served, look_ (the pipeline) not in a clock of cpu_near, clear_
// only when no one else writes. What was read, by either reader, is at the outputs in the next
// clock. Looking up costs the same however many bits are set.
module es_planes #(
  parameter WORDS_LOG2 = 14 // log2 of words, 5 or more
) (
  input  wire                  clk,
  input  wire                  cpu_near,    // as in es_phantom
  input  wire                  cpu_data_write,  // data and lock
  input  wire                  cpu_fetch_write,
  input  wire [WORDS_LOG2-1:0] cpu_index,
  input  wire [WORDS_LOG2-1:0] cpu_write_index,
  input  wire [1:0]            cpu_bits,    // 0: data or fetch, 1: lock
  input  wire                  look_en,
  input  wire [WORDS_LOG2-1:0] look_index,
  input  wire                  clear_en,
  input  wire [WORDS_LOG2-5:0] clear_row,
  output wire                  data_hit,
  output wire                  data_lock,
  output wire                  fetch_hit
);
  wire                  wr_cpu = cpu_data_write || cpu_fetch_write;
  wire                  rd_en = cpu_near ? !wr_cpu : look_en;
  wire [WORDS_LOG2-1:0] rd_index = cpu_near ? cpu_index : look_index;
  wire [WORDS_LOG2-5:0] wr_row = clear_en ? clear_row : cpu_write_index[WORDS_LOG2-1:4];
  wire [15:0]           wr_mask = clear_en ? 16'hFFFF : 16'd1 << cpu_write_index[3:0];

  es_bits #(.ROWS_LOG2(WORDS_LOG2 - 4)) data_plane (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(data_hit),
    .wr_en(cpu_data_write || clear_en), .wr_row(wr_row), .wr_mask(wr_mask),
    .wr_bit(!clear_en && cpu_bits[0])
  );
  es_bits #(.ROWS_LOG2(WORDS_LOG2 - 4)) lock_plane (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(data_lock),
    .wr_en(cpu_data_write || clear_en), .wr_row(wr_row), .wr_mask(wr_mask),
    .wr_bit(!clear_en && cpu_bits[1])
  );
  es_bits #(.ROWS_LOG2(WORDS_LOG2 - 4)) fetch_plane (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(fetch_hit),
    .wr_en(cpu_fetch_write || clear_en), .wr_row(wr_row), .wr_mask(wr_mask),
    .wr_bit(!clear_en && cpu_bits[0])
  );
endmodule

`resetall
