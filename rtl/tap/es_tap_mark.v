`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Recognises marks (docs/marks.md) among a tap's transactions: whole-word writes to the marker
// window. `mark` is of the clock of the transaction, so its time is the tap's time of the store.
module es_tap_mark #(
  parameter [31:0] BASE = `ES_MARK_BASE, // the marker window, a multiple of its size
  parameter [31:0] SIZE = `ES_MARK_SIZE  // in bytes, a power of 2
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        tx_valid,
  input  wire [1:0]  tx_kind,
  input  wire [31:0] tx_addr,
  input  wire [31:0] tx_data,
  input  wire [3:0]  tx_lanes,
  output wire        mark,
  output wire [15:0] mark_id,    // word of the window
  output wire [31:0] mark_value, // what was stored
  output reg  [31:0] mark_pc     // address of the core's last fetch: of the store
);
  initial begin
    if (SIZE < 4 || SIZE > 32'h40000 || (SIZE & (SIZE - 1)) != 0 || (BASE & (SIZE - 1)) != 0) begin
      $error("es_tap_mark: SIZE must be a power of 2 from 4 to 2^18, and BASE a multiple of it");
    end
  end

  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE;
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;

  wire [31:0] offset = tx_addr - BASE;

  assign mark       = tx_valid && tx_kind == KIND_WRITE[1:0] && (&tx_lanes) && offset < SIZE;
  assign mark_id    = offset[17:2];
  assign mark_value = tx_data;

  always @(posedge clk) begin
    if (tx_valid && tx_kind == KIND_FETCH[1:0]) mark_pc <= tx_addr;
    if (rst) mark_pc <= 32'd0;
  end

  wire unused = &{1'b0, offset[1:0]};
endmodule

`resetall
