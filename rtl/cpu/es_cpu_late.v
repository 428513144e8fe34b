/* A load of what comes late in the clock, from block RAM, or-ed with what is `beside` it: two levels
 * of LUT4. A module of its own, so that it can be mapped by itself (rtl/boards/rules.mk).
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_late (
  input  wire [31:0] data,
  input  wire [3:0]  low_from,   // as of es_cpu_load
  input  wire [1:0]  high_from,
  input  wire [3:0]  byte_from,
  input  wire [3:0]  sign_from,
  input  wire        word,
  input  wire [31:0] beside,
  output wire [31:0] value
);

  wire [31:0] loaded;

  es_cpu_load load (
    .data(data), .low_from(low_from), .high_from(high_from), .byte_from(byte_from),
    .sign_from(sign_from), .word(word), .value(loaded)
  );

  assign value = loaded | beside;

endmodule

`resetall
