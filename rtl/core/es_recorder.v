`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The recorder: makes the input stream (docs/replay.md) of what the pipeline executes. One core.
//
// Records come through two stages. `s_` takes what is executed, with what phantom memory says about
// it; `r_` has the record at hand, until all its tokens are on their way, one after the other
// (es_recorder_bytes). Only then does the record count: in sums, fetches and the prediction. So a
// record whose tokens find no room counts for nothing, and the stream ends exactly before it.
//
// `pause` keeps the pipeline from taking a record unless there surely is a place for it: it knows
// nothing of the record, so while it records, one is taken in two clocks at most. The FIFO stands
// between that and the bus. While it does not record it never pauses anybody.
//
// Room: a token is begun only while the buffer is not `tight`, which leaves enough for it, for a
// RUN, and for END. A token that finds it tight ends the stream.
module es_recorder #(
  parameter ADDR_W     = 32,
  parameter COMPRESSED = 0
) (
  input  wire              clk,
  input  wire              rst,

  // registers, in the soft core's domain
  input  wire              clk_soc,
  input  wire              wr,
  input  wire [6:2]        offset,     // less 0x80, in words
  input  wire [31:0]       wdata,
  output wire              recording,
  output wire              active,     // it records, or bytes of that are on their way yet

  // the pipeline
  input  wire              ex,         // a record is executed
  input  wire [1:0]        ex_kind,
  input  wire [3:0]        ex_lanes,
  input  wire [ADDR_W-2:0] ex_place,   // its address in halves of words
  input  wire              ex_inside,  // of the phantom window
  input  wire [31:0]       ex_data,
  input  wire [31:0]       ex_insn,    // a fetch: what begins at its first byte
  input  wire [31:0]       ex_old,     // phantom memory's word before it
  input  wire              ex_known,
  input  wire [31:0]       ex_time,
  input  wire              ex_coming,  // one is in the pipeline
  output wire              pause,

  // the buffer of bytes
  output wire              put,
  output wire [7:0]        put_byte,
  output wire              flush,
  input  wire              tight,      // less than 40 bytes' room, or nearly so
  input  wire              drained,    // it is empty, and its frames' numbers begin anew

  output wire              calm        // an edge of clk would change nothing
);
  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_FETCH = `ES_KIND_FETCH,
    KIND_MARK = `ES_KIND_MARK, MARK_GAP_FIRST = `ES_MARK_GAP_FIRST;
  localparam [31:0] VALUE = `ES_TOKEN_VALUE, RUN = `ES_TOKEN_RUN, MEMORY = `ES_TOKEN_MEMORY,
    VECTOR = `ES_TOKEN_VECTOR, CLOCK = `ES_TOKEN_CLOCK, HEARTBEAT = `ES_TOKEN_HEARTBEAT,
    TOKEN_END = `ES_TOKEN_END, BEGIN = `ES_TOKEN_BEGIN;
  localparam [31:0] END_FULL = `ES_END_FULL, END_LOST = `ES_END_LOST, END_ASKED = `ES_END_ASKED;

  wire              start_pulse;
  wire              beat_pulse;
  wire              stop_pulse;
  wire [23:8]       period;
  wire [ADDR_W-1:1] vector0, vector1;
  wire [7:1]        mask0, mask1;
  wire [ADDR_W-1:12] quiet0, quiet1, quiet_mask0, quiet_mask1;
  wire [1:0]        no_vector, no_quiet;

  es_recorder_regs #(.ADDR_W(ADDR_W)) regs (
    .clk(clk_soc), .rst(rst), .wr(wr), .offset(offset), .wdata(wdata),
    .start(start_pulse), .beat(beat_pulse), .stop(stop_pulse), .period(period),
    .vector0(vector0), .vector1(vector1), .mask0(mask0), .mask1(mask1), .no_vector(no_vector),
    .quiet0(quiet0), .quiet1(quiet1), .quiet_mask0(quiet_mask0), .quiet_mask1(quiet_mask1),
    .no_quiet(no_quiet)
  );

  // ---- what is asked for ----
  reg  on;
  reg  ask_start;
  reg  ask_beat;
  reg  ask_stop;
  wire begin_now;   // it begins to record
  wire end_now;     // END is on its way
  wire beat_now;    // a heartbeat is
  wire resting;

  assign begin_now = ask_start && !on && resting && drained;
  assign recording = on;
  assign active    = on || !resting;

  always @(posedge clk) begin
    if (begin_now || stop_pulse) ask_start <= 1'b0;
    else if (start_pulse) ask_start <= 1'b1;
    // a start while it records ends that first
    ask_stop <= on && !end_now && (ask_stop || stop_pulse || ask_start);
    ask_beat <= on && !end_now && (ask_beat && !beat_now || beat_pulse || stop_pulse ||
                                   ask_start && !ask_stop);
    if (begin_now) on <= 1'b1;
    else if (end_now) on <= 1'b0;
    if (rst) begin
      on        <= 1'b0;
      ask_start <= 1'b0;
      ask_beat  <= 1'b0;
      ask_stop  <= 1'b0;
    end
  end

  // ---- the stages ----
  reg               s_valid;
  reg  [1:0]        s_kind;
  reg  [ADDR_W-2:0] s_place;
  reg               s_inside;
  reg  [31:0]       s_data;
  reg  [31:0]       s_time;
  wire              s_differs;
  wire              s_reads_clock;
  reg               s_gap;
  reg  [3:1]        s_bytes;     // of its data, that are not 0

  reg               r_valid;
  reg  [1:0]        r_kind;
  reg  [ADDR_W-2:0] r_place;
  reg  [31:0]       r_data;
  reg  [31:0]       r_time;      // stays after the record
  reg  [31:0]       r_ahead;     // its data, and the expected input before the last one
  reg  [3:1]        r_bytes;
  reg               r_input;     // an expected input
  reg               r_crosses;   // a heartbeat is due before it
  // tokens that it still needs
  reg               r_gap;
  reg  [1:0]        r_vector;
  reg               r_memory;
  reg               r_clock;
  reg               r_value;     // unless it was predicted

  wire        ex_upper = COMPRESSED != 0 && ex_kind == KIND_FETCH[1:0] && ex_place[0];
  wire [1:0]  in_vector;
  wire        in_quiet;
  reg  [1:0]  was_in;      // the vectors that the instruction before was of
  wire        s_is_fetch = s_kind == KIND_FETCH[1:0];
  wire        s_is_read = s_kind == KIND_READ[1:0];
  wire        s_is_mark = s_kind == KIND_MARK[1:0];
  wire        leaves;      // the record at hand has its tokens
  reg         ending;
  wire        busy;        // bytes of a token, whose words have to stay, are under way
  wire        taken = r_valid || busy || ending;
  wire        moves = s_valid && !taken;
  wire        asked = ask_beat || ask_stop || ask_start;

  es_recorder_watch #(.ADDR_W(ADDR_W)) watch (
    .clk(clk), .take(ex && on), .kind(ex_kind), .lanes(ex_lanes), .upper(ex_place[ADDR_W-2:7]),
    .data(ex_data), .insn(ex_insn), .old(ex_old), .known(ex_known),
    .reads_clock(s_reads_clock), .differs(s_differs), .place(s_place),
    .vector0(vector0), .vector1(vector1), .mask0(mask0), .mask1(mask1), .no_vector(no_vector),
    .quiet0(quiet0), .quiet1(quiet1), .quiet_mask0(quiet_mask0), .quiet_mask1(quiet_mask1),
    .no_quiet(no_quiet), .in_vector(in_vector), .in_quiet(in_quiet)
  );

  // Places for what is in the pipeline and one more: neither knows what becomes of the one at hand.
  assign pause = on && (asked || s_valid && taken || ex_coming && (s_valid || taken));

  // Pairs of bits that are not the same. They are kept, as yosys takes a half more cells for the
  // whole when it may divide them.
  (* keep *) wire [15:0]  unlike;      // of r_ahead and what was predicted
  (* keep *) wire [15:12] time_unlike; // of s_time and r_time

  integer i;
  always @(posedge clk) begin
    if (ex && on) begin
      s_kind        <= ex_kind;
      s_place       <= ex_place;
      s_inside      <= ex_inside;
      // the lanes' bytes; of an instruction in the middle of a word all: its rest is in the lower ones
      s_data        <= ex_data;
      s_bytes       <= {|ex_data[31:24], |ex_data[23:16], |ex_data[15:8]};
      for (i = 0; i < 4; i = i + 1) begin
        if (!ex_lanes[i] && !ex_upper) s_data[8*i +: 8] <= 8'd0;
        if (i > 0 && !ex_lanes[i] && !ex_upper) s_bytes[i] <= 1'b0;
      end
      s_time        <= ex_time;
      s_gap         <= ex_kind == KIND_MARK[1:0] && ex_lanes == MARK_GAP_FIRST[3:0];
    end
    s_valid <= on && !end_now && (ex || s_valid && !moves);

    if (moves) begin
      r_kind    <= s_kind;
      r_place   <= s_place;
      r_data    <= s_data;
      r_bytes   <= s_bytes;
      r_ahead   <= s_data + earlier;
      r_time    <= s_time;
      r_crosses <= time_unlike != 0 || ((s_time[23:8] ^ r_time[23:8]) & period) != 0;
      r_gap     <= s_gap;
      r_vector  <= s_is_fetch ? in_vector & ~was_in : 2'b00;
      r_memory  <= !s_is_mark && (s_is_read || s_is_fetch) && s_inside && s_differs;
      r_clock   <= s_reads_clock;
      r_input   <= s_is_read && !s_inside && !in_quiet;
      r_value   <= 1'b1;
      if (s_is_fetch) was_in <= in_vector;
    end
    r_valid <= on && !end_now && (moves || r_valid && !leaves);
    if (token_goes) case (token)
      HEARTBEAT[3:0]: r_crosses <= 1'b0;
      VECTOR[3:0]: r_vector <= token_low[0] ? 2'b00 : {r_vector[1], 1'b0};
      MEMORY[3:0]: r_memory <= 1'b0;
      CLOCK[3:0]: r_clock <= 1'b0;
      VALUE[3:0]: r_value <= 1'b0;
      default: ;
    endcase
    if (begin_now) begin
      r_time <= 32'd0;
      was_in <= 2'b00;
    end
    if (rst) begin
      s_valid <= 1'b0;
      r_valid <= 1'b0;
    end
  end

  // ---- what has been ----
  reg         begun;       // BEGIN is on its way
  reg         some;        // a transaction since the last heartbeat
  reg  [1:0]  reads;       // of the last instruction, 3 and more
  reg  [31:0] last;        // the last expected input
  reg  [31:0] earlier;     // the one before that
  reg  [7:0]  run;         // predicted, and not told yet
  reg         some_run;    // that is not 0
  reg  [1:0]  reason;
  wire        sum_turn;
  wire [15:0] sum;
  wire [31:0] sums;
  wire        settling;
  wire        counts = leaves && !r_is_mark;
  wire        data_shown, data_upper;
  wire [15:0] data_half;
  wire        r_is_fetch = r_kind == KIND_FETCH[1:0];
  wire        r_is_mark = r_kind == KIND_MARK[1:0];
  wire [31:0] twice = {last[30:0], 1'b0};
  wire        is_predicted = unlike == 0;
  wire        run_done;
  wire [1:0]  reads_next = reads == 2'd3 ? 2'd3 : reads + 2'd1;

  genvar g;
  generate
    for (g = 0; g < 16; g = g + 1) begin : pairs
      assign unlike[g] = r_ahead[2*g +: 2] != twice[2*g +: 2];
      if (g >= 12) assign time_unlike[g] = s_time[2*g +: 2] != r_time[2*g +: 2];
    end
  endgenerate

  es_recorder_sums #(.ADDR_W(ADDR_W)) hash (
    .clk(clk), .rst(rst), .clear(begin_now), .add(counts), .kind(r_kind), .place(r_place),
    .data(r_data), .shown(data_shown), .upper(data_upper), .half(data_half),
    .turn(sum_turn), .sum(sum), .sums(sums), .settling(settling)
  );

  always @(posedge clk) begin
    if (counts) begin
      some <= 1'b1;
      if (r_is_fetch) reads <= 2'd0;
      else if (r_kind == KIND_READ[1:0]) reads <= reads_next;
      if (r_input) begin
        last    <= r_data;
        earlier <= last;
        if (r_value) run <= run + 8'd1;
        if (r_value) some_run <= 1'b1;
      end
    end
    if (run_done || begin_now) begin
      run      <= 8'd0;
      some_run <= 1'b0;
    end
    if (beat_now) some <= 1'b0;
    if (token_goes && token == BEGIN[3:0]) begun <= 1'b1;
    if (begin_now) begin
      begun     <= 1'b0;
      some      <= 1'b0;
      reads     <= 2'd0;
      last      <= 32'd0;
      earlier   <= 32'd0;
    end
  end

  // ---- the next token ----
  wire free = on && !busy;
  wire is_value = r_input && r_value && !is_predicted;
  wire runs_over = r_input && run[7];
  wire wants_beat = r_crosses && some;
  // of the record at hand; BEGIN is wanted by any transaction
  wire wants_any = wants_beat || r_gap || r_vector != 0 || r_memory || r_clock || is_value ||
                   runs_over || !begun && !r_is_mark;
  wire wants = r_valid && wants_any;
  wire asks = (ask_beat || ask_stop) && !r_valid && !s_valid;
  wire ends = free && !ending && (tight && (wants || asks) || wants && r_gap && !wants_beat && begun);
  reg  [3:0] token;
  reg  [3:0] token_low;
  reg        token_goes;

  assign leaves   = r_valid && free && !ending && !wants_any;
  assign beat_now = token_goes && token == HEARTBEAT[3:0];
  assign end_now  = token_goes && token == TOKEN_END[3:0];

  always @* begin
    token_goes = free && (ending || !ends && (wants || asks));
    token_low = 4'd0;
    if (!begun) begin
      token = BEGIN[3:0];
    end else if (some_run) begin
      token = RUN[3:0];
    end else if (ending) begin
      token = TOKEN_END[3:0];
      token_low[1:0] = reason;
    end else if (!r_valid || wants_beat) begin
      token = HEARTBEAT[3:0];
    end else if (r_vector != 0) begin
      token = VECTOR[3:0];
      token_low[0] = !r_vector[0];
    end else if (r_memory) begin
      token = MEMORY[3:0];
      token_low[1:0] = r_is_fetch ? 2'd0 : reads_next;
    end else if (r_clock) begin
      token = CLOCK[3:0];
    end else begin
      token = VALUE[3:0];
      // bytes that it needs, less 1
      token_low[1:0] = r_bytes[3] ? 2'd3 : r_bytes[2] ? 2'd2 : r_bytes[1] ? 2'd1 : 2'd0;
    end
  end

  always @(posedge clk) begin
    if (ends) begin
      ending <= 1'b1;
      reason <= tight ? END_FULL[1:0] : END_LOST[1:0];
    end else if (beat_now && ask_stop && !r_valid) begin
      ending <= 1'b1;
      reason <= END_ASKED[1:0];
    end
    if (rst || end_now) ending <= 1'b0;
  end

  wire done;
  reg  is_run;      // the token under way
  always @(posedge clk) if (token_goes) is_run <= token == RUN[3:0];
  assign run_done = done && is_run;

  // The last fetch's number is that of the one at hand, or of the one before: what HEARTBEAT and END
  // tell is that, if a fetch is at hand, else one more. Then it is ahead by one; until a fetch comes,
  // which is the one, or another token needs the number.
  reg  ahead;
  wire tells_count = token == HEARTBEAT[3:0] || token == TOKEN_END[3:0];
  wire beyond = !(r_valid && r_is_fetch);
  wire more = tells_count && beyond && !ahead;
  wire less = token == MEMORY[3:0] && ahead;
  always @(posedge clk) begin
    if (begin_now || moves && s_is_fetch || token_goes && token == MEMORY[3:0]) ahead <= 1'b0;
    else if (token_goes && tells_count && beyond) ahead <= 1'b1;
  end

  es_recorder_bytes bytes (
    .clk(clk), .rst(rst), .start(token_goes), .kind(token), .low(token_low),
    .more(more), .less(less), .clear(begin_now), .fetched(moves && s_is_fetch && !ahead),
    .sum_turn(sum_turn), .sum(sum), .sums(sums), .stamp(r_time),
    .data_shown(data_shown), .data_upper(data_upper), .data(data_half), .run(run),
    .busy(busy), .done(done), .resting(resting),
    .put(put), .put_byte(put_byte), .flush(flush)
  );

  assign calm = !start_pulse && !beat_pulse && !stop_pulse && !ask_start && !ask_beat && !ask_stop &&
                !s_valid && !r_valid && !ending && !settling && resting;

`ifdef FORMAL
  // What is executed finds a place, and what is lost before this is never passed over.
  always @(posedge clk) begin
    if (!rst) begin
      place_kept: assert (!(ex && on && !end_now) || !s_valid || moves);
      gap_told: assert (!(leaves && r_gap));
    end
  end
`endif
endmodule

`resetall
