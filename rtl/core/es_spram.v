`resetall
`timescale 1ns/1ps
`default_nettype none

// Memory of 32-bit words with byte lanes and one port, made of two of the UP5K's SPRAMs. An access
// takes a clock. With ES_ICE40 defined it is the device's primitive, else a model of it: after a
// write the output is not the word written, but stays as it was.
module es_spram #(
  parameter LOG2 = 14 // log2 of words, at most 14; below that, part of the SPRAMs is not used
) (
  input  wire            clk,
  input  wire            en,
  input  wire            write,
  input  wire [3:0]      lanes,   // of a write
  input  wire [LOG2-1:0] index,
  input  wire [31:0]     wr_data,
  output wire [31:0]     rd_data
);
  initial begin
    if (LOG2 < 1 || LOG2 > 14) $error("es_spram: illegal parameter");
  end

`ifdef ES_ICE40
  wire [13:0] address;
  generate
    if (LOG2 == 14) begin : whole
      assign address = index;
    end else begin : part
      assign address = {{(14 - LOG2){1'b0}}, index};
    end
  endgenerate

  SB_SPRAM256KA low (
    .CLOCK(clk), .CHIPSELECT(en), .WREN(write), .ADDRESS(address), .DATAIN(wr_data[15:0]),
    .MASKWREN({{2{lanes[1]}}, {2{lanes[0]}}}), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1),
    .DATAOUT(rd_data[15:0])
  );
  SB_SPRAM256KA high (
    .CLOCK(clk), .CHIPSELECT(en), .WREN(write), .ADDRESS(address), .DATAIN(wr_data[31:16]),
    .MASKWREN({{2{lanes[3]}}, {2{lanes[2]}}}), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1),
    .DATAOUT(rd_data[31:16])
  );
`else
  es_ram #(.LOG2(LOG2)) model (
    .clk(clk), .rd_en(en && !write), .rd_index(index), .rd_data(rd_data),
    .wr_en(en && write), .wr_lanes(lanes), .wr_index(index), .wr_data(wr_data)
  );
`endif
endmodule

`resetall
