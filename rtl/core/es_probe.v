`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The probe: everything from the taps' transactions to the byte port. docs/rtl.md tells the ports
// and what `idle` and the cpu_ outputs are for.
//
// clk_tap and clk need no relation. clk_soc, clk_link and clk_cpu are clk. Each of these may stand
// still where an edge would change nothing, which saves time in simulation: clk while calm[0],
// clk_soc while calm[1], clk_link while calm[2], clk_cpu while calm[1] or while cpu_sleeping &&
// !cpu_wake, and all of them while `idle`. `rst_tap` and `rst` are to be active together for a few
// clocks of each.
module es_probe #(
  parameter        TAPS              = 1,  // taps, each with its core number; 1 to 8
  // transactions of each tap in a clock, in order: es_tap_rvfi has 3; at most 8 of all taps
  parameter        PER_TAP           = 1,
  parameter        FIFO_LOG2         = 8,  // FIFO depth, log2 of records; 5 or more
  parameter        HITQ_LOG2         = 2,  // hit queue depth, log2; 1 to 5
  parameter [31:0] WINDOW_BASE       = 0,  // phantom window: target address, a multiple of its size
  parameter        WINDOW_LOG2       = 16, // phantom window: log2 of bytes
  parameter        MEM_LOG2          = 16, // soft core memory: log2 of bytes
  parameter        EVQ_LOG2          = 9,  // event queue: log2 of 32-bit words
  parameter        TIME_W            = 32, // bits of time in a record, 16 to 32 (8 in tests)
  parameter        TARGET_ADDR_W     = 32, // address bits of the target; also of stored addresses
  parameter        TARGET_DATA_W     = 32, // reported in CONFIG
  parameter        TARGET_BIG_ENDIAN = 0,  // reported in CONFIG
  // What a fetch of the taps proves: `ES_FETCHES_EXECUTED, _AHEAD or _RETIRED. Reported in CONFIG; a
  // wrong one has the host say what is not true (docs/attach-core.md), so none is supposed.
  parameter        FETCHES           = `ES_FETCHES_UNTOLD,
  parameter        MARKS             = 0,  // reported in CONFIG: the taps hand on marks (es_tap_mark)
  parameter        SPRAM             = 0,  // 1: phantom and soft core memory are UP5K SPRAM
  // words whose bits CTRL_CLEAR clears in a clock: 16, or 1 where block RAM has no mask for single
  // bits (ECP5)
  parameter        SWEEP             = 16,
  // phantom memory is made of banks of so many words, log2, where it has more: as many as a block RAM
  // has bits, where that is late in the clock (ECP5); 0: of one
  parameter        BANK_LOG2         = 0,
  parameter        CAPTURE_QUEUE     = 4,  // es_capture's QUEUE
  parameter        MISSES            = 1,  // 0: no tap is one that may miss an access (docs/taps.md)
  // 1: instructions may have 16 bits and begin in the middle of a word (docs/attach-core.md says how
  // the taps tell them); a bus of 32 bits only
  parameter        COMPRESSED        = 0,
  parameter        READ_HITS         = 1,  // 1: data reads can be hits (CTRL_READS)
  parameter        OUTPUTS           = 0,  // 1: the pins `trigger` and `halt` are driven
  parameter        TIME_NOW          = 1,  // 1: there is REG_TIME_NOW
  // 1: calls, returns and writes that concern nobody are dealt with beside the soft core
  // (es_tracker); not with SPRAM
  parameter        TRACKER           = 0,
  // 1: there is es_recorder, of one core on a bus of 32 bits (docs/replay.md)
  parameter        RECORDER          = 0,
  parameter        RECORD_LOG2       = 12, // its buffer: log2 of bytes, 9 or more
  // 0: the recorder alone: no planes, no hits, no soft core
  parameter        MONITOR           = 1
) (
  input  wire               clk_tap,
  input  wire               rst_tap,
  input  wire [TAPS*PER_TAP-1:0] tx_valid,
  input  wire [2*TAPS*PER_TAP-1:0] tx_kind,
  input  wire [32*TAPS*PER_TAP-1:0] tx_addr,
  input  wire [32*TAPS*PER_TAP-1:0] tx_data,
  input  wire [4*TAPS*PER_TAP-1:0] tx_lanes,

  input  wire               clk,
  input  wire               rst,
  input  wire               clk_soc,  // registers, dispatch, soft core's bus and memory
  input  wire               clk_link, // event queue, loader, framing
  input  wire               clk_cpu,  // soft core
  output wire               cpu_sleeping,
  output wire               cpu_wake,
  output wire               idle,
  output wire [2:0]         calm,     // link, soc, everything from the FIFO to the hit queue

  // low for good without OUTPUTS
  output wire [7:0]         trigger,  // pulses of ES_TRIGGER_CLOCKS clocks
  output wire               halt,     // the target is to stand still

  output wire [7:0]         tx_byte,
  output wire               tx_byte_valid,
  input  wire               tx_byte_ready,
  input  wire [7:0]         rx_byte,
  input  wire               rx_byte_valid,
  output wire               rx_byte_ready
);
  initial begin
    if (TIME_W < 8 || TIME_W > 32 || WINDOW_LOG2 < 8 || WINDOW_LOG2 > 28 || MEM_LOG2 < 10) begin
      $error("es_probe: illegal parameter");
    end
    if (TRACKER != 0 && SPRAM != 0) $error("es_probe: TRACKER needs a memory with two ports");
    if (RECORDER != 0 && (TAPS != 1 || TARGET_DATA_W != 32)) begin
      $error("es_probe: RECORDER needs one core and a bus of 32 bits");
    end
    if (MONITOR == 0 && (RECORDER == 0 || TRACKER != 0)) begin
      $error("es_probe: without MONITOR it is for RECORDER, and has no TRACKER");
    end
    if (COMPRESSED != 0 && TARGET_DATA_W != 32) $error("es_probe: COMPRESSED needs a bus of 32 bits");
  end

  localparam ADDR_W = TARGET_ADDR_W;
  localparam INDEX_W = WINDOW_LOG2 - 2;

  // ---- capture and FIFO ----
  // The FIFO's record, from its top: core (as many bits as TAPS needs), lanes, time, kind, address
  // (words), data. Simulation is fastest when fields of 32 bits do not straddle words.
  localparam CORE_W = $clog2(TAPS);
  localparam RECORD_W = CORE_W + TIME_W + 2 + 4 + ADDR_W - 2 + 32;

  wire [31:0]               tap_time;
  wire [FIFO_LOG2:0]        wr_room;
  wire                      wr_en;
  wire [2:0]                wr_core;
  wire [3:0]                wr_lanes;
  wire [TIME_W-1:0]         wr_time;
  wire [1:0]                wr_kind;
  wire [ADDR_W-3:0]         wr_addr;
  wire [31:0]               wr_data;
  wire [RECORD_W+2-CORE_W:0] wr_record = {wr_core, wr_lanes, wr_time, wr_kind, wr_addr, wr_data};
  wire                      rd_valid;
  wire                      take;
  wire [RECORD_W-1:0]       rd_record;
  wire [FIFO_LOG2:0]        fifo_level;
  wire                      fifo_settled;
  wire                      fifo_still;
  wire [2:0]                rd_core;
  wire [TIME_W-1:0]         rd_time;
  wire [1:0]                rd_kind;
  wire [3:0]                rd_lanes;
  wire [ADDR_W-3:0]         rd_addr;
  wire [31:0]               rd_data;

  es_capture #(
    .TAPS(TAPS * PER_TAP), .PER_TAP(PER_TAP), .TIME_W(TIME_W), .ADDR_W(ADDR_W),
    .FIFO_LOG2(FIFO_LOG2), .QUEUE(CAPTURE_QUEUE), .MISSES(MISSES)
  ) capture (
    .clk(clk_tap), .rst(rst_tap),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes), .time_low(tap_time), .wr_room(wr_room), .wr_en(wr_en),
    .wr_time(wr_time), .wr_core(wr_core), .wr_kind(wr_kind), .wr_lanes(wr_lanes),
    .wr_addr(wr_addr), .wr_data(wr_data)
  );

  es_fifo_async #(.WIDTH(RECORD_W), .LOG2(FIFO_LOG2)) fifo (
    .wr_clk(clk_tap), .wr_rst(rst_tap), .wr_en(wr_en), .wr_data(wr_record[RECORD_W-1:0]),
    .wr_room(wr_room),
    .rd_clk(clk), .rd_rst(rst), .rd_en(take), .rd_data(rd_record), .rd_valid(rd_valid),
    .rd_level(fifo_level), .rd_settled(fifo_settled), .rd_still(fifo_still)
  );

  assign {rd_core, rd_lanes, rd_time, rd_kind, rd_addr, rd_data} =
    {{(3 - CORE_W){1'b0}}, rd_record};
  wire unused = &{1'b0, wr_record}; // bits of the core that TAPS does not need

  // ---- pipeline, phantom memory, planes ----
  wire               cpu_near;
  wire               cpu_calm;
  wire               phantom_write;
  wire               data_write;
  wire               fetch_write;
  wire [3:0]         cpu_lanes;
  wire [31:0]        cpu_wdata;
  wire [INDEX_W-1:0] cpu_index;
  wire [INDEX_W-1:0] cpu_write_index;
  wire [31:0]        phantom_word;
  wire               phantom_known;
  wire               data_hit;
  wire               data_lock;
  wire [1:0]         fetch_hit;
  wire               look_en;
  wire [INDEX_W-1:0] look_index;
  wire               store_en;
  wire               store_known;
  wire [3:0]         store_lanes;
  wire [INDEX_W-1:0] store_index;
  wire [31:0]        store_data;
  wire               lock;
  wire               unlock;
  wire               locked;
  wire               pipeline_empty;
  wire [31:0]        lost;
  wire               clear;
  reg                clearing;
  wire               read_hits;
  reg  [INDEX_W-1:0] clear_index;    // the next words to clear
  wire [INDEX_W-1:0] clear_follower = clear_index + SWEEP[INDEX_W-1:0];
  wire               port_conflict = SPRAM != 0 ? cpu_near : phantom_write;
  wire               clear_en = clearing && pipeline_empty && cpu_calm;

  localparam HIT_W = 1 + 2 + 4 + 1 + 1 + 3 + 32 + 32 + 32 + 2 * (ADDR_W - 1);
  wire [HITQ_LOG2:0] hit_free;
  wire               hit_push;
  wire               hit_pop;
  wire               hit_valid;
  wire [HIT_W-1:0]   hit_in;
  wire [HIT_W-1:0]   hit_head;

  wire               pause;
  wire               ex;
  wire               ex_inside;
  wire [31:0]        ex_insn;
  wire [31:0]        ex_old;
  wire               ex_known;

  es_pipeline #(
    .TAPS(TAPS), .TIME_W(TIME_W), .ADDR_W(ADDR_W), .WINDOW_BASE(WINDOW_BASE),
    .WINDOW_LOG2(WINDOW_LOG2), .HITQ_LOG2(HITQ_LOG2), .SPRAM(SPRAM), .COMPRESSED(COMPRESSED)
  ) pipeline (
    .clk(clk), .rst(rst),
    .rd_valid(rd_valid), .take(take), .rd_time(rd_time), .rd_core(rd_core), .rd_kind(rd_kind),
    .rd_lanes(rd_lanes), .rd_addr(rd_addr), .rd_data(rd_data),
    .look_en(look_en), .look_index(look_index), .word(phantom_word), .known(phantom_known),
    .data_hit(data_hit), .data_lock(data_lock), .fetch_hit(fetch_hit),
    .store_en(store_en), .store_known(store_known), .store_lanes(store_lanes),
    .store_index(store_index), .store_data(store_data),
    .port_busy(cpu_near), .port_conflict(port_conflict),
    .lock(lock), .unlock(unlock), .hold(clearing), .pause(pause), .read_hits(read_hits),
    .locked(locked),
    .empty(pipeline_empty), .lost(lost),
    .hit_free(hit_free), .hit_push(hit_push),
    .hit_kind(hit_in[1:0]), .hit_lanes(hit_in[5:2]), .hit_old_known(hit_in[6]),
    .hit_locked(hit_in[7]), .hit_core(hit_in[10:8]), .hit_time(hit_in[42:11]),
    .hit_new(hit_in[74:43]), .hit_old(hit_in[106:75]), .hit_addr(hit_in[107 +: ADDR_W-1]),
    .hit_pc(hit_in[HIT_W-2 -: ADDR_W-1]), .hit_dynamic(hit_in[HIT_W-1]),
    .ex(ex), .ex_inside(ex_inside), .ex_insn(ex_insn), .ex_old(ex_old), .ex_known(ex_known)
  );

  es_phantom #(
    .WORDS_LOG2(INDEX_W), .SPRAM(SPRAM), .SWEEP(SWEEP), .BANK_LOG2(BANK_LOG2)
  ) phantom (
    .clk(clk),
    .cpu_near(cpu_near), .cpu_write(phantom_write), .cpu_lanes(cpu_lanes), .cpu_index(cpu_index),
    .cpu_write_index(cpu_write_index), .cpu_data(cpu_wdata),
    .store_en(store_en), .store_known(store_known), .store_lanes(store_lanes),
    .store_index(store_index), .store_data(store_data),
    .look_en(look_en), .look_index(look_index), .clear_en(clear_en), .clear_index(clear_index),
    .word(phantom_word), .known(phantom_known)
  );

  generate
    if (MONITOR != 0) begin : armed
      es_planes #(.WORDS_LOG2(INDEX_W), .SWEEP(SWEEP), .COMPRESSED(COMPRESSED)) planes (
        .clk(clk),
        .cpu_near(cpu_near), .cpu_data_write(data_write), .cpu_fetch_write(fetch_write),
        .cpu_index(cpu_index), .cpu_write_index(cpu_write_index),
        .cpu_bits(cpu_wdata[1:0]), .cpu_upper(cpu_wdata[16]), .cpu_halves({cpu_lanes[2], cpu_lanes[0]}),
        .look_en(look_en), .look_index(look_index),
        .clear_en(clear_en), .clear_index(clear_index),
        .data_hit(data_hit), .data_lock(data_lock), .fetch_hit(fetch_hit)
      );
    end else begin : not_armed
      assign data_hit  = 1'b0;
      assign data_lock = 1'b0;
      assign fetch_hit = 2'd0;
      wire unused_planes = &{1'b0, data_write, fetch_write};
    end
  endgenerate

  always @(posedge clk) begin
    if (clear) begin
      clearing    <= 1'b1;
      clear_index <= 0;
    end else if (clear_en) begin
      clear_index <= clear_follower;
      if (clear_follower == 0) clearing <= 1'b0;
    end
    if (rst) clearing <= 1'b0;
  end

  wire               unused_dynamic = &{1'b0, hit_head[HIT_W-1]}; // es_dispatch's
  wire               queue_valid;
  wire               queue_pop;
  wire [HIT_W-1:0]   queue_head;

  wire        row_write;
  wire [7:0]  row_index;
  wire [15:0] row_data;
  wire [31:0] queue_cell;
  wire        queue_done;
  wire [31:0] hit_cell;

  generate
    if (MONITOR != 0) begin : hits
      es_hitq #(.WIDTH(HIT_W), .LOG2(HITQ_LOG2)) hitq (
        .clk(clk), .rst(rst), .push(hit_push), .push_data(hit_in), .free(hit_free),
        .pop(queue_pop), .valid(queue_valid), .head(queue_head)
      );

      es_dispatch #(.ADDR_W(ADDR_W)) dispatch (
        .clk(clk_soc), .rst(rst),
        .row_write(row_write), .row_index(row_index), .row_data(row_data),
        .hit_valid(queue_valid), .hit_pop(queue_pop), .hit_kind(queue_head[1:0]),
        .hit_lanes(queue_head[5:2]), .hit_old_known(queue_head[6]), .hit_old(queue_head[106:75]),
        .hit_dynamic(queue_head[HIT_W-1]), .hit_addr(queue_head[107 +: ADDR_W-1]),
        .hit_cell(queue_cell), .done(queue_done)
      );
    end else begin : no_hits
      assign hit_free    = {1'b1, {HITQ_LOG2{1'b0}}}; // always room: epoch marks go nowhere
      assign queue_valid = 1'b0;
      assign queue_head  = {HIT_W{1'b0}};
      assign queue_cell  = 32'd0;
      assign queue_done  = 1'b0;
      wire unused_hits = &{1'b0, hit_push, hit_in, queue_pop, row_write, row_index, row_data};
    end
  endgenerate

  // ---- registers, soft core, link ----
  wire        by_core;
  wire [6:0]  reg_offset;
  wire        reg_high;
  wire        reg_read;
  wire        reg_write;
  wire [31:0] reg_wdata;
  wire [31:0] reg_rdata;
  wire        recording;
  wire        rec_calm;
  wire        rec_idle;
  wire        rec_flush;
  wire        rec_valid;
  wire [7:0]  rec_byte;
  wire        rec_last;
  wire        rec_ready;
  wire        beyond = RECORDER != 0 && reg_high; // of es_regs
  wire        unknown_read;
  wire        ev_push;
  wire [31:0] ev_data;
  wire        ev_end;
  wire [15:0] ev_room;
  wire [31:0] rx_bad;
  wire        mail_full;
  wire        cpu_run;
  wire        cpu_awake;
  wire        soc_quiet;
  wire        ld_req;
  wire        ld_write;
  wire [31:0] ld_addr;
  wire [31:0] ld_wdata;
  wire        ld_ack;
  wire [31:0] ld_rdata;
  wire        link_idle;
  wire        hit_drop;
  wire        track;
  wire        track_nodes;
  wire        next_asked;
  wire        tracked;
  wire        answer;
  wire        may;
  wire [31:0] next_cell;
  wire        hit_wakes;
  wire        tracker_rests;
  wire        reg_written;
  wire [4:0]  reg_number;
  wire [31:0] reg_value;
  wire        put;
  wire [4:0]  put_number;
  wire [31:0] put_value;
  wire        track_read;
  wire [MEM_LOG2-3:0] track_index;
  wire [31:0] track_data;
  wire        track_at_work;
  wire        track_node_near;
  wire        track_node;
  wire [MEM_LOG2-3:0] track_node_index;
  wire [31:0] track_node_data;
  wire        track_write;
  wire [MEM_LOG2-3:0] track_write_index;
  wire [31:0] track_write_data;
  wire        set_pulses;
  wire        set_halt;
  wire        outputs_calm;
  wire [31:0] time_now;

  es_regs #(
    .TAPS(TAPS), .FIFO_LOG2(FIFO_LOG2), .WINDOW_BASE(WINDOW_BASE), .WINDOW_LOG2(WINDOW_LOG2),
    .MEM_LOG2(MEM_LOG2), .TIME_W(TIME_W), .TARGET_ADDR_W(TARGET_ADDR_W),
    .TARGET_DATA_W(TARGET_DATA_W), .TARGET_BIG_ENDIAN(TARGET_BIG_ENDIAN),
    .FETCHES(FETCHES), .COMPRESSED(COMPRESSED), .MARKS(MARKS), .READ_HITS(MONITOR != 0 ? READ_HITS : 0),
    .OUTPUTS(OUTPUTS), .TIME_NOW(TIME_NOW), .TRACKER(TRACKER), .RECORDER(RECORDER),
    .MONITOR(MONITOR)
  ) regs (
    .clk(clk_soc), .clk_fifo(clk), .rst(rst),
    .rd(reg_read && !beyond), .wr(reg_write && !beyond), .by_core(by_core), .offset(reg_offset),
    .wdata(reg_wdata), .rdata(reg_rdata),
    .hit_valid(hit_valid), .hit_kind(hit_head[1:0]), .hit_lanes(hit_head[5:2]),
    .hit_old_known(hit_head[6]), .hit_locked(hit_head[7]), .hit_core(hit_head[10:8]),
    .hit_time(hit_head[42:11]), .hit_new(hit_head[74:43]), .hit_old(hit_head[106:75]),
    .hit_addr({{(32 - ADDR_W){1'b0}}, hit_head[107 +: ADDR_W-1], 1'b0}),
    .hit_pc({{(32 - ADDR_W){1'b0}}, hit_head[HIT_W-2 -: ADDR_W-1], 1'b0}),
    .hit_cell(hit_cell), .hit_drop(hit_drop), .hit_pop(hit_pop),
    .track(track), .track_nodes(track_nodes),
    .locked(locked), .lock(lock), .unlock(unlock), .clear(clear), .clearing(clearing),
    .read_hits(read_hits), .set_pulses(set_pulses), .set_halt(set_halt), .time_now(time_now),
    .unknown_read(unknown_read), .lost(lost), .fifo_level(fifo_level),
    .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end), .ev_room(ev_room), .rx_bad(rx_bad),
    .mail_full(mail_full), .cpu_run(cpu_run), .cpu_awake(cpu_awake)
  );

  es_soc #(
    .MONITOR(MONITOR), .MEM_LOG2(MEM_LOG2), .WINDOW_LOG2(WINDOW_LOG2), .SPRAM(SPRAM),
    .TRACKER(TRACKER)
  ) soc (
    .clk(clk_soc), .rst(rst), .clk_cpu(clk_cpu), .run(cpu_run), .wake(hit_wakes || mail_full),
    .next_asked(next_asked), .tracked(tracked), .answer(answer), .hit_cell(next_cell), .may(may),
    .reg_written(reg_written), .reg_number(reg_number), .reg_value(reg_value),
    .put(put), .put_number(put_number), .put_value(put_value),
    .track_read(track_read), .track_index(track_index), .track_data(track_data),
    .track_at_work(track_at_work), .track_node_near(track_node_near), .track_node(track_node),
    .track_node_index(track_node_index), .track_node_data(track_node_data),
    .track_write(track_write), .track_write_index(track_write_index),
    .track_write_data(track_write_data),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .cpu_awake(cpu_awake), .quiet(soc_quiet),
    .ld_req(ld_req), .ld_write(ld_write), .ld_addr(ld_addr), .ld_wdata(ld_wdata),
    .ld_ack(ld_ack), .ld_rdata(ld_rdata),
    .reg_read(reg_read), .reg_write(reg_write), .by_core(by_core), .reg_offset(reg_offset),
    .reg_high(reg_high), .reg_wdata(reg_wdata),
    .reg_rdata(reg_rdata | {31'd0, reg_read && beyond && reg_offset == 7'd0 && recording}),
    .row_write(row_write), .row_index(row_index), .row_data(row_data),
    .array_near(cpu_near), .array_calm(cpu_calm), .array_index(cpu_index),
    .phantom_write(phantom_write), .data_write(data_write), .fetch_write(fetch_write),
    .array_write_index(cpu_write_index),
    .array_lanes(cpu_lanes), .array_wdata(cpu_wdata), .unknown_read(unknown_read),
    .phantom_word(phantom_word), .phantom_known(phantom_known),
    .plane_bits({fetch_hit, data_lock, data_hit})
  );

  // ---- the tracker: what it deals with never comes to the soft core ----
  // The next hit's cell is looked up while it is at work: so it has a place of its own for a hit.
  generate
    if (TRACKER != 0) begin : tracks
      reg              taken;
      reg [HIT_W-1:0]  head;
      reg [31:0]       head_cell;
      wire             ready;
      wire             busy;
      wire             next = queue_valid && queue_done && !taken;

      assign hit_valid = taken;
      assign hit_head  = head;
      assign hit_cell  = taken ? head_cell : 32'd0;
      assign queue_pop = next;
      assign answer    = !busy && (taken || !queue_valid);
      assign next_cell = taken && ready ? head_cell : 32'd0;
      assign hit_wakes = tracked ? taken && !busy : taken;
      assign tracker_rests = !busy && !queue_valid && !next_asked;

      always @(posedge clk_soc) begin
        if (next) begin
          head      <= queue_head;
          head_cell <= queue_cell;
        end
        taken <= next || taken && !hit_pop && !hit_drop;
        if (rst) taken <= 1'b0;
      end

      es_tracker #(.ADDR_W(ADDR_W), .MEM_LOG2(MEM_LOG2)) tracker (
        .clk(clk_soc), .rst(rst), .on(track), .nodes(track_nodes),
        .hit_valid(taken), .hit_kind(head[1:0]), .hit_lanes(head[5:2]), .hit_old_known(head[6]),
        .hit_old(head[106:75]), .hit_new(head[74:43]), .hit_addr(head[107 +: ADDR_W-1]),
        .hit_pc(head[HIT_W-2 -: ADDR_W-1]), .hit_cell(head_cell), .hit_pop(hit_pop),
        .drop(hit_drop),
        .coming(next), .coming_kind(queue_head[1:0]), .coming_old_known(queue_head[6]),
        .coming_old(queue_head[106:75]), .coming_cell(queue_cell),
        .may(may), .reg_write(reg_written), .reg_number(reg_number), .reg_value(reg_value),
        .put(put), .put_number(put_number), .put_value(put_value), .busy(busy),
        .at_work(track_at_work), .ready(ready),
        .rd_en(track_read), .rd_index(track_index), .rd_data(track_data),
        .node_near(track_node_near), .node_en(track_node), .node_index(track_node_index),
        .node_data(track_node_data),
        .wr_en(track_write), .wr_index(track_write_index), .wr_data(track_write_data)
      );
    end else begin : no_tracker
      assign hit_valid = queue_valid;
      assign hit_head  = queue_head;
      assign hit_cell  = queue_cell;
      assign queue_pop = hit_pop;
      assign hit_drop  = 1'b0;
      assign answer    = 1'b1;
      assign next_cell = 32'd0;
      assign hit_wakes = queue_valid;
      assign tracker_rests = 1'b1;
      assign put = 1'b0;
      assign put_number = 5'd0;
      assign put_value = 32'd0;
      assign track_read = 1'b0;
      assign track_index = {(MEM_LOG2 - 2){1'b0}};
      assign track_at_work = 1'b0;
      assign track_node_near = 1'b0;
      assign track_node = 1'b0;
      assign track_node_index = {(MEM_LOG2 - 2){1'b0}};
      assign track_write = 1'b0;
      assign track_write_index = {(MEM_LOG2 - 2){1'b0}};
      assign track_write_data = 32'd0;
      wire unused_tracker = &{1'b0, queue_done, next_asked, tracked, may, reg_written, reg_number,
                              reg_value, track, track_nodes, track_data, track_node_data};
    end
  endgenerate

  // ---- the recorder ----
  generate
    if (RECORDER != 0) begin : records
      wire       rec_put;
      wire [7:0] rec_put_byte;
      wire       tight;
      wire       drained;
      wire       active;

      es_recorder #(.ADDR_W(ADDR_W), .COMPRESSED(COMPRESSED)) recorder (
        .clk(clk), .rst(rst), .clk_soc(clk_soc),
        .wr(reg_write && reg_high), .offset(reg_offset[6:2]), .wdata(reg_wdata), .recording(recording),
        .active(active), .ex(ex), .ex_kind(hit_in[1:0]), .ex_lanes(hit_in[5:2]), .ex_place(hit_in[107 +: ADDR_W-1]),
        .ex_inside(ex_inside), .ex_data(store_data), .ex_insn(ex_insn), .ex_old(ex_old), .ex_known(ex_known),
        .ex_time(hit_in[42:11]), .ex_coming(!pipeline_empty), .pause(pause),
        .put(rec_put), .put_byte(rec_put_byte), .flush(rec_flush), .tight(tight), .drained(drained),
        .calm(rec_calm)
      );

      es_recorder_frames #(.LOG2(RECORD_LOG2)) frames (
        .clk(clk), .rst(rst), .put(rec_put), .put_byte(rec_put_byte), .tight(tight),
        .clk_link(clk_link), .flush(rec_flush), .active(active), .drained(drained),
        .idle(rec_idle), .rec_valid(rec_valid), .rec_byte(rec_byte), .rec_last(rec_last),
        .rec_ready(rec_ready)
      );
    end else begin : no_records
      assign pause     = 1'b0;
      assign recording = 1'b0;
      assign rec_calm  = 1'b1;
      assign rec_idle  = 1'b1;
      assign rec_flush = 1'b0;
      assign rec_valid = 1'b0;
      assign rec_byte  = 8'd0;
      assign rec_last  = 1'b0;
      wire unused_records = &{1'b0, RECORD_LOG2[31:0], ex, ex_inside, ex_insn, ex_old, ex_known, rec_ready, reg_high};
    end
  endgenerate

  // ---- pins, and the tap's time ----
  generate
    if (OUTPUTS != 0) begin : pins
      es_outputs outputs (
        .clk(clk), .rst(rst), .set_pulses(set_pulses), .set_halt(set_halt), .wdata(reg_wdata[7:0]),
        .trigger(trigger), .halt(halt), .calm(outputs_calm)
      );
    end else begin : no_pins
      assign trigger = 8'd0;
      assign halt = 1'b0;
      assign outputs_calm = 1'b1;
    end
    if (TIME_NOW != 0) begin : clock
      es_time_now now (
        .clk_tap(clk_tap), .tap_time(tap_time), .clk(clk_soc), .time_now(time_now)
      );
    end else begin : no_clock
      assign time_now = 32'd0;
      wire unused_time = &{1'b0, tap_time};
    end
  endgenerate

  es_link #(.EVQ_LOG2(EVQ_LOG2), .STEP(SPRAM == 0 ? 1 : 0), .RECORDER(RECORDER)) link (
    .clk(clk_link), .rst(rst),
    .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end), .ev_room(ev_room),
    .ld_req(ld_req), .ld_write(ld_write), .ld_addr(ld_addr), .ld_wdata(ld_wdata),
    .ld_ack(ld_ack), .ld_rdata(ld_rdata), .rx_bad(rx_bad),
    .rec_valid(rec_valid), .rec_byte(rec_byte), .rec_last(rec_last), .rec_ready(rec_ready),
    .idle(link_idle),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  assign calm[0] = fifo_still && !look_en && pipeline_empty && !clearing && !clear && !cpu_near &&
                   !lock && !unlock && !queue_pop && outputs_calm && !set_pulses && !set_halt && rec_calm;
  assign calm[1] = soc_quiet && !hit_valid && tracker_rests && !mail_full && !ev_push && !ev_end;
  assign calm[2] = link_idle && !ev_push && !ev_end && !ld_ack && rec_idle && !rec_flush;
  assign idle = fifo_settled && pipeline_empty && !hit_valid && tracker_rests && !clearing && soc_quiet &&
                link_idle && outputs_calm && rec_calm && rec_idle;
endmodule

`resetall
