`resetall
`timescale 1ns/1ps
`default_nettype none

// What a tap remembers of accesses that have begun and not ended, on buses where they end in the
// order in which they begin. An access that finds no room is not remembered: its end is told by
// `missed` in place of `known`, and all others stay exact. So is an end of what never began.
module es_tap_queue #(
  parameter WIDTH      = 32,
  parameter DEPTH      = 2, // accesses that it remembers, 1 to 64
  parameter SAME_CLOCK = 0  // 1: an access may end in the clock in which it begins
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             begins, // an access ...
  input  wire [WIDTH-1:0] begun,  // ... and what is known of it
  input  wire             ends,   // the oldest one
  output wire             known,
  output wire [WIDTH-1:0] ended,  // with `known`
  output wire             missed,
  output wire             waits   // some have begun and not ended, at the start of this clock
);
  initial begin
    if (DEPTH < 1 || DEPTH > 64) $error("es_tap_queue: illegal DEPTH");
  end

  localparam BEYOND_W = 8; // accesses beyond the queue, at most; more of them stay missed for good

  reg  [WIDTH-1:0]    held [0:DEPTH-1]; // the oldest in place 0
  reg  [DEPTH-1:0]    valid;
  reg  [BEYOND_W-1:0] beyond;           // begun without room, after all that are held

  wire             some = valid[0];
  wire             outside = beyond != 0;
  wire             through = SAME_CLOCK != 0 && begins && ends && !some && !outside;
  wire             pop = ends && some;
  wire [DEPTH-1:0] kept = pop ? valid >> 1 : valid;
  wire [DEPTH-1:0] place = ~kept & (kept + 1'b1); // the first free one: they fill from 0 on
  wire             room = !kept[DEPTH-1] && !outside;
  wire             push = begins && !through && room;
  wire             grows = begins && !through && !room;
  wire             shrinks = ends && !some && outside;

  assign known  = pop || through;
  assign ended  = SAME_CLOCK != 0 && !some ? begun : held[0];
  assign missed = ends && !known;
  assign waits  = some || outside;

  integer n;
  always @(posedge clk) begin
    valid <= kept | (push ? place : {DEPTH{1'b0}});
    for (n = 0; n < DEPTH; n = n + 1) begin
      if (pop && n < DEPTH - 1 && valid[(n + 1) % DEPTH]) held[n] <= held[(n + 1) % DEPTH];
      else if (pop || !valid[n]) held[n] <= begun;
    end
    if (grows && !shrinks && !(&beyond)) beyond <= beyond + 1'b1;
    if (shrinks && !grows && !(&beyond)) beyond <= beyond - 1'b1;
    if (rst) begin
      valid  <= {DEPTH{1'b0}};
      beyond <= {BEYOND_W{1'b0}};
    end
  end
endmodule

`resetall
