`resetall
`timescale 1ns/1ps
`default_nettype none

// Asynchronous FIFO: one write clock, one read clock, any ratio, no loss, no reordering.
//
// Each side keeps a binary pointer, and its Gray code in registers that the other side samples
// through two flip-flops. Memory is written before the Gray pointer that announces it, and read
// with a clock (so that it maps to block RAM, 256x16 on the iCE40); the read side is show-ahead.
//
// Write side: look at `wr_room`, then write. Every place counted in `wr_room` is surely free; a
// place that the reader frees shows up some clocks later. A write with `wr_room` = 0 is ignored.
// Read side: `rd_data` is valid and stable while `rd_valid`; `rd_en` takes it. `rd_en` without
// `rd_valid` is ignored. Sustains one record per clock on both sides. From write to `rd_valid`:
// one write clock and three read clocks.
// Both resets have to be active together for at least one clock of each side.
//
// Prefixes: wr_ is the write clock's domain, rd_ the read clock's; wr_view_ and rd_view_ are the
// other side's pointer as that side knows it.
module es_fifo_async #(
  parameter WIDTH = 8, // bits of a record
  parameter LOG2  = 4  // depth: log2 of records, 2 to 15
) (
  input  wire             wr_clk,
  input  wire             wr_rst,
  input  wire             wr_en,
  input  wire [WIDTH-1:0] wr_data,
  output reg  [LOG2:0]    wr_room,    // free places as the writer safely knows

  input  wire             rd_clk,
  input  wire             rd_rst,
  input  wire             rd_en,
  output reg  [WIDTH-1:0] rd_data,
  output reg              rd_valid,
  output reg  [LOG2:0]    rd_level,   // records in the FIFO as the reader knows
  // For simulation, which may leave out clocks: these look at the write side's pointer directly.
  output wire             rd_settled, // empty, and the read side would not change if rd_clk stopped
  output wire             rd_still    // without a take, the read side would not change
);
  initial begin
    if (LOG2 < 2 || LOG2 > 15 || WIDTH < 1) $error("es_fifo_async: illegal parameter");
  end

  localparam [LOG2:0] DEPTH = {1'b1, {LOG2{1'b0}}};

  function [LOG2:0] gray_of(input [LOG2:0] binary);
    gray_of = binary ^ (binary >> 1);
  endfunction

  // A comparison in two steps: which pairs of bits differ. (rtl/boards/rules.mk, ECP5_EARLY)
  localparam PAIRS = LOG2 / 2 + 1;

  function [PAIRS-1:0] unlike(input [LOG2:0] one, input [LOG2:0] other);
    integer i;
    for (i = 0; i < PAIRS; i = i + 1) begin
      unlike[i] = one[2*i] != other[2*i] ||
                  one[2*i == LOG2 ? LOG2 : 2*i+1] != other[2*i == LOG2 ? LOG2 : 2*i+1];
    end
  endfunction

  function [LOG2:0] binary_of(input [LOG2:0] gray);
    integer i;
    begin
      binary_of = gray;
      // bit k is the parity of the bits from k up: doubling keeps that a few gates deep
      for (i = 1; i <= LOG2; i = 2 * i) binary_of = binary_of ^ (binary_of >> i);
    end
  endfunction

  (* es_sync = "memory" *) // what is read was written long before: the pointers see to that
  reg [WIDTH-1:0] memory [0:(1 << LOG2)-1];

  // On both sides the pointer that follows is kept as well: what `take` decides is only a choice.

  // ---- write side ----
  reg  [LOG2:0] wr_pointer;
  reg  [LOG2:0] wr_follower;     // wr_pointer + 1
  reg  [LOG2:0] wr_gray;
  reg  [LOG2:0] wr_gray_follower;
  reg           wr_full;         // wr_room is 0
  wire [LOG2:0] wr_view_gray;
  wire          wr_view_settled;
  reg  [LOG2:0] wr_view_late;
  reg  [LOG2:0] wr_view_half;    // the view half way to binary: parities of up to four bits, then
  reg  [LOG2:0] wr_view_binary;  // in binary, two clocks later, and
  reg  [LOG2:0] wr_view_full;    // the pointer that would be full as of that view, in Gray code
  reg  [LOG2:0] rd_gray;
  wire          wr_take = wr_en && !wr_full;
  wire [LOG2:0] wr_second = wr_follower + 1'b1;
  // (no choice between pointers and then one comparison: wr_take is late)
  wire [PAIRS-1:0] wr_free_now = unlike(wr_gray, wr_view_full);
  wire [PAIRS-1:0] wr_free_after = unlike(wr_gray_follower, wr_view_full);
  wire          wr_full_now = wr_free_now == 0;
  wire          wr_full_after = wr_free_after == 0;
  wire [LOG2:0] wr_limit = wr_view_binary + DEPTH;
  // less the pointer, and less one with a take: that comes in as the carry
  wire [LOG2+1:0] wr_left = {wr_limit, 1'b1} + {~wr_pointer, !wr_take};

  es_sync #(.WIDTH(LOG2 + 1)) wr_view (
    .clk(wr_clk), .rst(wr_rst), .in(rd_gray), .out(wr_view_gray), .settled(wr_view_settled)
  );

  always @(posedge wr_clk) begin
    if (wr_take) memory[wr_pointer[LOG2-1:0]] <= wr_data;
  end

  always @(posedge wr_clk) begin
    if (wr_take) begin
      wr_pointer  <= wr_follower;
      wr_follower <= wr_second;
      wr_gray     <= wr_gray_follower;
      wr_gray_follower <= gray_of(wr_second);
    end
    wr_view_late <= wr_view_gray;
    wr_view_half <= wr_view_gray ^ (wr_view_gray >> 1) ^ (wr_view_gray >> 2) ^ (wr_view_gray >> 3);
    wr_view_binary <= wr_view_half ^ (wr_view_half >> 4) ^ (wr_view_half >> 8) ^
                      (wr_view_half >> 12);
    // DEPTH ahead of the reader: in Gray code the two uppermost bits differ
    wr_view_full <= {~wr_view_late[LOG2:LOG2-1], wr_view_late[LOG2-2:0]};
    wr_room      <= wr_left[LOG2+1:1];
    wr_full      <= wr_take && wr_full_after || !wr_take && wr_full_now;
    if (wr_rst) begin
      wr_pointer   <= 0;
      wr_follower  <= 1;
      wr_gray      <= 0;
      wr_gray_follower <= 1;
      wr_view_late <= 0;
      wr_view_half <= 0;
      wr_view_binary <= 0;
      wr_view_full <= {2'b11, {(LOG2-1){1'b0}}};
      wr_room      <= 0;
      wr_full      <= 1'b1;
    end
  end

  // ---- read side ----
  reg  [LOG2:0] rd_pointer;
  reg  [LOG2:0] rd_follower;     // rd_pointer + 1
  wire [LOG2:0] rd_view_gray;
  wire          rd_view_settled;
  wire          rd_take = rd_en && rd_valid;
  wire [LOG2:0] rd_gray_follower = gray_of(rd_follower);
  wire [PAIRS-1:0] rd_unlike_now = unlike(rd_view_gray, rd_gray);
  wire [PAIRS-1:0] rd_unlike_after = unlike(rd_view_gray, rd_gray_follower);
  wire          rd_more_now = rd_unlike_now != 0;
  wire          rd_more_after = rd_unlike_after != 0;
  // (a choice between two sums: the take is late, and a carry would add to it)
  wire [LOG2:0] rd_view_binary = binary_of(rd_view_gray);
  wire [LOG2:0] rd_left_now = rd_view_binary - rd_pointer;
  wire [LOG2:0] rd_left_after = rd_view_binary - rd_follower;
  wire [LOG2:0] rd_pointer_next = rd_take ? rd_follower : rd_pointer;

  es_sync #(.WIDTH(LOG2 + 1)) rd_view (
    .clk(rd_clk), .rst(rd_rst), .in(wr_gray), .out(rd_view_gray), .settled(rd_view_settled)
  );

  always @(posedge rd_clk) begin
    if (rd_take || !rd_valid) rd_data <= memory[rd_pointer_next[LOG2-1:0]];
  end

  always @(posedge rd_clk) begin
    if (rd_take) begin
      rd_pointer  <= rd_follower;
      rd_follower <= rd_follower + 1'b1;
      rd_gray     <= rd_gray_follower;
    end
    rd_valid     <= rd_take && rd_more_after || !rd_take && rd_more_now;
    rd_level     <= rd_take ? rd_left_after : rd_left_now;
    if (rd_rst) begin
      rd_pointer   <= 0;
      rd_follower  <= 1;
      rd_gray      <= 0;
      rd_valid     <= 1'b0;
      rd_level     <= 0;
    end
  end

  reg still; // the read side has followed the write side's pointer, and nothing was taken since
  always @(posedge rd_clk) begin
    still <= !rd_take && rd_view_settled;
    if (rd_rst) still <= 1'b0;
  end

  assign rd_still = still && rd_view_gray == wr_gray;

  assign rd_settled = !rd_valid && rd_level == 0 && wr_gray == rd_gray &&
                      rd_view_settled;

  wire unused = &{1'b0, wr_view_settled, wr_left[0], rd_pointer_next};
endmodule

`resetall
