`resetall
`timescale 1ns/1ps
`default_nettype none

// One clock from an oscillator: its frequency times TIMES, divided by DIVIDER. The oscillator's own
// frequency is made once more and compared, so that the comparison is as fast as can be.
module ecp5_pll #(
  parameter TIMES   = 24, // the VCO: 400 to 800 MHz, 16 to 32 times 25 MHz
  parameter DIVIDER = 10  // 1 to 128
) (
  input  wire in,
  output wire out,
  output wire locked // without a clock
);
  wire feedback;

  // (the attributes set up the loop's filter: without them it may not lock)
  (* ICP_CURRENT="12", LPF_RESISTOR="8", MFG_ENABLE_FILTEROPAMP="1", MFG_GMCREF_SEL="2" *)
  EHXPLLL #(
    .CLKI_DIV(1), .CLKFB_DIV(1), .FEEDBK_PATH("CLKOS"),
    .CLKOP_DIV(DIVIDER), .CLKOP_CPHASE(DIVIDER - 1),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(TIMES), .CLKOS_CPHASE(TIMES - 1)
  ) pll (
    .CLKI(in), .CLKFB(feedback), .CLKOP(out), .CLKOS(feedback), .LOCK(locked),
    .PHASESEL1(1'b0), .PHASESEL0(1'b0), .PHASEDIR(1'b0), .PHASESTEP(1'b0), .PHASELOADREG(1'b0),
    .STDBY(1'b0), .PLLWAKESYNC(1'b0), .RST(1'b0),
    .ENCLKOP(1'b0), .ENCLKOS(1'b0), .ENCLKOS2(1'b0), .ENCLKOS3(1'b0)
  );
endmodule

`resetall
