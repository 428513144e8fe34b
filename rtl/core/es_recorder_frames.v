`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The recorder's bytes, in block RAM, and frames of them for es_link (FRAME_RECORD, docs/replay.md).
//
// A frame goes when it can have as many words as a frame has at most, or with what there is after
// a `flush`. Bytes that are no whole word wait for the rest; before `flush` the recorder fills the
// word up. Sequence numbers count from 0 again when there is nothing to send any more and no recording.
//
// `clk` is the recorder's, and what is written; `clk_link` is the same, and what is read: each may
// stand still alone where an edge would change nothing (es_probe).
module es_recorder_frames #(
  parameter LOG2 = 12, // log2 of the buffer's bytes, 9 or more
  // bits of each memory that it is made of: on the iCE40 few, so that few block RAMs are in a row
`ifdef ES_ICE40
  parameter SLICE = LOG2 > 10 ? 2 : LOG2 > 9 ? 4 : 8,
`else
  parameter SLICE = 8,
`endif
  parameter CORE = 0
) (
  input  wire       clk,
  input  wire       rst,
  input  wire       put,
  input  wire [7:0] put_byte,
  output wire       tight,      // 64 bytes or less of room, but for one that is just written

  input  wire       clk_link,
  input  wire       flush,      // a pulse: what was put before is to go
  input  wire       active,     // bytes may come
  output wire       drained,    // nothing is here, and numbers begin anew
  output wire       idle,       // no frame will go without any more bytes
  output wire       rec_valid,
  output wire [7:0] rec_byte,
  output wire       rec_last,
  input  wire       rec_ready
);
  localparam [31:0] FRAME_MAX_WORDS = `ES_FRAME_MAX_WORDS, FRAME_RECORD = `ES_FRAME_RECORD + CORE;
  localparam [31:0] MOST = FRAME_MAX_WORDS - 2; // words of a frame after its first
  localparam W = LOG2 - 2;

  initial begin
    if (LOG2 < 9) $error("es_recorder_frames: LOG2 must be 9 at least");
    if (MOST != 60) $error("es_recorder_frames: it knows a frame's most words by their bits");
  end

  reg  [LOG2-1:0] tail;     // of bytes written
  reg  [LOG2-1:0] head;     // of bytes read
  reg  [W:0]    words;      // whole ones that wait
  wire          read;       // a byte is read
  wire [7:0]    stored;     // the last one
  wire          comes = put && &tail[1:0];
  wire          goes = read && &head[1:0];

  assign tight = words[W] || &words[W-1:4];

  genvar g;
  generate
    for (g = 0; g < 8; g = g + SLICE) begin : slices
      (* no_rw_check *) // a byte is read only after the clock in which it was written
      reg [SLICE-1:0] memory [0:(1 << LOG2)-1];
      reg [SLICE-1:0] out;
      assign stored[g +: SLICE] = out;
      always @(posedge clk) if (put) memory[tail] <= put_byte[g +: SLICE];
      always @(posedge clk_link) if (read) out <= memory[head];
    end
  endgenerate

  always @(posedge clk) begin
    if (put) tail <= tail + 1'b1;
    if (rst) tail <= 0;
  end

  always @(posedge clk_link) begin
    if (comes != goes) words <= words + {{W{goes}}, 1'b1};
    if (read) head <= head + 1'b1;
    if (rst) begin
      words <= 0;
      head  <= 0;
    end
  end

  reg         wanted;       // what is here is to go
  reg         sending;
  reg  [15:0] number;       // in a frame's first word its bytes go round
  reg         carry;        // ... and are made one more
  reg         numbered;     // that is not 0
  reg  [5:0]  count;        // words of the frame still to go
  reg  [1:0]  first;        // bytes of its first word still to go, less 1
  reg         in_first;
  wire        none = words == 0;
  wire        many = |words[W:6] || words[5:2] == MOST[5:2]; // those of MOST are all 1, below are 0
  wire        starts = !sending && (many || wanted && !none);
  wire        takes = rec_valid && rec_ready;
  wire [8:0]  more = {1'b0, number[7:0]} + {8'd0, first[0] || carry};

  assign rec_valid = sending;
  assign rec_last  = !in_first && count == 6'd1 && head[1:0] == 2'd0;
  assign rec_byte  = !in_first ? stored : !first[1] ? number[7:0] :
                     first[0] ? FRAME_RECORD[7:0] : {2'd0, count};
  assign read      = takes && (in_first ? first == 2'd0 : !rec_last);
  assign drained   = !sending && none && !numbered && !wanted; // while not active, words are whole
  assign idle      = !sending && !starts && !wanted && (active || !numbered) && !put;

  always @(posedge clk_link) begin
    wanted <= flush || wanted && !none;
    if (starts) begin
      sending  <= 1'b1;
      in_first <= 1'b1;
      first    <= 2'd3;
      count    <= many ? MOST[5:0] : words[5:0];
    end else if (takes) begin
      if (in_first) begin
        first    <= first - 2'd1;
        in_first <= first != 2'd0;
        if (!first[1]) begin
          number   <= {more[7:0], number[15:8]};
          carry    <= more[8];
          numbered <= 1'b1;
        end
      end else if (head[1:0] == 2'd0) begin
        count   <= count - 6'd1;
        sending <= count != 6'd1;
      end
    end
    if (rst || !sending && !active && none) begin
      number   <= 16'd0;
      numbered <= 1'b0;
    end
    if (rst) begin
      wanted   <= 1'b0;
      sending  <= 1'b0;
    end
  end
endmodule

`resetall
