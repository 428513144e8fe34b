`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_target_arbiter: one access at a time, each as long as it says, none while nobody asks, no
// clock left out, and nobody waits for more than one access of each other core. Requests come when they
// like, and stand until they are done.
module arbiter_proof #(
  parameter CORES = 4,
  parameter WAIT  = 1,
  parameter CLAIM = 0  // 1: nobody waits for CORES - 1 accesses, which is wrong
) (
  input wire             clk,
  input wire [CORES-1:0] asks
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg  [CORES-1:0] standing = {CORES{1'b0}};
  wire [CORES-1:0] req = standing | asks;
  wire [CORES-1:0] grant, done;

  es_target_arbiter #(.CORES(CORES)) arbiter (
    .clk(clk), .rst(rst), .wait_states(WAIT[7:0]), .req(rst ? {CORES{1'b0}} : req), .grant(grant),
    .done(done)
  );

  // The model: who had the port in the clock before and has not ended, and for how many clocks.
  reg [CORES-1:0] holder = {CORES{1'b0}};
  reg [7:0]       held   = 8'd0;

  always @(posedge clk) begin
    if (!rst) begin
      standing <= req & ~done;
      holder   <= grant & ~done;
      held     <= done != 0 ? 8'd0 : grant != 0 ? held + 8'd1 : 8'd0;
      one_at_a_time: assert ((grant & (grant - 1'b1)) == 0);
      to_who_asks:   assert ((grant & ~req) == 0);
      never_idle:    assert (req == 0 || grant != 0);
      done_is_his:   assert ((done & ~grant) == 0);
      keeps_it:      assert (holder == 0 || grant == holder);
      as_long:       assert ((done != 0) == (grant != 0 && held == WAIT[7:0]));
    end
  end

  genvar g;
  generate
    for (g = 0; g < CORES; g = g + 1) begin : core
      reg [3:0] passed = 4'd0;  // accesses of others that have ended while this one stood
      always @(posedge clk) begin
        if (!rst) begin
          passed <= !req[g] || done[g] ? 4'd0 : passed + {3'd0, done != 0};
          assert (passed < CORES);
          if (CLAIM) assert (passed < CORES - 1);
        end
        cover (!rst && passed == CORES - 1 && done[g]);
      end
    end
  endgenerate
endmodule

`resetall
