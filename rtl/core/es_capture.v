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
// transaction; data: how many, saturating) and MARK_GAP_LAST (time of the last) are written,
// with MARK_EPOCH before either where its epoch is new; transactions of those clocks wait in the
// queue. No mark ever competes with transactions for the last places.
module es_capture #(
  parameter TAPS      = 1,  // number of taps; tap i is core i, 1 to 8
  parameter TIME_W    = 32, // bits of time in a record, 8 to 32
  parameter ADDR_W    = 32, // bits of the target's byte address, 16 to 32
  parameter FIFO_LOG2 = 8,  // log2 of the FIFO's records, 5 or more
  // Rows that wait while marks are written: 4, or 2 where transactions are at least two clocks apart
  parameter QUEUE     = 4
) (
  input  wire                clk,
  input  wire                rst,

  input  wire [TAPS-1:0]     tx_valid,
  input  wire [2*TAPS-1:0]   tx_kind,
  input  wire [32*TAPS-1:0]  tx_addr,
  input  wire [32*TAPS-1:0]  tx_data,
  input  wire [4*TAPS-1:0]   tx_lanes,

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
    if (TAPS < 1 || TAPS > 8 || TIME_W < 8 || TIME_W > 32 || ADDR_W < 16 || ADDR_W > 32 ||
        FIFO_LOG2 < 5 || QUEUE < 2) $error("es_capture: illegal parameter");
  end

  localparam EPOCH_W = 56 - TIME_W;
  localparam MARK_W = EPOCH_W > 32 ? 32 : EPOCH_W; // epoch bits that fit a mark's data
  localparam PAY_W = 2 + 4 + ADDR_W - 2 + 32;
  localparam ROW_W = TIME_W + TAPS * PAY_W;
  localparam [2:0] REPORT_NONE = 0, REPORT_FIRST = 1, REPORT_LAST = 2, REPORT_LAST_AFTER = 3,
                   REPORT_NOW = 4;
  localparam [31:0] KIND_MARK = `ES_KIND_MARK;
  localparam [31:0] MARK_EPOCH = `ES_MARK_EPOCH;
  localparam [31:0] MARK_GAP_FIRST = `ES_MARK_GAP_FIRST;
  localparam [31:0] MARK_GAP_LAST = `ES_MARK_GAP_LAST;

  wire unused = &{1'b0, tx_addr}; // only part of it is stored

  // ---- time ----
  reg [TIME_W-1:0]  now;
  reg [MARK_W-1:0]  epoch;
  reg               wrapped;  // first clock of a new epoch
  wire              wrap_near = &now[TIME_W-1:4];

  always @(posedge clk) begin
    now     <= now + 1'b1;
    wrapped <= &now;
    if (&now) epoch <= epoch + 1'b1;
    if (rst) begin
      now     <= 0;
      epoch   <= 0;
      wrapped <= 1'b0;
    end
  end

  // ---- the arriving row ----
  wire             arrives = |tx_valid;
  wire [ROW_W-1:0] row_in;
  reg  [3:0]       arrivals;
  genvar g;
  generate
    for (g = 0; g < TAPS; g = g + 1) begin : pack
      assign row_in[g*PAY_W +: PAY_W] = {tx_kind[2*g +: 2], tx_lanes[4*g +: 4],
                                         tx_addr[32*g+2 +: ADDR_W-2], tx_data[32*g +: 32]};
    end
  endgenerate
  assign row_in[ROW_W-1 -: TIME_W] = now;

  integer n;
  always @* begin
    arrivals = 0;
    for (n = 0; n < TAPS; n = n + 1) arrivals = arrivals + {3'd0, tx_valid[n]};
  end

  // ---- row queue: a shift register, head in place 0 ----
  reg  [ROW_W-1:0] row [0:QUEUE-1];
  reg  [TAPS-1:0]  row_taps [0:QUEUE-1]; // transactions of the row still to write
  reg  [QUEUE-1:0] row_wraps;            // MARK_EPOCH still to write before them
  reg  [QUEUE-1:0] row_valid;
  reg              pop;
  wire [QUEUE-1:0] after_pop = pop ? row_valid >> 1 : row_valid;
  wire             full = after_pop[QUEUE-1];
  reg              dropping;
  wire             push = (arrives || wrapped) && !dropping && !full;
  wire [QUEUE-1:0] first_free = ~after_pop & {after_pop[QUEUE-2:0], 1'b1};
  reg              head_done_wrap;
  reg  [TAPS-1:0]  head_taps_next;

  integer q;
  always @(posedge clk) begin
    row_valid <= after_pop | (push ? first_free : {QUEUE{1'b0}});
    if (!pop) begin
      row_taps[0] <= head_taps_next;
      if (head_done_wrap) row_wraps[0] <= 1'b0;
    end
    for (q = 0; q < QUEUE - 1; q = q + 1) begin
      if (pop) begin
        row[q]       <= row[q + 1];
        row_taps[q]  <= row_taps[q + 1];
        row_wraps[q] <= row_wraps[q + 1];
      end
    end
    for (q = 0; q < QUEUE; q = q + 1) begin
      if (push && first_free[q]) begin
        row[q]       <= row_in;
        row_taps[q]  <= tx_valid;
        row_wraps[q] <= wrapped;
      end
    end
    if (rst) row_valid <= 0;
  end

  // ---- losses ----
  // Comparisons are registered; each is looked at only when what it compares has stood for a clock.
  reg  [2:0]        report;
  reg  [31:0]       lost;
  reg               lost_some;     // lost is not 0, for at least a clock
  reg  [TIME_W-1:0] first_time;
  reg  [TIME_W-1:0] last_time;
  reg  [MARK_W-1:0] first_epoch;
  reg  [MARK_W-1:0] last_epoch;
  reg  [MARK_W-1:0] announced;     // epoch of the last MARK_EPOCH written
  reg               first_differs; // from announced
  reg               last_differs;
  reg               epoch_differs;
  reg               drained;       // dropping, nothing waits, half of the FIFO is free
  reg               write_epoch;   // MARK_EPOCH is being written, with:
  reg  [MARK_W-1:0] epoch_value;
  reg               write_first;   // MARK_GAP_FIRST is being written
  reg               none_lost;     // lost is 0
  wire              overflow = (arrives || wrapped) && !dropping && full;
  wire              lose = arrives && (dropping || full);
  wire [32:0]       lost_sum = {1'b0, lost} + {29'd0, arrivals};
  wire              resume = drained && (none_lost ? !arrives : lost_some && !first_differs);

  always @(posedge clk) begin
    if (overflow) dropping <= 1'b1;
    if (resume) dropping <= 1'b0;
    if (lose) begin
      lost <= lost_sum[32] ? 32'hFFFFFFFF : lost_sum[31:0];
      none_lost  <= 1'b0;
      last_time  <= now;
      last_epoch <= epoch;
      if (none_lost) begin
        first_time  <= now;
        first_epoch <= epoch;
      end
    end else if (write_first) begin
      lost <= 0;
      none_lost <= 1'b1;
    end
    lost_some     <= !none_lost;
    first_differs <= first_epoch != announced;
    last_differs  <= last_epoch != announced;
    epoch_differs <= epoch != announced;
    drained       <= dropping && !row_valid[0] && !wrap_near && !write_epoch && !resume &&
                     (wr_room[FIFO_LOG2] || wr_room[FIFO_LOG2-1]);
    if (rst) begin
      dropping  <= 1'b0;
      drained   <= 1'b0;
      lost      <= 0;
      none_lost <= 1'b1;
    end
  end

  // ---- writer: marks of a loss, else the head row ----
  reg [2:0]        report_next;
  reg [PAY_W-1:0]  payload;
  reg [2:0]        lowest;
  reg              room; // for this record, and the one that is on its way
  reg              put;
  reg [TIME_W-1:0] put_time;
  reg [2:0]        put_core;
  reg [1:0]        put_kind;
  reg [3:0]        put_lanes;
  reg [ADDR_W-3:0] put_addr;
  reg [31:0]       put_data;

  integer t;
  always @* begin
    lowest = 0;
    payload = row[0][0 +: PAY_W];
    for (t = TAPS - 1; t > 0; t = t - 1) begin
      if (row_taps[0][t] && (row_taps[0] & ((1 << t) - 1)) == 0) begin
        lowest = t[2:0];
        payload = row[0][t*PAY_W +: PAY_W];
      end
    end
  end

  always @* begin
    report_next = report;
    write_epoch = 1'b0;
    write_first = 1'b0;
    epoch_value = announced + 1'b1;
    head_done_wrap = 1'b0;
    head_taps_next = row_taps[0];
    pop = 1'b0;
    put = 1'b0;
    put_time = row[0][ROW_W-1 -: TIME_W];
    put_core = lowest;
    {put_kind, put_lanes, put_addr, put_data} = payload;
    case (report)
      REPORT_FIRST: begin
        put = 1'b1;
        write_first = 1'b1;
        put_time = first_time;
        report_next = REPORT_LAST;
      end
      REPORT_LAST: begin
        put = 1'b1;
        put_time = last_time;
        write_epoch = last_differs;
        epoch_value = last_epoch;
        report_next = last_differs ? REPORT_LAST_AFTER : epoch_differs ? REPORT_NOW : REPORT_NONE;
      end
      REPORT_LAST_AFTER: begin
        put = 1'b1;
        put_time = last_time;
        report_next = REPORT_NOW;
      end
      REPORT_NOW: begin
        put = epoch_differs;
        write_epoch = epoch_differs;
        epoch_value = epoch;
        report_next = REPORT_NONE;
      end
      default: begin
        if (row_valid[0]) begin
          put = room;
          if (row_wraps[0]) begin
            write_epoch = room;
            head_done_wrap = room;
            pop = room && row_taps[0] == 0;
          end else if (room) begin
            head_taps_next = row_taps[0] & (row_taps[0] - 1'b1);
            pop = head_taps_next == 0;
          end
        end else if (resume) begin
          report_next = none_lost ? REPORT_NOW : REPORT_FIRST;
        end else if (drained && lost_some && first_differs) begin
          put = 1'b1;
          write_epoch = 1'b1;
          epoch_value = first_epoch;
        end
      end
    endcase
    if (report != REPORT_NONE || write_epoch) begin
      put_core = 0;
      put_kind = KIND_MARK[1:0];
      put_addr = 0;
      put_lanes = write_epoch ? MARK_EPOCH[3:0] : write_first ? MARK_GAP_FIRST[3:0] :
                  MARK_GAP_LAST[3:0];
      put_data = write_first ? lost : 0;
      if (write_epoch) begin
        put_time = 0;
        put_data[MARK_W-1:0] = epoch_value;
      end
    end
  end

  always @(posedge clk) begin
    report <= report_next;
    if (write_epoch) announced <= epoch_value;
    wr_en <= put;
    room  <= |wr_room[FIFO_LOG2:2];
    if (rst) begin
      report    <= REPORT_NONE;
      announced <= 0;
      wr_en     <= 1'b0;
      room      <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (put) begin
      wr_time  <= put_time;
      wr_core  <= put_core;
      wr_kind  <= put_kind;
      wr_lanes <= put_lanes;
      wr_addr  <= put_addr;
      wr_data  <= put_data;
    end
  end
endmodule

`resetall
