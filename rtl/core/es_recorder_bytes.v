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
// A byte of each word, or of its halves, is chosen into a register, which is 0 where another one is
// wanted; then they are put together by or. That costs less than to choose among all bytes.
module es_recorder_bytes (
  input  wire        clk,
  input  wire        rst,

  input  wire        start,      // only while !busy
  input  wire [3:0]  kind,       // TOKEN_*
  input  wire [3:0]  low,        // the first byte's lower half
  input  wire        more,       // the last fetch's number: what is sent is one more,
  input  wire        less,       // or one less, and so it stays
  input  wire        clear,      // ... there was none: the next one is number 0
  input  wire        fetched,    // ... one more; not while busy
  output wire        sum_turn,   // the sum's halves change places
  input  wire [15:0] sum,        // its lower half
  input  wire [31:0] sums,
  input  wire [31:0] stamp,
  output wire        data_shown, // bytes of data are sent
  output wire        data_upper, // ... of its upper half
  input  wire [15:0] data,       // that half
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
  reg  [7:0] head_byte, run_byte, sum_byte, data_byte;
  wire [7:0] fetches_byte, sums_0, sums_1, stamp_0, stamp_1;
  es_recorder_fetches fetches (
    .clk(clk), .rst(rst), .clear(clear), .add(fetched), .start(start), .more(more), .less(less),
    .send(in_fetches), .odd(lane[0]), .out(fetches_byte)
  );
  es_recorder_half half_sums (
    .clk(clk), .wanted(in_sums), .lane(lane), .word(sums), .lower(sums_0), .upper(sums_1)
  );
  es_recorder_half half_stamp (
    .clk(clk), .wanted(in_stamp), .lane(lane), .word(stamp), .lower(stamp_0), .upper(stamp_1)
  );

  assign sum_turn   = in_sum && lane[0];
  assign data_shown = in_data;
  assign data_upper = in_data && lane[1];

  always @(posedge clk) begin
    any          <= start || in_word || in_data || in_run || fills;
    all_over     <= filling && !fills;
    head_byte    <= start ? {kind, low} : 8'd0;
    run_byte     <= in_run ? run : 8'd0;
    sum_byte     <= !in_sum ? 8'd0 : lane[0] ? sum[15:8] : sum[7:0];
    data_byte    <= !in_data ? 8'd0 : lane[0] ? data[15:8] : data[7:0];
    put          <= any;
    put_byte     <= head_byte | run_byte | fetches_byte | sum_byte | data_byte |
                    sums_0 | sums_1 | stamp_0 | stamp_1;
    flush        <= all_over;
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
