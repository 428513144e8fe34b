`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Transactions in, FIFO records out: time stamps, merge of the taps, marks, exact loss count.
//
// Time counts clocks of this domain from 0 in the first clock after reset, in 56 bits (47 years at
// 48 MHz). Records carry its low TIME_W bits; the rest is the epoch. A MARK_EPOCH record stands
// before the first record of every epoch but the first, with the new epoch number as its data and
// 0 as its time.
//
// All taps' transactions of one clock form a row. Rows wait in a queue of QUEUE places; its head is
// written to the FIFO one record per clock, lower core numbers first, so the order is exact. A wrap
// of the time is a flag on a row (which may have no transactions).
//
// Loss: a row that finds the queue full (because the FIFO is, or because several taps bring more
// than one transaction per clock for too long) is dropped, and so is everything after it until the
// queue has drained and half of the FIFO is free. Then MARK_GAP_FIRST (time of the first lost
// transaction; data: how many, saturating) and MARK_GAP_LAST (time of the last; data: whose, a bit
// for each core, 0 with one) are written, with MARK_EPOCH before either where its epoch is new;
// transactions of those clocks wait in the queue. No mark ever competes with transactions for the
// last places. (Marks of the program are transactions of es_tap_mark here.)
//
// A tap that has missed an access says so by a transaction of KIND_MARK with MARK_GAP_FIRST in its
// lanes: its row, and what comes after it, are lost like one that finds the queue full. In the few
// clocks in which marks are written this waits until they are, and so the loss's times are up to
// four clocks late then; the place among the records is right.
module es_capture #(
  parameter TAPS      = 1,  // number of taps, 1 to 8; without PER_TAP, tap i is core i
  // So many taps in a row are one: transactions of one core in one clock, the first one first
  parameter PER_TAP   = 1,
  parameter TIME_W    = 32, // bits of time in a record, 8 to 32
  parameter ADDR_W    = 32, // bits of the target's byte address, 16 to 32
  parameter FIFO_LOG2 = 8,  // log2 of the FIFO's records, 5 or more
  // Rows that wait while marks are written: 4, or 2 where transactions are at least two clocks
  // apart
  parameter QUEUE     = 4,
  parameter MISSES    = 1   // 0: no tap ever tells that it has missed an access
) (
  input  wire                clk,
  input  wire                rst,

  input  wire [TAPS-1:0]     tx_valid,
  input  wire [2*TAPS-1:0]   tx_kind,
  input  wire [32*TAPS-1:0]  tx_addr,
  input  wire [32*TAPS-1:0]  tx_data,
  input  wire [4*TAPS-1:0]   tx_lanes,

  output wire [31:0]         time_low, // of this clock

  input  wire [FIFO_LOG2:0]  wr_room,
  output reg                 wr_en,
  output reg  [TIME_W-1:0]   wr_time,
  output reg  [2:0]          wr_core,
  output reg  [1:0]          wr_kind,
  output reg  [3:0]          wr_lanes,
  output reg  [ADDR_W-3:0]   wr_addr,
  output reg  [31:0]         wr_data
);
  initial begin
    if (TAPS < 1 || TAPS > 8 || TAPS % PER_TAP != 0 || TIME_W < 8 || TIME_W > 32 || ADDR_W < 16 || ADDR_W > 32 ||
        FIFO_LOG2 < 5 || QUEUE < 2) $error("es_capture: illegal parameter");
  end

  localparam CORES = TAPS / PER_TAP;
  localparam EPOCH_W = 56 - TIME_W;
  localparam WORD_W = ADDR_W - 2; // bits of an address in words
  localparam MARK_W = EPOCH_W > 32 ? 32 : EPOCH_W; // epoch bits that fit a mark's data
  localparam [31:0] KIND_MARK = `ES_KIND_MARK;
  localparam [31:0] MARK_EPOCH = `ES_MARK_EPOCH;
  localparam [31:0] MARK_GAP_FIRST = `ES_MARK_GAP_FIRST;
  localparam [31:0] MARK_GAP_LAST = `ES_MARK_GAP_LAST;

  wire unused = &{1'b0, tx_addr, time_full}; // only part of them is needed

  // ---- time ----
  reg [TIME_W-1:0]  now;
  reg [MARK_W-1:0]  epoch;
  reg               last;     // last clock of an epoch, found out in the clock before it
  reg               wrapped;  // first clock of a new epoch
  wire              wrap_near = &now[TIME_W-1:4];

  always @(posedge clk) begin
    now     <= now + 1'b1;
    last    <= &now[TIME_W-1:1] && !now[0];
    wrapped <= last;
    if (last) epoch <= epoch + 1'b1;
    if (rst) begin
      now     <= 0;
      epoch   <= 0;
      last    <= 1'b0;
      wrapped <= 1'b0;
    end
  end

  wire [MARK_W+TIME_W-1:0] time_full = {epoch, now};
  assign time_low = time_full[31:0];

  // ---- the arriving row ----
  wire       arrives = |tx_valid;
  reg  [3:0] arrivals;
  wire [WORD_W*TAPS-1:0] addr_in;
  genvar g;
  generate
    for (g = 0; g < TAPS; g = g + 1) begin : pack
      assign addr_in[WORD_W*g +: WORD_W] = tx_addr[32*g+2 +: WORD_W];
    end
  endgenerate

  integer n;
  always @* begin
    arrivals = 0;
    for (n = 0; n < TAPS; n = n + 1) arrivals = arrivals + {3'd0, tx_valid[n]};
  end

  // ---- what a tap has missed ----
  wire [TAPS-1:0] tap_misses;
  wire            misses = |tap_misses;
  reg             owes;         // missed, or lost after that, while marks are written
  reg  [5:0]      owed;         // how many
  reg  [TAPS-1:0] owed_taps;    // whose
  wire            missing = misses || owes;
  wire            misses_now = missing && in_rows;
  generate
    for (g = 0; g < TAPS; g = g + 1) begin : miss
      assign tap_misses[g] = MISSES != 0 && tx_valid[g] && tx_kind[2*g +: 2] == KIND_MARK[1:0] &&
                             tx_lanes[4*g +: 4] == MARK_GAP_FIRST[3:0];
    end
  endgenerate

  always @(posedge clk) begin
    owes <= missing && !in_rows;
    owed <= !in_rows && missing ? owed + {2'd0, arrivals} : 6'd0;
    owed_taps <= !in_rows && missing ? owed_taps | tx_valid : {TAPS{1'b0}};
    if (rst || MISSES == 0) begin
      owes      <= 1'b0;
      owed      <= 6'd0;
      owed_taps <= {TAPS{1'b0}};
    end
  end

  // ---- row queue: a shift register, head in place 0 ----
  reg  [TIME_W-1:0]  row_time [0:QUEUE-1];
  reg  [2*TAPS-1:0]  row_kind [0:QUEUE-1];
  reg  [4*TAPS-1:0]  row_lanes [0:QUEUE-1];
  reg  [WORD_W*TAPS-1:0] row_addr [0:QUEUE-1];
  reg  [32*TAPS-1:0] row_data [0:QUEUE-1];
  reg  [TAPS-1:0]  row_taps [0:QUEUE-1]; // transactions of the row still to write
  reg  [QUEUE-1:0] row_wraps;            // MARK_EPOCH still to write before them
  reg  [QUEUE-1:0] row_valid;
  wire             pop;
  wire             full = row_valid[QUEUE-1]; // whether one leaves in this clock is known too late
  reg              dropping;
  wire             may_push = (arrives || wrapped) && !dropping && !missing;
  wire             push = may_push && !full;
  wire             head_done_wrap;
  wire [TAPS-1:0]  head_taps_next;

  // A place that is free or becomes so loads what comes next, if anything does; row_valid tells
  // what counts.
  wire [QUEUE-1:0] load = (arrives || wrapped ? {QUEUE{1'b1}} : {QUEUE{1'b0}}) | row_valid >> 1;

  // What comes goes after the last one: where the place before is taken. The last place, when it is
  // taken, gets none: full. (No place is looked for once it is known whether one leaves.)
  wire [QUEUE-1:0] added = may_push ? {row_valid[QUEUE-2:0], 1'b1} : {QUEUE{1'b0}};
  wire [QUEUE-1:0] added_pop = may_push ? {1'b0, row_valid[QUEUE-2:0]} |
                                          {{(QUEUE-1){1'b0}}, 1'b1} : {QUEUE{1'b0}};

  integer q;
  always @(posedge clk) begin
    row_valid <= pop ? row_valid >> 1 | added_pop : row_valid | added;
    for (q = 0; q < QUEUE; q = q + 1) begin
      if (load[q] && (pop || !row_valid[q])) begin
        if (q < QUEUE - 1 && row_valid[(q + 1) % QUEUE]) begin
          row_time[q]  <= row_time[(q + 1) % QUEUE];
          row_kind[q]  <= row_kind[(q + 1) % QUEUE];
          row_lanes[q] <= row_lanes[(q + 1) % QUEUE];
          row_addr[q]  <= row_addr[(q + 1) % QUEUE];
          row_data[q]  <= row_data[(q + 1) % QUEUE];
          row_taps[q]  <= row_taps[(q + 1) % QUEUE];
          row_wraps[q] <= row_wraps[(q + 1) % QUEUE];
        end else begin
          row_time[q]  <= now;
          row_kind[q]  <= tx_kind;
          row_lanes[q] <= tx_lanes;
          row_addr[q]  <= addr_in;
          row_data[q]  <= tx_data;
          row_taps[q]  <= tx_valid;
          row_wraps[q] <= wrapped;
        end
      end
    end
    if (!pop && row_valid[0]) begin
      if (TAPS > 1) row_taps[0] <= head_taps_next; // of one tap the last one takes the row along
      if (head_done_wrap) row_wraps[0] <= 1'b0;
    end
    if (rst) row_valid <= 0;
  end

  // ---- states of the writer ----
  reg in_rows;   // rows, or nothing; while drained, perhaps the epoch of the first lost transaction
  reg in_first;  // MARK_GAP_FIRST
  reg in_last;   // MARK_GAP_LAST, or before it the epoch of the last lost transaction
  reg in_after;  // MARK_GAP_LAST after that
  reg in_now;    // the present epoch, if not yet announced

  reg leaves_marks; // the first clock of rows after marks

  // in_rows && room, known at the clock's start: what is full, and so what is lost, hangs on it
  reg go;

  wire row_goes    = go && row_valid[0];

  // ---- losses ----
  // Epochs only grow, and no mark of a loss is written near the end of one. So which of them differ
  // needs no comparison: a flag for each remembers whether the time has wrapped between.
  reg  [31:0]       lost;
  reg               lost_some;     // something to report, for at least a clock
  reg  [TIME_W-1:0] first_time;    // after MARK_GAP_FIRST that of the last one
  reg  [TIME_W-1:0] last_time;
  reg  [MARK_W-1:0] first_epoch;   // in_first: the last one's; after that the present one
  reg  [MARK_W-1:0] last_epoch;
  reg               unpushed;      // the present epoch is not that of the last row in the queue
  reg               first_differs; // first_epoch from that of the last row
  reg               wrapped_since_first;
  reg               last_differs;  // last_epoch from first_epoch
  reg               wrapped_since_last;
  reg  [MARK_W-1:0] value;         // of the next MARK_EPOCH
  reg               drained;       // dropping, nothing waits, half of the FIFO is free
  wire              write_epoch;   // MARK_EPOCH is being written
  reg               none_lost;     // nothing to report
  wire [31:0]       lost_of;       // whose, a bit for each tap
  wire              overflow = (arrives || wrapped) && !dropping && full || misses_now;
  wire              lose = arrives && (dropping || full) || misses_now;
  reg               lost_full;     // lost is about to overflow: it stays where it is
  wire              resume = drained && (none_lost ? !arrives : lost_some && !first_differs);
  wire              unpushed_now = unpushed || wrapped && !push;
  wire              epoch_differs = unpushed || wrapped_since_last; // the present one from the
                                                                    // one that was written last

  always @(posedge clk) begin
    if (overflow) dropping <= 1'b1;
    if (resume) dropping <= 1'b0;
    if (lose) begin
      if (!lost_full) lost <= lost + {28'd0, arrivals} + {26'd0, owed};
      none_lost <= 1'b0;
    end else if (in_first) begin
      lost <= 0;
    end else if (in_after || in_last && !last_differs) begin
      none_lost <= 1'b1;
    end
    // both follow the time until something is lost; the last one goes on from there
    if (none_lost || in_first) first_time <= none_lost ? now : last_time;
    if (none_lost || resume || in_first) begin
      first_epoch <= none_lost || in_first || arrives ? epoch : last_epoch;
    end
    if (none_lost || arrives && dropping) begin
      last_time  <= now;
      last_epoch <= epoch;
    end
    lost_full     <= &lost[31:6];
    lost_some     <= !none_lost;
    unpushed      <= unpushed_now && !in_first && !in_now;
    if (none_lost || first_epoch_goes) first_differs <= none_lost && unpushed_now;
    wrapped_since_first <= !none_lost && (wrapped_since_first || wrapped);
    wrapped_since_last  <= !none_lost && !(arrives && dropping) && (wrapped_since_last || wrapped);
    if (none_lost) last_differs <= 1'b0;
    else if (arrives && dropping) last_differs <= wrapped_since_first || wrapped;
    drained       <= dropping && !row_valid[0] && !wrap_near && !write_epoch && !resume &&
                     (wr_room[FIFO_LOG2] || wr_room[FIFO_LOG2-1]);
    if (rst) begin
      dropping  <= 1'b0;
      drained   <= 1'b0;
      lost      <= 0;
      none_lost <= 1'b1;
      unpushed  <= 1'b0;
    end
  end

  generate
    if (CORES > 1) begin : whose
      reg  [CORES-1:0] cores;
      wire [CORES-1:0] arriving;
      for (g = 0; g < CORES; g = g + 1) begin : of_core
        assign arriving[g] = |tx_valid[PER_TAP*g +: PER_TAP] || |owed_taps[PER_TAP*g +: PER_TAP];
      end
      always @(posedge clk) begin
        cores <= (none_lost ? {CORES{1'b0}} : cores) | (lose ? arriving : {CORES{1'b0}});
      end
      assign lost_of = {{(32 - CORES){1'b0}}, cores};
    end else begin : whose
      assign lost_of = 32'd0;
    end
  endgenerate

  // ---- writer: the head row, or the marks of a loss ----
  wire row_epoch   = row_goes && row_wraps[0];
  wire first_epoch_goes = in_rows && drained && lost_some && first_differs;
  wire last_epoch_goes  = in_last && last_differs;
  wire now_goes    = in_now && epoch_differs;
  wire put         = row_goes || first_epoch_goes || in_first || in_last || in_after || now_goes;

  assign write_epoch    = row_epoch || first_epoch_goes || last_epoch_goes || now_goes;
  assign head_done_wrap = row_epoch;
  assign head_taps_next = row_goes && !row_wraps[0] ? row_taps[0] & (row_taps[0] - 1'b1) :
                          row_taps[0];
  // The head row leaves with what is written of it now. (Without a head row it changes nothing.)
  assign pop            = go && (row_wraps[0] ? row_taps[0] == 0 :
                                 (row_taps[0] & (row_taps[0] - 1'b1)) == 0);

  wire value_loads = dropping && !row_valid[0] || in_first || in_last;
  wire in_rows_next = in_rows && !resume || in_now || in_last && !last_differs && !epoch_differs;
  // in the FIFO, for this record and the one that is on its way; low after MARK_EPOCH
  wire room_next = |wr_room[FIFO_LOG2:2] && !write_epoch;

  always @(posedge clk) begin
    in_rows  <= in_rows_next;
    go       <= in_rows_next && room_next;
    in_first <= in_rows && resume && !none_lost;
    in_last  <= in_first;
    in_after <= last_epoch_goes;
    in_now   <= in_rows && resume && none_lost || in_after ||
                in_last && !last_differs && epoch_differs;
    // one more than what was announced last; after a loss what the marks need, one after the other
    leaves_marks <= in_rows_next && !in_rows;
    if (value_loads) value <= first_epoch;
    else if (row_epoch || leaves_marks) value <= value + 1'b1;
    wr_en    <= put;
    if (rst) begin
      in_rows   <= 1'b1;
      in_first  <= 1'b0;
      in_last   <= 1'b0;
      in_after  <= 1'b0;
      in_now    <= 1'b0;
      go        <= 1'b0;
      leaves_marks <= 1'b0;
      value     <= 1;
      wr_en     <= 1'b0;
    end
  end

  // ---- the record ----
  reg [1:0]        head_kind;
  reg [3:0]        head_lanes;
  reg [ADDR_W-3:0] head_addr;
  reg [31:0]       head_data;
  reg [2:0]        lowest;

  wire [3*TAPS-1:0] core_of;
  generate
    for (g = 0; g < TAPS; g = g + 1) begin : number
      localparam [31:0] CORE = g / PER_TAP;
      assign core_of[3*g +: 3] = CORE[2:0];
    end
  endgenerate

  integer t;
  always @* begin
    lowest = 0;
    head_kind = row_kind[0][1:0];
    head_lanes = row_lanes[0][3:0];
    head_addr = row_addr[0][WORD_W-1:0];
    head_data = row_data[0][31:0];
    for (t = TAPS - 1; t > 0; t = t - 1) begin
      if (row_taps[0][t] && (row_taps[0] & ((1 << t) - 1)) == 0) begin
        lowest = core_of[3*t +: 3];
        head_kind = row_kind[0][2*t +: 2];
        head_lanes = row_lanes[0][4*t +: 4];
        head_addr = row_addr[0][WORD_W*t +: WORD_W];
        head_data = row_data[0][32*t +: 32];
      end
    end
  end

  // What kind of record it is hangs on registers only; without `put` it does not matter.
  wire is_mark = !in_rows || row_wraps[0] || drained;
  wire is_epoch = in_rows || in_now || in_last && last_differs;

  always @(posedge clk) begin
    wr_time <= row_time[0];
    wr_core <= lowest;
    wr_kind  <= head_kind;
    wr_lanes <= head_lanes;
    wr_addr  <= head_addr;
    wr_data  <= head_data;
    if (is_mark) begin
      wr_time  <= is_epoch ? 0 : first_time;
      wr_core  <= 0;
      wr_kind  <= KIND_MARK[1:0];
      wr_lanes <= is_epoch ? MARK_EPOCH[3:0] : in_first ? MARK_GAP_FIRST[3:0] :
                  MARK_GAP_LAST[3:0];
      wr_addr  <= 0;
      wr_data  <= in_first ? lost : lost_of;
      if (is_epoch) wr_data <= 0;
      if (is_epoch) wr_data[MARK_W-1:0] <= value;
    end
  end
endmodule

`resetall
