`resetall
`timescale 1ns/1ps
`default_nettype none

// Phantom memory: the copy of the target's memory, with a bit per word that tells whether the copy
// is known. Users, in this order of priority:
//   cpu_    soft core and loader: an access while `cpu_near`; a write with `cpu_write`, or a read.
//           `cpu_index` may come late in the clock; writing all four lanes makes the word known
//   store_  the pipeline's write; with SPRAM=1 not in a clock of cpu_near, with SPRAM=0 not in
//           a clock of cpu_write (the pipeline sees to that)
//   look_   the pipeline's read; not in a clock of cpu_near, with SPRAM=1 not with store_ either
//   clear_  the sweep over the known bits, only when no one else writes
// A word read, by either reader, is in `word` and `known` in the next clock.
module es_phantom #(
  parameter WORDS_LOG2 = 14, // log2 of words, 5 or more
  parameter SPRAM      = 0,  // 1: the UP5K's single-ported SPRAM; 0: block RAM
  parameter SWEEP      = 16, // as in es_plane
  parameter BANK_LOG2  = 0   // as in es_ram
) (
  input  wire                  clk,
  input  wire                  cpu_near,
  input  wire                  cpu_write,
  input  wire [3:0]            cpu_lanes,
  input  wire [WORDS_LOG2-1:0] cpu_index,
  input  wire [WORDS_LOG2-1:0] cpu_write_index, // the same while writing, early
  input  wire [31:0]           cpu_data,
  input  wire                  store_en,
  input  wire                  store_known, // the word is known from now on
  input  wire [3:0]            store_lanes,
  input  wire [WORDS_LOG2-1:0] store_index,
  input  wire [31:0]           store_data,
  input  wire                  look_en,
  input  wire [WORDS_LOG2-1:0] look_index,
  input  wire                  clear_en,
  input  wire [WORDS_LOG2-1:0] clear_index,
  output wire [31:0]           word,
  output wire                  known
);
  wire                  rd_en = cpu_near ? !cpu_write : look_en;
  wire [WORDS_LOG2-1:0] rd_index = cpu_near ? cpu_index : look_index;
  wire                  wr_en = cpu_write || store_en;
  wire [WORDS_LOG2-1:0] wr_index = cpu_write ? cpu_write_index : store_index;
  wire [3:0]            wr_lanes = cpu_write ? cpu_lanes : store_lanes;
  wire [31:0]           wr_data = cpu_write ? cpu_data : store_data;

  generate
    if (SPRAM != 0) begin : single
      wire [WORDS_LOG2-1:0] index = cpu_near ? cpu_index : store_en ? store_index : look_index;
      es_spram #(.LOG2(WORDS_LOG2)) memory (
        .clk(clk), .en(rd_en || wr_en), .write(wr_en), .lanes(wr_lanes),
        .index(index), .wr_data(wr_data), .rd_data(word)
      );
    end else begin : double
      es_ram #(.LOG2(WORDS_LOG2), .BANK_LOG2(BANK_LOG2)) memory (
        .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_data(word),
        .wr_en(wr_en), .wr_lanes(wr_lanes), .wr_index(wr_index), .wr_data(wr_data)
      );
    end
  endgenerate

  wire learn = cpu_write ? &cpu_lanes : store_en && store_known;

  es_plane #(.WORDS_LOG2(WORDS_LOG2), .SWEEP(SWEEP)) known_bits (
    .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(known),
    .wr_en(learn), .wr_index(wr_index), .wr_bit(1'b1),
    .clear_en(clear_en), .clear_index(clear_index)
  );
endmodule

`resetall
