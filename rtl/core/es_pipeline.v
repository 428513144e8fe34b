`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The fixed pipeline at the FIFO's output: look up, update the phantom, tell hits.
//
// A record is *looked up* in the clock that reads phantom memory and planes for it, and *executed*
// in the next: the word is merged, written back, and pushed to the hit queue when it is a hit. With
// SPRAM=0 it is taken from the FIFO with its look-up, and the next record is looked up in the clock
// of its execution (one per clock; a word just written is forwarded); with SPRAM=1 the memory has
// one port, records take two clocks, and are taken from the FIFO with their execution.
//
// What an executed record does:
//   write  changes its lanes of the phantom word; remembered as its core's last write; a hit when
//          the word's data or lock bit is set; locks when its lock bit is; dynamic when that is
//          all that is set
//   read   the target's memory holds what was read, so the phantom takes it over; with read_hits a
//          hit, which locks, when the word's fetch bit is set. Firmware knows which of the armed
//          words are code: a constant read from there is such a hit too
//   fetch  as a read; remembered as its core's last fetch; a hit, which locks, when the word's
//          fetch bit is set and the word's first byte is fetched: on a narrow bus an instruction
//          is several fetches, but one event. `hit_new` is the address of the core's last write then
//          With COMPRESSED a fetch is one instruction. It may begin in the word's upper half
//          (lanes 1100; if it has 32 bits, its rest is in the data's lower half, which belongs to
//          the next word and changes nothing here), and each half has a fetch bit
//   mark   goes to the hit queue as it is
// Records outside of the window change nothing but the last fetch and the last write.
//
// Known: one bit per word. A word becomes known by a write, read or fetch of all its lanes, or by
// accesses that cover its lanes one after the other with no access to another unknown word between
// (narrow buses; `part_` remembers the one word this is counted for). The bytes of an unknown
// word are stored all the same. A known word stays known.
//
// Lock: with the execution of a locking hit no record after it has been looked up, and none is
// before `unlock`; so it sees memory and planes as the firmware left them. (What was looked up in
// the very clock of that execution is as if it had not been: that a hit locks is known late in a
// clock, so only whether the record is taken hangs on it, not what is read.) A record is looked
// up only while the hit queue surely has a place for it; so execution never waits for the queue.
//
// The soft core and loader come first: `port_busy` keeps a record from its look-up, `port_conflict`
// keeps it from being executed; then its word is read again.
module es_pipeline #(
  parameter        TAPS        = 1,  // number of cores, 1 to 8
  parameter        TIME_W      = 32, // bits of time in a record
  parameter        ADDR_W      = 32, // bits of the target's byte address
  parameter [31:0] WINDOW_BASE = 0,  // target address of the window
  parameter        WINDOW_LOG2 = 16, // log2 of its bytes, at most ADDR_W
  parameter        HITQ_LOG2   = 2,
  parameter        SPRAM       = 0,
  parameter        COMPRESSED  = 0   // 1: instructions of 16 bits and in the middle of words
) (
  input  wire                   clk,
  input  wire                   rst,

  // FIFO
  input  wire                   rd_valid,
  output wire                   take,          // the FIFO goes on to the next
  input  wire [TIME_W-1:0]      rd_time,
  input  wire [2:0]             rd_core,
  input  wire [1:0]             rd_kind,
  input  wire [3:0]             rd_lanes,
  input  wire [ADDR_W-3:0]      rd_addr,
  input  wire [31:0]            rd_data,

  // phantom memory and planes
  output wire                   look_en,
  output wire [WINDOW_LOG2-3:0] look_index,
  input  wire [31:0]            word,          // of the record looked up in the clock before
  input  wire                   known,
  input  wire                   data_hit,
  input  wire                   data_lock,
  input  wire [1:0]             fetch_hit,     // upper, lower half
  output wire                   store_en,
  output wire                   store_known,
  output wire [3:0]             store_lanes,
  output wire [WINDOW_LOG2-3:0] store_index,
  output wire [31:0]            store_data,
  input  wire                   port_busy,     // memory and planes are used by another now
  input  wire                   port_conflict, // ... in a way that leaves no place for a store

  // control
  input  wire                   lock,          // pulses; a locking hit in the same clock wins
  input  wire                   unlock,
  input  wire                   hold,          // clearing: take nothing, forget the half known word
  input  wire                   pause,         // the recorder has no place for another: take nothing
  input  wire                   read_hits,     // reads of words with the fetch bit are hits
  output reg                    locked,
  output wire                   empty,         // no record in the pipeline
  output reg  [31:0]            lost,          // sum of all MARK_GAP_FIRST, saturating

  // hit queue
  input  wire [HITQ_LOG2:0]     hit_free,
  output wire                   hit_push,
  output wire [1:0]             hit_kind,
  output wire [3:0]             hit_lanes,
  output wire                   hit_old_known,
  output wire                   hit_locked,
  output wire                   hit_dynamic,
  output wire [2:0]             hit_core,
  output wire [31:0]            hit_time,
  output wire [ADDR_W-2:0]      hit_addr,      // in halves of words; of fetches alone odd ones
  output wire [31:0]            hit_new,
  output wire [31:0]            hit_old,
  output wire [ADDR_W-2:0]      hit_pc,        // a fetch: 4 bytes before the last one's end

  // what is executed, for the recorder: beside these, hit_kind to hit_addr and store_data
  output wire                   ex,
  output wire                   ex_inside,
  output wire [31:0]            ex_insn,       // of a fetch: what begins at its first byte
  output wire [31:0]            ex_old,
  output wire                   ex_known       // ex_old was
);
  localparam INDEX_W = WINDOW_LOG2 - 2;
  localparam CORE_W = TAPS > 4 ? 3 : TAPS > 2 ? 2 : 1;
  localparam [31:0] KIND_READ = `ES_KIND_READ;
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE;
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;
  localparam [31:0] KIND_MARK = `ES_KIND_MARK;
  localparam [31:0] MARK_EPOCH = `ES_MARK_EPOCH;
  localparam [31:0] MARK_GAP_FIRST = `ES_MARK_GAP_FIRST;
  localparam [31:0] NO_WRITE = `ES_HIT_NO_WRITE;
  localparam [31:0] MARK_GAP_LAST = `ES_MARK_GAP_LAST;

  initial begin
    if (WINDOW_LOG2 > ADDR_W || WINDOW_BASE[WINDOW_LOG2-1:0] != 0) begin
      $error("es_pipeline: illegal window");
    end
  end

  wire rd_inside;
  generate
    if (ADDR_W > WINDOW_LOG2) begin : compare
      assign rd_inside = rd_addr[ADDR_W-3:INDEX_W] == WINDOW_BASE[ADDR_W-1:WINDOW_LOG2];
    end else begin : everything
      assign rd_inside = 1'b1;
    end
  endgenerate

  // ---- the record that was looked up ----
  reg                valid;
  reg                fresh;    // memory's outputs belong to it
  wire               looks;    // the next record is looked up
  wire               start;    // ... and taken
  wire               in_window;
  wire [TIME_W-1:0]  stamp;
  wire [2:0]         core;
  wire [1:0]         kind;
  wire [3:0]         lanes;
  wire [ADDR_W-3:0]  addr;
  wire [31:0]        data;
  wire               forward;  // the record before it wrote the same word:
  wire               forward_known;
  wire [31:0]        forward_word;

  wire [INDEX_W-1:0] index = addr[INDEX_W-1:0];
  wire               is_read = kind == KIND_READ[1:0];
  wire               is_write = kind == KIND_WRITE[1:0];
  wire               is_fetch = kind == KIND_FETCH[1:0];
  wire               is_mark = kind == KIND_MARK[1:0];
  wire               is_gap = is_mark && (lanes == MARK_GAP_FIRST[3:0] ||
                                          lanes == MARK_GAP_LAST[3:0]);

  wire execute = valid && fresh && !port_conflict;
  wire again = valid && !fresh && !port_busy;

  // ---- execution ----
  wire [31:0] old = forward ? forward_word : word;
  wire        old_known = forward ? forward_known : known;
  wire [31:0] merged;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : merge
      assign merged[8*g +: 8] = lanes[g] || is_mark ? data[8*g +: 8] :
                                in_window ? old[8*g +: 8] : 8'd0;
    end
  endgenerate

  reg  [INDEX_W-1:0] part_index;
  reg  [3:0]         part_lanes;
  wire [3:0]         covered = lanes | (part_index == index ? part_lanes : 4'd0);
  wire               new_known = old_known || &covered;

  wire upper = COMPRESSED != 0 && is_fetch && lanes[2:0] == 3'b100; // begins in the upper half
  wire fetch_locks = is_fetch && (lanes[0] && fetch_hit[0] || upper && fetch_hit[1]);
  wire locks = in_window && (is_write && data_lock || fetch_locks ||
                             is_read && read_hits && fetch_hit[0]);
  wire hit = is_mark || locks || in_window && is_write && data_hit;

  assign store_en    = execute && in_window && !is_mark;
  assign store_known = &covered; // one that is known already stays so, and its bit is late
  assign store_lanes = lanes;
  assign store_index = index;
  assign store_data  = data;

  always @(posedge clk) begin
    if (store_en && !new_known) begin
      part_index <= index;
      part_lanes <= covered;
    end
    if (hold) part_lanes <= 0; // as what is known outlives a reset, this may too
  end

  // ---- looking up the next ----
  wire hit_room = valid ? hit_free > 1 : hit_free != 0;
  wire free = SPRAM != 0 ? !valid : !valid || execute;

  assign looks      = rd_valid && free && hit_room && !locked && !hold && !pause && !port_busy;
  assign start      = SPRAM != 0 ? looks : looks && !(valid && locks);
  assign look_en    = looks || again;
  // (Whatever it is while there is no look. Where port_busy comes late, it does not decide it.)
  assign look_index = (SPRAM != 0 ? again : valid && !fresh) ? index : rd_addr[INDEX_W-1:0];
  assign empty      = !valid;

  generate
    if (SPRAM != 0) begin : at_fifo
      // A record takes two clocks: it stays at the FIFO's output for both.
      assign take      = execute;
      assign in_window = rd_inside;
      assign stamp     = rd_time;
      assign core      = rd_core;
      assign kind      = rd_kind;
      assign lanes     = rd_lanes;
      assign addr      = rd_addr;
      assign data      = rd_data;
      assign forward   = 1'b0;
      assign forward_known = 1'b0;
      assign forward_word  = 32'd0;
    end else begin : copied
      reg               taken_inside;
      reg  [TIME_W-1:0] taken_time;
      reg  [2:0]        taken_core;
      reg  [1:0]        taken_kind;
      reg  [3:0]        taken_lanes;
      reg  [ADDR_W-3:0] taken_addr;
      reg  [31:0]       taken_data;
      reg               same_word;
      reg               last_known;
      reg  [31:0]       last_word;

      assign take      = start;
      assign in_window = taken_inside;
      assign stamp     = taken_time;
      assign core      = taken_core;
      assign kind      = taken_kind;
      assign lanes     = taken_lanes;
      assign addr      = taken_addr;
      assign data      = taken_data;
      assign forward   = same_word;
      assign forward_known = last_known;
      assign forward_word  = last_word;

      always @(posedge clk) begin
        if (looks) begin // without a take they are nobody's
          taken_inside <= rd_inside;
          taken_time   <= rd_time;
          taken_core   <= rd_core;
          taken_kind   <= rd_kind;
          taken_lanes  <= rd_lanes;
          taken_addr   <= rd_addr;
          taken_data   <= rd_data;
          last_word    <= merged;
          last_known   <= new_known;
        end
        if (take || port_conflict) begin
          same_word <= take && store_en && rd_addr[INDEX_W-1:0] == index;
        end
      end
    end
  endgenerate

  always @(posedge clk) begin
    valid <= start || valid && !execute;
    fresh <= start || again || fresh && !port_conflict;
    if (unlock) locked <= 1'b0;
    if (lock || execute && locks) locked <= 1'b1;
    if (rst) begin
      valid  <= 1'b0;
      fresh  <= 1'b0;
      locked <= 1'b0;
    end
  end

  // ---- per core: the last fetch and the last write ----
  reg  [ADDR_W-2:0]      fetch_addr [0:(1 << CORE_W)-1];
  reg  [31:0]            fetch_word [0:(1 << CORE_W)-1];
  reg  [(1<<CORE_W)-1:0] fetch_known;
  reg  [ADDR_W-3:0]      write_addr [0:(1 << CORE_W)-1];
  reg  [(1<<CORE_W)-1:0] write_known;
  wire [CORE_W-1:0]      who = core[CORE_W-1:0];
  wire [ADDR_W-2:0]      place = {addr, upper};
  wire [31:0]            insn; // as evidence of flow: interface/rv32.def
  wire [ADDR_W-2:0]      fetch_site; // of the last fetch

  generate
    if (COMPRESSED != 0) begin : expanded
      // A return address is 4 bytes after the site of a call, whatever the call's size.
      reg [ADDR_W-2:0] site [0:(1 << CORE_W)-1];

      assign ex_insn = upper ? {data[15:0], data[31:16]} : merged;
      es_expand expand (.fetched(ex_insn), .insn(insn));
      always @(posedge clk) begin
        if (execute && is_fetch) site[who] <= place - {{(ADDR_W - 2){1'b0}}, !insn[1]};
      end
      assign fetch_site = site[who];
    end else begin : whole
      assign ex_insn = merged;
      assign insn = merged;
      assign fetch_site = fetch_addr[who];
    end
  endgenerate

  always @(posedge clk) begin
    if (execute && is_fetch) begin
      fetch_addr[who] <= place;
      fetch_word[who] <= insn;
    end
    if (execute && is_write) begin
      write_addr[who]  <= addr;
      write_known[who] <= 1'b1;
    end
    if (execute && is_fetch) fetch_known[who] <= 1'b1;
    // what was fetched or written last before a loss is no evidence after it
    if (rst || execute && is_gap) begin
      fetch_known <= 0;
      write_known <= 0;
    end
  end

  // ---- marks ----
  reg  [31:0] epoch; // the last MARK_EPOCH's data: time >> TIME_W
  wire        is_epoch = is_mark && lanes == MARK_EPOCH[3:0];
  wire [31:0] epoch_now = is_epoch ? data : epoch;
  wire [32:0] lost_sum = {1'b0, lost} + {1'b0, data};

  always @(posedge clk) begin
    if (execute) epoch <= epoch_now;
    if (execute && is_mark && lanes == MARK_GAP_FIRST[3:0]) begin
      lost <= lost_sum[32] ? 32'hFFFFFFFF : lost_sum[31:0];
    end
    if (rst) begin
      epoch <= 0;
      lost  <= 0;
    end
  end

  // ---- hit ----
  wire [31:0] last_write = write_known[who] ? {{(32 - ADDR_W){1'b0}}, write_addr[who], 2'd0} :
                           NO_WRITE;

  assign hit_push      = execute && hit;
  assign hit_kind      = kind;
  assign hit_lanes     = lanes;
  assign hit_old_known = is_mark || is_fetch ? fetch_known[who] : old_known;
  assign hit_locked    = locks && !is_mark;
  assign hit_core      = core;
  assign hit_time      = (epoch_now << TIME_W) | {{(32 - TIME_W){1'b0}}, stamp};
  assign hit_addr      = place;
  assign hit_dynamic   = is_write && !data_hit;
  assign hit_new       = is_epoch ? data >> (32 - TIME_W) : is_fetch ? last_write : merged;
  assign hit_old       = is_fetch ? fetch_word[who] : old;
  assign hit_pc        = is_fetch ? fetch_site : fetch_addr[who];

  assign ex        = execute;
  assign ex_inside = in_window;
  assign ex_old    = old;
  assign ex_known  = old_known;

  wire unused = &{1'b0, core};
endmodule

`resetall
