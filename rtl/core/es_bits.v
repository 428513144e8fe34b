`resetall
`timescale 1ns/1ps
`default_nettype none

// One bit per word, 16 words to a row: a row is written under a mask, a single bit is read. Reading
// takes a clock; a read in the clock of a write returns the bit before it.
//
// With ES_ICE40 defined it is the device's block RAM, which does just that without a gate: written
// as 256 rows of 16 with a mask, read as 2048 places of 2 bits. (Synthesis finds neither the mask
// nor the two widths from the model: 85 cells more for 16384 bits.)
module es_bits #(
  parameter ROWS_LOG2 = 10 // log2 of rows of 16 bits
) (
  input  wire                 clk,
  input  wire                 rd_en,
  input  wire [ROWS_LOG2+3:0] rd_index, // bit: row, place in the row
  output wire                 rd_bit,   // keeps its value while rd_en is low
  input  wire                 wr_en,
  input  wire [ROWS_LOG2-1:0] wr_row,
  input  wire [15:0]          wr_mask,
  input  wire                 wr_bit    // value for every masked bit
);
`ifdef ES_ICE40
  localparam BANKS_LOG2 = ROWS_LOG2 > 8 ? ROWS_LOG2 - 8 : 0;
  localparam BANKS = 1 << BANKS_LOG2;

  // The two bits that a block RAM gives are places n and n + 8 of a row.
  wire [2*BANKS-1:0]  pairs;
  reg  [BANKS_LOG2:0] which;
  wire [7:0]          rd_low, wr_low;

  generate
    if (ROWS_LOG2 >= 8) begin : whole
      assign rd_low = rd_index[11:4];
      assign wr_low = wr_row[7:0];
    end else begin : part
      assign rd_low = {{(8 - ROWS_LOG2){1'b0}}, rd_index[ROWS_LOG2+3:4]};
      assign wr_low = {{(8 - ROWS_LOG2){1'b0}}, wr_row};
    end
    if (BANKS_LOG2 == 0) begin : one_bank
      always @(posedge clk) if (rd_en) which <= rd_index[3];
    end else begin : banks
      always @(posedge clk) if (rd_en) which <= {rd_index[ROWS_LOG2+3:12], rd_index[3]};
    end
  endgenerate

  assign rd_bit = pairs[which];

  genvar g;
  generate
    for (g = 0; g < BANKS; g = g + 1) begin : bank
      wire        here;
      wire [15:0] out;
      if (BANKS_LOG2 == 0) begin : only
        assign here = 1'b1;
      end else begin : chosen
        assign here = wr_row[ROWS_LOG2-1:8] == g[BANKS_LOG2-1:0];
      end
      SB_RAM40_4K #(.WRITE_MODE(0), .READ_MODE(3)) ram (
        .RCLK(clk), .RCLKE(rd_en), .RE(1'b1), .RADDR({rd_index[2:0], rd_low}), .RDATA(out),
        .WCLK(clk), .WCLKE(1'b1), .WE(wr_en && here), .WADDR({3'd0, wr_low}), .MASK(~wr_mask),
        .WDATA({16{wr_bit}})
      );
      assign pairs[2*g]   = out[3];
      assign pairs[2*g+1] = out[11];
      wire unused = &{1'b0, out};
    end
  endgenerate
`else
  reg [15:0] rows [0:(1 << ROWS_LOG2)-1];
  reg [15:0] row;
  reg [3:0]  place;

  always @(posedge clk) begin
    if (wr_en) rows[wr_row] <= rows[wr_row] & ~wr_mask | {16{wr_bit}} & wr_mask;
  end

  always @(posedge clk) begin
    if (rd_en) begin
      row   <= rows[rd_index[ROWS_LOG2+3:4]];
      place <= rd_index[3:0];
    end
  end

  assign rd_bit = row[place];
`endif
endmodule

`resetall
