`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tokens to bytes (docs/replay.md, "The input stream"), one byte a clock. A token that has begun is
// completed. After a heartbeat and after the end, bytes of nothing fill the word up, and `flush`
// says so: what was written so far can be sent, and no frame is ever cut within a token by filling.
//
// The words of a token are inputs that stay as they are while `busy`. The place of a byte among
// those of its word is told by counting from reset, as the buffer after this does.
module es_recorder_bytes (
  input  wire        clk,
  input  wire        rst,

  input  wire        start,      // only while !busy
  input  wire [3:0]  kind,       // TOKEN_*
  input  wire [3:0]  low,        // the first byte's lower half
  input  wire        previous,   // `fetches` less 1 is sent: the instruction that was fetched last
  input  wire [31:0] fetches,
  input  wire [31:0] sum,
  input  wire [31:0] sums,
  input  wire [31:0] stamp,
  input  wire [31:0] data,
  input  wire [15:0] run,

  output reg         busy,
  output wire        done,       // the last clock of busy
  output wire        resting,    // no byte is on its way, either

  output reg         put,
  output reg  [7:0]  put_byte,
  output reg         flush       // all is in the buffer
);
  localparam [31:0] VALUE = `ES_TOKEN_VALUE, RUN = `ES_TOKEN_RUN, MEMORY = `ES_TOKEN_MEMORY,
    CLOCK = `ES_TOKEN_CLOCK, HEARTBEAT = `ES_TOKEN_HEARTBEAT, TOKEN_END = `ES_TOKEN_END,
    BEGIN = `ES_TOKEN_BEGIN;

  // the words
  localparam [2:0] W_FETCHES = 3'd0, W_SUM = 3'd1, W_SUMS = 3'd2, W_TIME = 3'd3, W_DATA = 3'd4,
    W_RUN = 3'd5;

  reg  [3:0]  now;       // the token's kind
  reg  [3:0]  now_low;
  reg         at_head;   // the first byte comes
  reg         filling;   // the token is over
  reg  [2:0]  word;
  reg  [1:0]  lane;
  reg  [1:0]  place;     // of the next byte in the buffer's word

  wire        short = now == VALUE[3:0] || now == RUN[3:0];
  wire        flushes = now == HEARTBEAT[3:0] || now == TOKEN_END[3:0];
  wire        is_last_lane = lane == (short ? now_low[1:0] : 2'd3);
  wire        is_last_word = word != W_FETCHES && word != W_SUM && word != W_SUMS;
  wire        over = busy && !at_head && !filling && is_last_lane && is_last_word;
  wire        fills = filling && place != 2'd0;

  assign done = over && !flushes || filling && !fills;

  wire [31:0] whole = word == W_FETCHES ? fetches : word == W_SUM ? sum : word == W_SUMS ? sums :
                      word == W_TIME ? stamp : word == W_DATA ? data : {16'd0, run};
  wire [7:0]  chosen = lane[1] ? (lane[0] ? whole[31:24] : whole[23:16])
                               : (lane[0] ? whole[15:8] : whole[7:0]);

  always @(posedge clk) begin
    if (start) begin
      busy    <= 1'b1;
      at_head <= 1'b1;
      filling <= 1'b0;
      now     <= kind;
      now_low <= low;
      lane    <= 2'd0;
      word    <= kind == VALUE[3:0] ? W_DATA : kind == RUN[3:0] ? W_RUN :
                 kind == BEGIN[3:0] || kind == CLOCK[3:0] ? W_TIME : W_FETCHES;
    end else if (busy) begin
      at_head <= 1'b0;
      if (!at_head && !filling) begin
        lane <= lane + 2'd1;
        if (is_last_lane) begin
          word <= word == W_FETCHES ? (now == MEMORY[3:0] ? W_DATA :
                                       now == HEARTBEAT[3:0] ? W_SUM : W_TIME)
                                    : word == W_SUM ? W_SUMS : W_TIME;
        end
      end
      if (over && flushes) filling <= 1'b1;
      if (done) begin
        busy    <= 1'b0;
        filling <= 1'b0;
      end
    end
    if (busy && (!filling || fills)) place <= place + 2'd1;
    if (rst) begin
      busy    <= 1'b0;
      filling <= 1'b0;
      place   <= 2'd0;
    end
  end

  // Chosen in one clock; made less in the next, from the lowest byte on, while there is a borrow.
  reg         raw_put;
  reg  [7:0]  raw;
  reg         raw_counts;
  reg         borrow;
  reg         raw_flush;

  always @(posedge clk) begin
    raw_put    <= busy && (!filling || fills);
    raw        <= at_head ? {now, now_low} : filling ? 8'd0 : chosen;
    raw_counts <= busy && !at_head && !filling && word == W_FETCHES;
    raw_flush  <= filling && !fills;
    put        <= raw_put;
    put_byte   <= raw_counts && borrow ? raw - 8'd1 : raw;
    flush      <= raw_flush;
    if (start) borrow <= previous;
    else if (raw_counts) borrow <= borrow && raw == 8'd0;
    if (rst) begin
      raw_put   <= 1'b0;
      put       <= 1'b0;
      raw_flush <= 1'b0;
      flush     <= 1'b0;
    end
  end

  assign resting = !busy && !raw_put && !put && !raw_flush && !flush;
endmodule

`resetall
