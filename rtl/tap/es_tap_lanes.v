`resetall
`timescale 1ns/1ps
`default_nettype none

// Bus byte lanes to word byte lanes, shared by the taps: the byte at address A goes to lane A mod
// 4, whatever the bus's width and endianness. On a little-endian bus the byte at the lowest address
// is in data bits 7..0, on a big-endian bus in the topmost eight. Lanes of `word` that `word_lanes`
// does not name are without meaning.
module es_tap_lanes #(
  parameter DATA_W     = 32, // bits of the data bus: 8, 16 or 32
  parameter BIG_ENDIAN = 0
) (
  input  wire [1:0]          address,   // low bits of the byte address
  input  wire [DATA_W-1:0]   data,
  input  wire [DATA_W/8-1:0] lanes,
  output wire [31:0]         word,
  output wire [3:0]          word_lanes
);
  initial begin
    if (DATA_W != 8 && DATA_W != 16 && DATA_W != 32) $error("es_tap_lanes: illegal DATA_W");
  end

  localparam BYTES = DATA_W / 8;

  wire [DATA_W-1:0] ordered;       // lowest address in bits 7..0
  wire [BYTES-1:0]  ordered_lanes;
  genvar g;
  generate
    for (g = 0; g < BYTES; g = g + 1) begin : order
      assign ordered[8*g +: 8] = data[8*(BIG_ENDIAN != 0 ? BYTES - 1 - g : g) +: 8];
      assign ordered_lanes[g]  = lanes[BIG_ENDIAN != 0 ? BYTES - 1 - g : g];
    end
    if (BYTES == 4) begin : whole
      assign word_lanes = ordered_lanes;
    end else if (BYTES == 2) begin : half
      assign word_lanes = address[1] ? {ordered_lanes, 2'd0} : {2'd0, ordered_lanes};
    end else begin : single
      assign word_lanes = {3'd0, ordered_lanes} << address;
    end
  endgenerate
  assign word = {(4 / BYTES){ordered}};

  wire unused = &{1'b0, address};
endmodule

`resetall
