`resetall
`timescale 1ns/1ps
`default_nettype none

// One bit for each word of the window: single bits are read and written, all are swept to 0.
// Reading takes a clock. What a read in the clock of a write to the same bit returns must not
// matter (es_pipeline forwards what it has just written): with SWEEP=16, and in simulation, it is
// the bit before it.
//
// With SWEEP=16 a sweep clears 16 words a clock, in rows of es_bits. Where block RAM has no mask
// for single bits (ECP5), such rows would be hundreds of small memories; SWEEP=1 is plain block RAM
// of single bits, which takes 16 times as long to sweep.
module es_plane #(
  parameter WORDS_LOG2 = 14, // log2 of words, 5 or more
  parameter SWEEP      = 16  // words that are cleared in a clock: 16 or 1
) (
  input  wire                  clk,
  input  wire                  rd_en,
  input  wire [WORDS_LOG2-1:0] rd_index,
  output wire                  rd_bit,     // keeps its value while rd_en is low
  input  wire                  wr_en,
  input  wire [WORDS_LOG2-1:0] wr_index,
  input  wire                  wr_bit,
  input  wire                  clear_en,   // in place of a write
  input  wire [WORDS_LOG2-1:0] clear_index // the first of SWEEP words, a multiple of it
);
  initial begin
    if (SWEEP != 1 && SWEEP != 16) $error("es_plane: illegal parameter");
  end

  wire [WORDS_LOG2-1:0] index = clear_en ? clear_index : wr_index;

  generate
    if (SWEEP == 16) begin : rows
      es_bits #(.ROWS_LOG2(WORDS_LOG2 - 4)) bits (
        .clk(clk), .rd_en(rd_en), .rd_index(rd_index), .rd_bit(rd_bit),
        .wr_en(wr_en || clear_en), .wr_row(index[WORDS_LOG2-1:4]),
        .wr_mask(clear_en ? 16'hFFFF : 16'd1 << wr_index[3:0]), .wr_bit(!clear_en && wr_bit)
      );
      wire unused = &{1'b0, index};
    end else begin : single
      (* no_rw_check *) reg bits [0:(1 << WORDS_LOG2)-1];
      reg out;

      always @(posedge clk) begin
        if (wr_en || clear_en) bits[index] <= !clear_en && wr_bit;
      end

      always @(posedge clk) begin
        if (rd_en) out <= bits[rd_index];
      end

      assign rd_bit = out;
    end
  endgenerate
endmodule

`resetall
