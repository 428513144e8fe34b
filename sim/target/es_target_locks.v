/* es_target_locks: the lock device of the target with shared memory (docs/target.md): 32 words of which
 * only whether they are taken is kept. Reading one takes it, and reads as 0 if it was free, as 1 if it
 * was taken before. Writing one, whatever is written, releases it.
 *
 * It has one port, so accesses come one after the other: of two cores that read the same free lock
 * one reads 0. A request, with what describes it, stands until `done`.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_target_locks #(
  parameter CORES = 8
) (
  input  wire               clk,
  input  wire               rst,
  input  wire [7:0]         wait_states,
  input  wire [CORES-1:0]   req,
  input  wire [CORES-1:0]   write,
  input  wire [5*CORES-1:0] number,
  output wire [CORES-1:0]   done,  // whose access ends in this clock
  output wire [31:0]        rdata  // of it
);

  wire [CORES-1:0] grant;

  es_target_arbiter #(.CORES(CORES)) port (
    .clk(clk), .rst(rst), .wait_states(wait_states), .req(req), .grant(grant), .done(done)
  );

  reg [4:0] which;
  integer   c;
  always @* begin
    which = 5'd0;
    for (c = 0; c < CORES; c = c + 1)
      which = which | number[5*c +: 5] & {5{grant[c]}};
  end

  reg [31:0] taken;

  assign rdata = {31'd0, taken[which]};

  always @(posedge clk) begin
    if (done != {CORES{1'b0}})
      taken[which] <= (grant & write) == {CORES{1'b0}};
    if (rst)
      taken <= 32'd0;
  end

endmodule

`resetall
