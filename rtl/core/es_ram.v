`resetall
`timescale 1ns/1ps
`default_nettype none

// Memory of 32-bit words with byte lanes, one read port and one write port: block RAM. Reading
// takes a clock; a read in the clock of a write to the same word returns the word before it.
//
// With more words than 1 << BANK_LOG2 it is made of banks of so many. Block RAM gives what was read
// late in the clock: which bank is meant is in a register of a bit each by then.
module es_ram #(
  parameter LOG2      = 14, // log2 of words
  parameter BANK_LOG2 = 0   // ... of a bank, at most; 0: one bank
) (
  input  wire            clk,
  input  wire            rd_en,
  input  wire [LOG2-1:0] rd_index,
  output wire [31:0]     rd_data,  // keeps its value while rd_en is low
  input  wire            wr_en,
  input  wire [3:0]      wr_lanes,
  input  wire [LOG2-1:0] wr_index,
  input  wire [31:0]     wr_data
);
  localparam MOST_LOG2 = BANK_LOG2 != 0 ? BANK_LOG2 : LOG2;

  genvar b;
  generate
    if (LOG2 <= MOST_LOG2) begin : one
      (* no_rw_check *) reg [31:0] words [0:(1 << LOG2)-1];
      reg [31:0] out;

      always @(posedge clk) begin
        if (wr_en) begin
          if (wr_lanes[0]) words[wr_index][7:0]   <= wr_data[7:0];
          if (wr_lanes[1]) words[wr_index][15:8]  <= wr_data[15:8];
          if (wr_lanes[2]) words[wr_index][23:16] <= wr_data[23:16];
          if (wr_lanes[3]) words[wr_index][31:24] <= wr_data[31:24];
        end
      end

      always @(posedge clk) begin
        if (rd_en) out <= words[rd_index];
      end

      assign rd_data = out;
    end else begin : banks
      localparam BANKS = 1 << (LOG2 - MOST_LOG2);

      wire [32*BANKS-1:0] given; // 0 by all banks but the one that is meant
      reg  [31:0]         met;
      integer             i;

      for (b = 0; b < BANKS; b = b + 1) begin : bank
        reg         meant;
        wire [31:0] out;

        es_ram #(.LOG2(MOST_LOG2), .BANK_LOG2(MOST_LOG2)) memory (
          .clk(clk), .rd_en(rd_en), .rd_index(rd_index[MOST_LOG2-1:0]), .rd_data(out),
          .wr_en(wr_en && wr_index[LOG2-1:MOST_LOG2] == b[LOG2-MOST_LOG2-1:0]),
          .wr_lanes(wr_lanes), .wr_index(wr_index[MOST_LOG2-1:0]), .wr_data(wr_data)
        );

        always @(posedge clk) begin
          if (rd_en) meant <= rd_index[LOG2-1:MOST_LOG2] == b[LOG2-MOST_LOG2-1:0];
        end

        assign given[32*b +: 32] = {32{meant}} & out;
      end

      always @* begin
        met = 32'd0;
        for (i = 0; i < BANKS; i = i + 1) met = met | given[32*i +: 32];
      end

      assign rd_data = met;
    end
  endgenerate
endmodule

`resetall
