`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Proof of es_recorder_bytes with tokens begun at any time: the bytes are whole tokens, each as
// long as its first byte says (a RUN's number has one byte), in the order in which they were begun;
// what is sent early ends with a word; and nothing comes that nobody has begun.
module recorder_bytes_proof (
  input wire       clk,
  input wire       wish,
  input wire [3:0] kind_wish,
  input wire [3:0] low,
  input wire       more,
  input wire       less,
  input wire       fetched,
  input wire [7:0] value
);
  localparam [31:0] VALUE = `ES_TOKEN_VALUE, RUN = `ES_TOKEN_RUN, MEMORY = `ES_TOKEN_MEMORY,
    VECTOR = `ES_TOKEN_VECTOR, HEARTBEAT = `ES_TOKEN_HEARTBEAT, TOKEN_END = `ES_TOKEN_END,
    BEGIN = `ES_TOKEN_BEGIN;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire       busy, done, resting, put, flush, sum_turn, data_shown, data_upper;
  wire [7:0] put_byte;
  wire [3:0] kind = kind_wish == 0 || kind_wish > BEGIN[3:0] ? BEGIN[3:0] : kind_wish;
  wire       short = kind == VALUE[3:0] || kind == RUN[3:0];
  wire       start = wish && !busy && !rst && !(short && low[3:2] != 0) &&
                     !(kind == RUN[3:0] && low != 0);

  es_recorder_bytes bytes (
    .clk(clk), .rst(rst), .start(start), .kind(kind), .low(low), .more(more), .less(less), .clear(1'b0),
    .fetched(fetched && !busy && !start), .sum_turn(sum_turn), .sum({2{value}}), .sums({4{value}}),
    .stamp({4{value}}), .data_shown(data_shown), .data_upper(data_upper), .data({2{value}}),
    .run(value), .busy(busy), .done(done), .resting(resting), .put(put), .put_byte(put_byte),
    .flush(flush)
  );

  reg  [7:0] begun [0:1];     // first bytes of tokens whose first byte has not come
  reg  [1:0] waiting = 0;
  reg  [4:0] left = 0;        // bytes of the token that are still to come
  reg        fills = 0;       // after it nothing comes, up to the word's end
  reg  [1:0] lane = 0;
  reg        was_value = 0;
  wire [3:0] sort = put_byte[7:4];
  wire       opens = put && left == 0 && !(fills && lane != 0);
  wire [4:0] length = sort == VALUE[3:0] || sort == RUN[3:0] ? 5'd1 + {3'd0, put_byte[1:0]} :
                      sort == MEMORY[3:0] || sort == VECTOR[3:0] || sort == TOKEN_END[3:0] ? 5'd8 :
                      sort == HEARTBEAT[3:0] ? 5'd16 : 5'd4;

  always @(posedge clk) begin
    if (!rst) begin
      waiting <= waiting + {1'b0, start} - {1'b0, opens};
      if (start) begun[opens ? waiting - 2'd1 : waiting] <= {kind, low};
      if (opens && waiting == 2) begun[0] <= begun[1];
      if (put) lane <= lane + 2'd1;
      if (opens) begin
        left  <= length;
        fills <= sort == HEARTBEAT[3:0] || sort == TOKEN_END[3:0];
        if (sort == VALUE[3:0] && left == 0) was_value <= 1'b1;
        was_begun: assert (waiting != 0);
        as_begun: assert (put_byte == begun[0]);
      end else if (put && left != 0) begin
        left <= left - 5'd1;
      end else if (put) begin
        nothing_fills: assert (put_byte == 0);
      end
      no_more: assert (waiting <= 2);
      if (flush) whole: assert (left == 0 && lane == 0 && fills);
      if (resting) rests: assert (left == 0 && waiting == 0);
      all_done: cover (was_value && resting);
    end
  end
endmodule

`resetall
