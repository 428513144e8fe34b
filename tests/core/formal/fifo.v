`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_fifo_async over any two clocks: each step of the solver is an instant in which
// either, both or none of the clocks rise. Two marked values written one after the other come out
// in this order, none is lost or invented, room and level are never promised too high.
module fifo_proof #(
  parameter LOG2 = 2,
  parameter BITS = 2,
  parameter PLAN = 0 // 1: instead, write until full and read until empty: can be reached
) (
  input wire            tick, // the solver's own clock
  input wire            wr_rises,
  input wire            rd_rises,
  input wire            wr_en,
  input wire [BITS-1:0] wr_data,
  input wire            rd_en
);
  // two clocks of any phase
  wire wr_steps = PLAN != 0 || wr_rises, rd_steps = PLAN != 0 || rd_rises;
  reg wr_clk = 0, rd_clk = 0;
  always @(posedge tick) begin
    wr_clk <= wr_clk ? 1'b0 : wr_steps;
    rd_clk <= rd_clk ? 1'b0 : rd_steps;
  end
  wire wr_edge = !wr_clk && wr_steps;
  wire rd_edge = !rd_clk && rd_steps;

  // both resets at the start, in whatever state, until each side has seen a clock
  reg  wr_seen = 0, rd_seen = 0;
  wire reset = !wr_seen || !rd_seen;
  always @(posedge tick) begin
    if (wr_edge) wr_seen <= 1'b1;
    if (rd_edge) rd_seen <= 1'b1;
  end

  wire [LOG2:0]   wr_room, rd_level;
  wire [BITS-1:0] rd_data;
  wire            rd_valid, rd_settled, rd_still;

  reg            was_full = 0;

  // inputs change with their own clock only
  reg            wr_en_held = 0, rd_en_held = 0;
  reg [BITS-1:0] wr_data_held = 0;
  always @(posedge tick) begin
    if (wr_edge) begin
      wr_en_held <= PLAN != 0 ? !was_full : wr_en;
      wr_data_held <= PLAN != 0 ? 0 : wr_data;
    end
    if (rd_edge) rd_en_held <= PLAN != 0 ? was_full : rd_en;
  end

  es_fifo_async #(.WIDTH(BITS), .LOG2(LOG2)) fifo (
    .wr_clk(wr_clk), .wr_rst(reset), .wr_en(wr_en_held), .wr_data(wr_data_held), .wr_room(wr_room),
    .rd_clk(rd_clk), .rd_rst(reset), .rd_en(rd_en_held), .rd_data(rd_data), .rd_valid(rd_valid),
    .rd_level(rd_level), .rd_settled(rd_settled), .rd_still(rd_still)
  );

  // ---- the reference: a queue without clocks ----
  reg [BITS-1:0] queue [0:(1<<LOG2)-1];
  reg [7:0]      written = 0, taken = 0;
  wire           write = wr_edge && wr_en_held && wr_room != 0 && !reset;
  wire           take = rd_edge && rd_en_held && rd_valid && !reset;
  wire [7:0]     held = written - taken;

  // what the reader saw before its clock, and whether that clock must have changed nothing
  reg [BITS-1:0] seen_data;
  reg            seen_valid;
  reg [LOG2:0]   seen_level;
  reg            unchanged = 0;
  always @(posedge tick) begin
    seen_data  <= rd_data;
    seen_valid <= rd_valid;
    seen_level <= rd_level;
    unchanged  <= rd_edge && rd_still && !take && !reset;
  end

  always @(posedge tick) begin
    if (write) begin
      queue[written[LOG2-1:0]] <= wr_data_held;
      written <= written + 1'b1;
    end
    if (take) taken <= taken + 1'b1;
    if (held == (1 << LOG2)) was_full <= 1'b1;

    if (PLAN != 0) begin
      reached: assert (!(was_full && held == 0 && rd_settled && wr_room == (1 << LOG2)));
    end else if (!reset) begin
      no_overflow: assert (held <= (1 << LOG2));
      safe_room: assert (wr_room <= (1 << LOG2) - held);
      safe_level: assert (rd_level <= held);
      nothing_invented: assert (!rd_valid || held != 0);
      in_order: assert (!rd_valid || rd_data == queue[taken[LOG2-1:0]]);
      settled_is_empty: assert (!rd_settled || held == 0);
      still: assert (!unchanged ||
        rd_data == seen_data && rd_valid == seen_valid && rd_level == seen_level);
    end
  end
endmodule

`resetall
