`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Proof of the recorder with a pipeline, a host and a link that do what they like: its bytes are
// whole tokens, in whatever order those are begun, and whole words where a frame may be cut short;
// after END nothing comes but what fills the word up, until it begins again; the buffer never
// holds more than it can; nobody is paused while nothing is recorded. es_recorder itself
// asserts that each record that is executed finds a place, and that none is passed over after a loss.
module recorder_proof #(
  parameter LOG2  = 9,
  parameter SLICE = 2   // as on the iCE40; simulation has the other ones
) (
  input wire        clk,
  input wire        wr,
  input wire [6:2]  offset,
  input wire [31:0] wdata,
  input wire        comes,    // the pipeline takes a record when it may
  input wire        goes,     // ... and executes it
  input wire [1:0]  kind,
  input wire [3:0]  lanes,
  input wire [14:0] place,
  input wire        inside,
  input wire [31:0] data,
  input wire [31:0] insn,
  input wire [31:0] old,
  input wire        known,
  input wire [31:0] stamp,
  input wire        rec_ready
);
  localparam [31:0] VALUE = `ES_TOKEN_VALUE, RUN = `ES_TOKEN_RUN, MEMORY = `ES_TOKEN_MEMORY,
    VECTOR = `ES_TOKEN_VECTOR, CLOCK = `ES_TOKEN_CLOCK, HEARTBEAT = `ES_TOKEN_HEARTBEAT,
    TOKEN_END = `ES_TOKEN_END, BEGIN = `ES_TOKEN_BEGIN;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg        coming = 0;
  wire       pause, put, flush, tight, drained, recording, active, calm, idle, rec_valid, rec_last;
  wire [7:0] put_byte, rec_byte;
  wire       ex = coming && goes;

  always @(posedge clk) coming <= !rst && (comes && !pause && (!coming || ex) || coming && !ex);

  es_recorder #(.ADDR_W(16)) recorder (
    .clk(clk), .rst(rst), .clk_soc(clk), .wr(wr && !rst), .offset(offset), .wdata(wdata),
    .recording(recording), .active(active), .ex(ex), .ex_kind(kind), .ex_lanes(lanes), .ex_place(place),
    .ex_inside(inside), .ex_data(data), .ex_insn(insn), .ex_old(old), .ex_known(known), .ex_time(stamp),
    .ex_coming(coming), .pause(pause), .put(put), .put_byte(put_byte), .flush(flush),
    .tight(tight), .drained(drained), .calm(calm)
  );

  es_recorder_frames #(.LOG2(LOG2), .SLICE(SLICE)) frames (
    .clk(clk), .rst(rst), .put(put), .put_byte(put_byte), .tight(tight), .clk_link(clk),
    .flush(flush), .active(active), .drained(drained), .idle(idle), .rec_valid(rec_valid),
    .rec_byte(rec_byte), .rec_last(rec_last), .rec_ready(rec_ready)
  );

  // ---- the bytes, as whoever reads them takes them ----
  reg  [4:0]  left = 0;      // bytes of the token that are still to come
  reg         filling = 0;   // only nothing may come, up to the word's end
  reg         over = 1;      // END has been: only nothing, or BEGIN
  reg  [1:0]  lane = 0;
  wire [3:0]  sort = put_byte[7:4];
  wire [4:0]  length = sort == VALUE[3:0] || sort == RUN[3:0] ? 5'd1 + {3'd0, put_byte[1:0]} :
                       sort == MEMORY[3:0] || sort == VECTOR[3:0] || sort == TOKEN_END[3:0] ? 5'd8 :
                       sort == HEARTBEAT[3:0] ? 5'd16 : 5'd4;
  wire        first = put && left == 0;

  // ---- the room ----
  reg  [LOG2+1:0] level = 0;  // bytes in the buffer
  reg  [2:0]      head = 0;   // bytes of the frame's first word
  wire            takes = rec_valid && rec_ready;
  wire            frees = takes && head == 3'd4;

  always @(posedge clk) begin
    if (!rst) begin
      if (put) lane <= lane + 2'd1;
      if (put) left <= first ? (put_byte == 0 ? 5'd0 : length) : left - 5'd1;
      if (first && put_byte != 0) begin
        filling <= sort == HEARTBEAT[3:0] || sort == TOKEN_END[3:0];
        over    <= sort == TOKEN_END[3:0];
        known_sort: assert (sort <= BEGIN[3:0]);
        short_value: assert (!(sort == VALUE[3:0] || sort == RUN[3:0]) || put_byte[3:2] == 0);
        which: assert (!(sort == VECTOR[3:0]) || put_byte[3:1] == 0);
        reason: assert (!(sort == TOKEN_END[3:0]) || put_byte[3:2] == 0 && put_byte[1:0] != 0);
        begins: assert (over == (sort == BEGIN[3:0]));
        filled: assert (!filling || lane == 0);
      end
      if (first && put_byte == 0) nothing_fills: assert (filling && lane != 0);
      if (flush) whole: assert (left == 0 && lane == 0);

      head  <= takes ? (rec_last ? 3'd0 : head == 3'd4 ? 3'd4 : head + 3'd1) : head;
      level <= level + {{(LOG2+1){1'b0}}, put} - {{(LOG2+1){1'b0}}, frees};
      room: assert (level <= (1 << LOG2) - 1 || level == (1 << LOG2) && !put);
      not_below: assert (!frees || level != 0);
      free_runs: assert (recording || !pause);

    end
  end
endmodule

`resetall
