`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of the lock rule on es_pipeline with everything around it free: after a locking hit there
// is no store, no look-up and no hit until `unlock`, and none is taken in its own clock; a record is executed exactly once for each
// that is taken; the hit queue is never pushed without a free place.
module lock_proof #(
  parameter SPRAM = 0
) (
  input wire        clk,
  input wire        rd_valid,
  input wire [1:0]  rd_kind,
  input wire [3:0]  rd_lanes,
  input wire [5:0]  rd_addr_low,
  input wire [31:0] rd_data,
  input wire [31:0] word,
  input wire        known,
  input wire        data_hit,
  input wire        data_lock,
  input wire        fetch_hit,
  input wire        port_busy,
  input wire        port_conflict_wish,
  input wire        lock,
  input wire        unlock,
  input wire        hold,
  input wire        pause,
  input wire        read_hits,
  input wire        pop
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        take, look_en, store_en, store_known, locked, empty;
  wire        hit_push, hit_old_known, hit_locked, hit_dynamic;
  wire [5:0]  look_index, store_index;
  wire [3:0]  store_lanes, hit_lanes;
  wire [31:0] store_data, lost, hit_time, hit_new, hit_old;
  wire [1:0]  hit_kind;
  wire [2:0]  hit_core;
  wire [13:0] hit_addr, hit_pc;
  wire        ex, ex_inside, ex_known;
  wire [31:0] ex_old;
  reg  [2:0]  held = 0; // hits in the queue
  wire [2:0]  hit_free = 3'd4 - held;

  // as in es_probe: a conflict is an access; with SPRAM every access is a conflict
  wire port_conflict = SPRAM != 0 ? port_busy : port_busy && port_conflict_wish;

  es_pipeline #(.TIME_W(8), .ADDR_W(16), .WINDOW_LOG2(8), .HITQ_LOG2(2), .SPRAM(SPRAM)) pipeline (
    .clk(clk), .rst(rst), .rd_valid(rd_valid), .take(take), .rd_time(8'd0), .rd_core(3'd0),
    .rd_kind(rd_kind), .rd_lanes(rd_lanes), .rd_addr({8'd0, rd_addr_low}), .rd_data(rd_data),
    .look_en(look_en), .look_index(look_index), .word(word), .known(known), .data_hit(data_hit),
    .data_lock(data_lock), .fetch_hit(fetch_hit), .store_en(store_en), .store_known(store_known),
    .store_lanes(store_lanes), .store_index(store_index), .store_data(store_data),
    .port_busy(port_busy), .port_conflict(port_conflict),
    .lock(lock), .unlock(unlock), .hold(hold), .pause(pause), .read_hits(read_hits), .locked(locked), .empty(empty), .lost(lost),
    .hit_free(hit_free), .hit_push(hit_push), .hit_kind(hit_kind), .hit_lanes(hit_lanes),
    .hit_old_known(hit_old_known), .hit_locked(hit_locked), .hit_core(hit_core),
    .hit_time(hit_time), .hit_dynamic(hit_dynamic),
    .hit_addr(hit_addr), .hit_new(hit_new), .hit_old(hit_old), .hit_pc(hit_pc),
    .ex(ex), .ex_inside(ex_inside), .ex_old(ex_old), .ex_known(ex_known)
  );

  reg  shut = 0; // by a locking hit, not yet unlocked
  reg  was_shut = 0;
  wire closes = hit_push && hit_locked;

  always @(posedge clk) begin
    if (!rst) begin
      if (hit_push || pop && held != 0) held <= held + hit_push - (pop && held != 0);
      if (unlock) shut <= 1'b0;
      if (closes) shut <= 1'b1;
      if (shut) was_shut <= 1'b1;

      shut_is_locked: assert (!shut || locked);
      no_store: assert (!shut || !store_en);
      no_look: assert (!shut || !look_en);
      no_hit: assert (!shut || !hit_push);
      none_behind: assert (!closes || !(SPRAM != 0 ? look_en : take));
      drained_when_shut: assert (!shut || empty);
      dynamic_locks: assert (!(hit_push && hit_dynamic) || hit_locked);
      held_in_range: assert (held <= 4);
      place_kept: assert (empty || hit_free != 0);
      room_for_hits: assert (!hit_push || hit_free != 0);
      no_look_while_busy: assert (!look_en || !port_busy);
      no_store_in_conflict: assert (!store_en || !port_conflict);
      one_port: assert (SPRAM == 0 || !(look_en && store_en));
    end
    goes_on_after_lock: cover (was_shut && !shut && store_en);
    full_queue: cover (held == 4);
  end
endmodule

`resetall
