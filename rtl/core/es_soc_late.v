`resetall
`timescale 1ns/1ps
`default_nettype none

// Chooses what was read from block RAM, by bits that are known before it: one level of LUT4, two
// for the planes' bits. A module of its own, so that it can be mapped by itself
// (rtl/boards/rules.mk). 0 when nothing is chosen.
module es_soc_late (
  input  wire        mem,
  input  wire [31:0] mem_word,
  input  wire        phantom,
  input  wire [31:0] phantom_word,
  input  wire        in_data,      // planes: data and lock
  input  wire        in_fetch,     // ... or fetch
  input  wire [3:0]  bits,         // fetch of the upper half, of the lower; lock, data
  output wire [31:0] word
);
  wire [31:0] planes = {15'd0, in_fetch && bits[3], 14'd0, in_data && bits[1],
                        in_data && bits[0] || in_fetch && bits[2]};

  assign word = {32{mem}} & mem_word | {32{phantom}} & phantom_word | planes;
endmodule

`resetall
