`resetall
`timescale 1ns/1ps
`default_nettype none

// The ECP5's cells that the boards use, for simulation: a PLL hands on its oscillator, so that a
// board's clocks are all that one, and has locked from the start.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSED */
module IFS1P3DX (
  input  wire D,
  input  wire SP,
  input  wire SCLK,
  input  wire CD,
  output reg  Q
);
  always @(posedge SCLK) Q <= D;
endmodule

module EHXPLLL #(
  parameter CLKI_DIV     = 1,
  parameter CLKFB_DIV    = 1,
  parameter CLKOP_DIV    = 8,
  parameter CLKOP_CPHASE = 0,
  parameter CLKOS_ENABLE = "DISABLED",
  parameter CLKOS_DIV    = 8,
  parameter CLKOS_CPHASE = 0,
  parameter FEEDBK_PATH  = "CLKOP"
) (
  input  wire CLKI,
  input  wire CLKFB,
  input  wire PHASESEL1,
  input  wire PHASESEL0,
  input  wire PHASEDIR,
  input  wire PHASESTEP,
  input  wire PHASELOADREG,
  input  wire STDBY,
  input  wire PLLWAKESYNC,
  input  wire RST,
  input  wire ENCLKOP,
  input  wire ENCLKOS,
  input  wire ENCLKOS2,
  input  wire ENCLKOS3,
  output wire CLKOP,
  output wire CLKOS,
  output wire LOCK
);
  assign CLKOP = CLKI;
  assign CLKOS = CLKI;
  assign LOCK  = 1'b1;
endmodule

`resetall
