// What a load makes of the word that was read, by selections that are known before it.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_load (
  input  wire [31:0] data,
  input  wire [3:0]  low_from,   // lane of bits 7 to 0
  input  wire [1:0]  high_from,  // bits 15 to 8: half word of lanes 1 and 0 or 3 and 2
  input  wire [3:0]  byte_from,  // bits 15 to 8 are the sign of this lane
  input  wire [3:0]  sign_from,  // bits 31 to 16 are
  input  wire        word,       // ... or the word's own
  output wire [31:0] value
);

  wire [3:0]  tops = {data[31], data[23], data[15], data[7]};
  wire        byte_sign = |(byte_from & tops);
  wire        sign = |(sign_from & tops);

  assign value[7:0] = {8{low_from[0]}} & data[7:0] | {8{low_from[1]}} & data[15:8]
                      | {8{low_from[2]}} & data[23:16] | {8{low_from[3]}} & data[31:24];
  assign value[15:8] = {8{high_from[0]}} & data[15:8] | {8{high_from[1]}} & data[31:24]
                       | {8{byte_sign}};
  assign value[31:16] = {16{word}} & data[31:16] | {16{sign}};

endmodule

`resetall
