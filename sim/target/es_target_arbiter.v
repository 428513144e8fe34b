/* es_target_arbiter: who has a port that several cores share, round robin (docs/target.md).
 *
 * A request stands until `done` names it. In a clock in which no access is under way, the port goes
 * to the first requester after the one that had it last, in the same clock; with its access it stays
 * for 1 + wait_states clocks, in the last of which `done` is high. The next access begins in the clock
 * after, so a port that is asked for all the time never rests.
 *
 * A requester waits for each of the others at most once: CORES - 1 accesses. tests/target proves it.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_target_arbiter #(
  parameter CORES = 8             // 1 to 8
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [7:0]       wait_states,
  input  wire [CORES-1:0] req,
  output wire [CORES-1:0] grant,  // who has the port in this clock: one, or nobody
  output wire [CORES-1:0] done    // whose access ends in this clock
);

  reg              busy;
  reg  [CORES-1:0] owner;  // busy: who has it; else: who had it last
  reg  [7:0]       waited;

  // Requesters with a higher number than the last one; if there are none, all.
  wire [CORES-1:0] after  = req & ~(owner | (owner - 1'b1));
  wire [CORES-1:0] from   = after != {CORES{1'b0}} ? after : req;
  wire [CORES-1:0] chosen = from & (~from + 1'b1);

  assign grant = busy ? owner : chosen;

  wire last = (busy ? waited : 8'd0) == wait_states;

  assign done = grant & {CORES{last}};

  always @(posedge clk) begin
    if (grant != {CORES{1'b0}}) begin
      owner  <= grant;
      busy   <= !last;
      waited <= busy ? waited + 8'd1 : 8'd1;
    end
    if (rst) begin
      busy  <= 1'b0;
      owner <= ~({CORES{1'b1}} >> 1);  // the last core, so that core 0 is first
    end
  end

endmodule

`resetall
