`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// What concerns the hit at the head of the hit queue: REG_HIT_CELL, so that the firmware gets from
// a hit to its work with one load. Row displacement (docs/architecture.md, decision 6): the low
// bits of the word's address choose a row, its displacement plus the high bits choose the cell;
// writes have rows of their own, fetches and reads share theirs. Of fetches the column's lowest bit
// tells the halves of a word apart. Which half of the cell is meant is
// decided here too: for writes by the lanes, for fetches by the instruction that the core fetched
// before.
//
// A head is looked up in its first clock, the sum is made in its second; `hit_cell` reads 0 until
// then. A row that is written counts for heads that come after the write.
module es_dispatch #(
  parameter ADDR_W = 32 // bits of the target's byte address, 10 to 32
) (
  input  wire              clk,
  input  wire              rst,

  input  wire              row_write,
  input  wire [7:0]        row_index,   // [7]: of fetches and reads
  input  wire [15:0]       row_data,

  // head of the hit queue
  input  wire              hit_valid,
  input  wire              hit_pop,
  input  wire [1:0]        hit_kind,
  input  wire [3:0]        hit_lanes,
  input  wire              hit_old_known,
  input  wire              hit_dynamic,
  input  wire [31:0]       hit_old,
  input  wire [ADDR_W-2:0] hit_addr,    // in halves of words

  output reg  [31:0]       hit_cell,
  output wire              done         // it is the head's
);
  localparam [31:0] ROWS = `ES_ROWS, COLUMN = `ES_CELL_COLUMN_SHIFT, SECOND = `ES_CELL_SECOND,
    SPECIAL = `ES_CELL_SPECIAL, DYNAMIC = `ES_CELL_DYNAMIC;
  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK;
  localparam [31:0] CALL_MASK = `ES_RV32_CALL_MASK, CALL_BITS = `ES_RV32_CALL_BITS,
    RETURN_MASK = `ES_RV32_RETURN_MASK, RETURN_BITS = `ES_RV32_RETURN_BITS;

  initial begin
    if (ADDR_W < 10 || ADDR_W > 32) $error("es_dispatch: illegal parameter");
    if (ROWS != 128 || COLUMN != 9 || SECOND != 2 || SPECIAL != 32'h80000000 ||
        DYNAMIC != 32'h40000000) begin
      $error("es_dispatch: made for another layout of REG_HIT_CELL");
    end
  end

  // ---- evidence, of the target's instruction set: interface/rv32.def ----
  wire is_read   = hit_kind == KIND_READ[1:0];
  wire is_fetch  = hit_kind == KIND_FETCH[1:0];
  wire is_call   = (hit_old & CALL_MASK) == CALL_BITS;
  wire is_return = (hit_old & RETURN_MASK) == RETURN_BITS;
  wire certain   = hit_old_known && (is_call || is_return);

  // ---- look up, then add ----
  (* no_rw_check *) reg [15:0] rows [0:255];

  reg         looked;   // row, second and special belong to the head
  reg         settled;  // hit_cell does
  reg  [15:0] row;
  reg         second;
  reg         special;
  reg         dynamic;
  wire [31:0] addr = {{(32 - ADDR_W){1'b0}}, hit_addr, 1'b0};
  wire        halves = is_fetch || is_read;
  wire [13:0] column = halves ? {addr[21:9], addr[1]} : addr[22:9];
  wire [15:0] sum = row + {column, second, 1'b0};

  always @(posedge clk) begin
    if (row_write) rows[row_index] <= row_data;
  end

  always @(posedge clk) begin
    if (hit_valid && !looked) begin
      row     <= rows[{halves, addr[8:2]}];
      second  <= hit_kind == KIND_WRITE[1:0] && hit_lanes != 4'hF ||
                 is_fetch && hit_old_known && is_return;
      special <= hit_kind == KIND_MARK[1:0] || is_read || is_fetch && !certain ||
                 hit_dynamic;
      dynamic <= hit_dynamic;
    end
    if (!looked || hit_pop) hit_cell <= 0;
    else if (!settled) hit_cell <= {special, dynamic, 14'd0, sum};
    looked  <= hit_valid && !hit_pop;
    settled <= looked && !hit_pop;
    if (rst) begin
      looked  <= 1'b0;
      settled <= 1'b0;
    end
  end

  assign done = settled;

  wire unused = &{1'b0, addr};
endmodule

`resetall
