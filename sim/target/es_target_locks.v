/* es_target_locks: the lock device of the target with shared memory (docs/target.md): 32 words of which
 * only whether they are taken is kept. Reading one takes it, and reads as 0 if it was free, as 1 if it
 * was taken before. Writing one, whatever is written, releases it.
 *
 * It has one port, so accesses come one after the other: of two cores that read the same free lock
 * one reads 0.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_target_locks (
  input  wire        clk,
  input  wire        rst,
  input  wire        en,      // an access ends in this clock
  input  wire        write,
  input  wire [4:0]  number,
  output wire [31:0] rdata
);

  reg [31:0] taken;

  assign rdata = {31'd0, taken[number]};

  always @(posedge clk) begin
    if (en)
      taken[number] <= !write;
    if (rst)
      taken <= 32'd0;
  end

endmodule

`resetall
