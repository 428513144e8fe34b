`resetall
`timescale 1ns/1ps
`default_nettype none

// The breakpoint bit arrays: per word of the window a data bit, a lock bit and a fetch bit; with
// COMPRESSED a fetch bit for each half of the word, and cpu_lanes say which is written. Users
// as in es_phantom: cpu_ is always served, look_ (the pipeline) not in a clock of cpu_near, clear_
// only when no one else writes. What was read, by either reader, is at the outputs in the next
// clock. Looking up costs the same however many bits are set.
module es_planes #(
  parameter WORDS_LOG2 = 14, // log2 of words, 5 or more
  parameter SWEEP      = 16, // as in es_plane
  parameter COMPRESSED = 0   // 1: instructions may begin in the middle of a word
) (
  input  wire                  clk,
  input  wire                  cpu_near,    // as in es_phantom
  input  wire                  cpu_data_write,  // data and lock
  input  wire                  cpu_fetch_write,
  input  wire [WORDS_LOG2-1:0] cpu_index,
  input  wire [WORDS_LOG2-1:0] cpu_write_index,
  input  wire [1:0]            cpu_bits,    // 0: data or fetch, 1: lock
  input  wire                  cpu_upper,   // fetch, of the upper half
  input  wire [1:0]            cpu_halves,  // which fetch bits are written: upper, lower
  input  wire                  look_en,
  input  wire [WORDS_LOG2-1:0] look_index,
  input  wire                  clear_en,
  input  wire [WORDS_LOG2-1:0] clear_index,
  output wire                  data_hit,
  output wire                  data_lock,
  output wire [1:0]            fetch_hit    // upper, lower half
);
  wire                  rd_en = cpu_near ? !(cpu_data_write || cpu_fetch_write) : look_en;
  wire [WORDS_LOG2-1:0] rd_index = cpu_near ? cpu_index : look_index;

  es_plane #(.WORDS_LOG2(WORDS_LOG2), .SWEEP(SWEEP)) data_plane (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(data_hit),
    .wr_en(cpu_data_write), .wr_index(cpu_write_index), .wr_bit(cpu_bits[0]),
    .clear_en(clear_en), .clear_index(clear_index)
  );
  es_plane #(.WORDS_LOG2(WORDS_LOG2), .SWEEP(SWEEP)) lock_plane (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(data_lock),
    .wr_en(cpu_data_write), .wr_index(cpu_write_index), .wr_bit(cpu_bits[1]),
    .clear_en(clear_en), .clear_index(clear_index)
  );
  es_plane #(.WORDS_LOG2(WORDS_LOG2), .SWEEP(SWEEP)) fetch_plane (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(fetch_hit[0]),
    .wr_en(cpu_fetch_write && cpu_halves[0]), .wr_index(cpu_write_index), .wr_bit(cpu_bits[0]),
    .clear_en(clear_en), .clear_index(clear_index)
  );

  generate
    if (COMPRESSED != 0) begin : halves
      es_plane #(.WORDS_LOG2(WORDS_LOG2), .SWEEP(SWEEP)) upper_plane (
        .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(fetch_hit[1]),
        .wr_en(cpu_fetch_write && cpu_halves[1]), .wr_index(cpu_write_index), .wr_bit(cpu_upper),
        .clear_en(clear_en), .clear_index(clear_index)
      );
    end else begin : words
      assign fetch_hit[1] = 1'b0;
      wire unused = &{1'b0, cpu_upper, cpu_halves[1]};
    end
  endgenerate
endmodule

`resetall
