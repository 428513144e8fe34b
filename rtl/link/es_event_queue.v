`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Queue of whole event frames in block RAM.
//
// Words go in after `tail`; what lies between `head` and `commit` are whole frames. `ev_end` moves
// `commit` up to the tail when the frame is whole: its first word tells as many words as came, and
// none was pushed without room. Otherwise the tail falls back to `commit` and the frame is gone,
// whole. The reader never sees a part of a frame, and frees each word as it takes it, so `ev_room`
// only ever grows by what happens there, and never promises a place that a later push does not
// find.
//
// Reader: `word` is the word at the head while `waiting`; `take` (only then) goes to the next one,
// which is there in the next clock.
module es_event_queue #(
  parameter LOG2 = 9 // depth: log2 of 32-bit words, 2 to 15; frames longer than that are dropped
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        ev_push,        // never together with ev_end
  input  wire [31:0] ev_data,
  input  wire        ev_end,
  output wire [15:0] ev_room,        // words that surely can be pushed now

  output wire        waiting,        // at least one whole frame is here
  output reg  [31:0] word,
  input  wire        take
);
  localparam [31:0] FRAME_MAX_WORDS = `ES_FRAME_MAX_WORDS;

  initial begin
    if (LOG2 < 2 || LOG2 > 15) $error("es_event_queue: LOG2 must be 2 to 15");
  end

  localparam [LOG2:0] ONE = {{LOG2{1'b0}}, 1'b1};
  localparam [7:0] COUNT_MAX = FRAME_MAX_WORDS[7:0] - 8'd1; // words after the first

  // A word is never used in the clock after it was written, as it is not committed yet: no read has
  // to see a write of the same clock.
  (* no_rw_check *)
  reg  [31:0]   memory [0:(1 << LOG2)-1];
  reg  [LOG2:0] head;
  reg  [LOG2:0] commit;
  reg  [LOG2:0] tail;
  reg           first;    // the next word pushed is a frame's first
  reg           broken;   // the frame being built cannot be sent
  reg  [5:0]    missing;  // words that its first word still promises

  wire [LOG2:0] apart = head - tail;
  wire [LOG2:0] free = {!apart[LOG2], apart[LOG2-1:0]}; // DEPTH more
  wire          full = free == 0;
  wire          write = ev_push && !full;
  wire [LOG2:0] head_next = take ? head + ONE : head;

  assign ev_room = {{(15 - LOG2){1'b0}}, free};
  assign waiting = head != commit;

  always @(posedge clk) begin
    if (write) memory[tail[LOG2-1:0]] <= ev_data;
    word <= memory[head_next[LOG2-1:0]];
  end

  always @(posedge clk) begin
    if (ev_end) begin
      first  <= 1'b1;
      broken <= 1'b0;
      if (first || broken || missing != 0) tail <= commit;
      else commit <= tail;
    end else if (ev_push) begin
      first   <= 1'b0;
      missing <= first ? ev_data[13:8] : missing - 6'd1;
      if (write) tail <= tail + ONE;
      if (full || (first ? ev_data[15:8] > COUNT_MAX : missing == 0)) broken <= 1'b1;
    end
    head <= head_next;
    if (rst) begin
      first  <= 1'b1;
      broken <= 1'b0;
      head   <= 0;
      commit <= 0;
      tail   <= 0;
    end
  end
endmodule

`resetall
