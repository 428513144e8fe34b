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
//
// A byte of each half of a word is chosen into a register, which is 0 where another one is wanted;
// then they are put together by or. That costs less than to choose among all bytes.
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
  input  wire [7:0]  run,

  output wire        busy,
  output wire        done,       // the last clock of busy
  output wire        resting,    // no byte is on its way, either

  output reg         put,
  output reg  [7:0]  put_byte,
  output reg         flush       // all is in the buffer
);
  localparam [31:0] VALUE = `ES_TOKEN_VALUE, RUN = `ES_TOKEN_RUN, MEMORY = `ES_TOKEN_MEMORY,
    VECTOR = `ES_TOKEN_VECTOR, CLOCK = `ES_TOKEN_CLOCK, HEARTBEAT = `ES_TOKEN_HEARTBEAT, TOKEN_END = `ES_TOKEN_END,
    BEGIN = `ES_TOKEN_BEGIN;

  // What is under way: one of these is high.
  reg        in_fetches, in_sum, in_sums, in_stamp, in_data, in_run;
  reg        filling;    // the token is over
  reg        is_memory, is_beat, flushes;
  reg  [1:0] lane;
  reg  [1:0] last;       // lane of a VALUE's last byte
  reg  [1:0] place;      // of the next byte in the buffer's word
  wire       in_word = in_fetches || in_sum || in_sums || in_stamp;
  wire       ends = in_run || (in_word ? &lane : lane == last); // in_data: of MEMORY `last` is 3
  wire       fills = filling && place != 2'd0;

  assign busy = in_word || in_data || in_run || filling;
  assign done = ends && (in_stamp && !flushes || in_data || in_run) || filling && !fills;

  always @(posedge clk) begin
    if (start) begin
      in_fetches <= kind == MEMORY[3:0] || kind == HEARTBEAT[3:0] || kind == TOKEN_END[3:0] ||
                    kind == VECTOR[3:0];
      in_stamp   <= kind == BEGIN[3:0] || kind == CLOCK[3:0];
      in_data    <= kind == VALUE[3:0];
      in_run     <= kind == RUN[3:0];
      is_memory  <= kind == MEMORY[3:0];
      is_beat    <= kind == HEARTBEAT[3:0];
      flushes    <= kind == HEARTBEAT[3:0] || kind == TOKEN_END[3:0];
      last       <= kind == MEMORY[3:0] ? 2'd3 : low[1:0];
      lane       <= 2'd0;
    end else if (busy) begin
      lane <= lane + 2'd1;
      if (ends) begin
        in_fetches <= 1'b0;
        in_sum     <= in_fetches && is_beat;
        in_sums    <= in_sum;
        in_stamp   <= in_sums || in_fetches && !is_beat && !is_memory;
        in_data    <= in_fetches && is_memory;
        in_run     <= 1'b0;
      end
      filling <= ends && in_stamp && flushes || fills;
    end
    if (start || in_word || in_data || in_run || fills) place <= place + 2'd1;
    if (rst) begin
      in_fetches <= 1'b0;
      in_sum     <= 1'b0;
      in_sums    <= 1'b0;
      in_stamp   <= 1'b0;
      in_data    <= 1'b0;
      in_run     <= 1'b0;
      filling    <= 1'b0;
      place      <= 2'd0;
    end
  end

  // ---- the bytes ----
  reg        any;
  reg        all_over;
  reg        counts;     // a byte of `fetches`
  reg        borrow;
  reg  [7:0] head_byte, run_byte;
  // of each word, of its lower and of its upper half
  wire [7:0] fetches_0, fetches_1, sum_0, sum_1, sums_0, sums_1, stamp_0, stamp_1, data_0, data_1;
  es_recorder_half half_fetches (
    .clk(clk), .wanted(in_fetches), .lane(lane), .word(fetches), .lower(fetches_0), .upper(fetches_1)
  );
  es_recorder_half half_sum (
    .clk(clk), .wanted(in_sum), .lane(lane), .word(sum), .lower(sum_0), .upper(sum_1)
  );
  es_recorder_half half_sums (
    .clk(clk), .wanted(in_sums), .lane(lane), .word(sums), .lower(sums_0), .upper(sums_1)
  );
  es_recorder_half half_stamp (
    .clk(clk), .wanted(in_stamp), .lane(lane), .word(stamp), .lower(stamp_0), .upper(stamp_1)
  );
  es_recorder_half half_data (
    .clk(clk), .wanted(in_data), .lane(lane), .word(data), .lower(data_0), .upper(data_1)
  );

  wire [7:0] chosen = head_byte | run_byte | fetches_0 | fetches_1 | sum_0 | sum_1 | sums_0 | sums_1 |
                      stamp_0 | stamp_1 | data_0 | data_1;
  // made less from the lowest byte on, while there is a borrow
  wire [8:0] less = {1'b0, chosen} + {1'b0, {8{counts && borrow}}};

  always @(posedge clk) begin
    any          <= start || in_word || in_data || in_run || fills;
    all_over     <= filling && !fills;
    counts       <= in_fetches;
    head_byte    <= start ? {kind, low} : 8'd0;
    run_byte     <= in_run ? run : 8'd0;
    put          <= any;
    put_byte     <= less[7:0];
    flush        <= all_over;
    if (start) borrow <= previous;
    else if (counts) borrow <= borrow && !less[8];
    if (rst) begin
      any      <= 1'b0;
      all_over <= 1'b0;
      put      <= 1'b0;
      flush    <= 1'b0;
    end
  end

  assign resting = !busy && !any && !put && !all_over && !flush;
endmodule

`resetall
