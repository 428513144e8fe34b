/* What a VexRiscv executes and writes, to the file of +log=FILE, for tests/litex/bios.py: from its netlist's last stage and its data
 * bus, not through a tap.
 *   x CLOCK PC              an instruction that does not follow the one before it, in hexadecimal
 *   w CLOCK ADDRESS DATA    a write to bytes that SEL (one digit) names: w CLOCK ADDRESS SEL DATA
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_litex_log (
  input wire        clk,
  input wire        firing,
  input wire [31:0] pc,
  input wire        write,
  input wire [31:0] adr,
  input wire [3:0]  sel,
  input wire [31:0] dat
);
  integer file;
  reg [31:0] clocks, next;
  initial begin
    file   = $fopen("executed.log", "w");
    clocks = 32'd0;
    next   = 32'hFFFFFFFF;
  end

  always @(posedge clk) begin
    clocks <= clocks + 32'd1;
    if (firing) begin
      next <= pc + 32'd4;
      if (pc != next) $fdisplay(file, "x %h %h", clocks, pc);
    end
    if (&clocks[9:0]) $fflush(file);
    if (write) $fdisplay(file, "w %h %h %h %h", clocks, adr, sel, dat);
  end
endmodule

`resetall
