`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Two taps of one processor, of its instruction bus and of its data bus, to one stream in the order
// of execution, for PER_TAP 2 of es_probe: for processors that execute each instruction that they
// fetch, and end its accesses before they end the next fetch, or in the same clock (FETCHES
// EXECUTED: SERV, for one).
//
// Why the order is right: an instruction's accesses come after its own fetch has ended, as nothing
// is known of them before; and by what is asked above, before the next fetch ends. So all are told
// in order by their clocks alone, save in a clock in which both an access and a fetch end: there the
// access belongs to an earlier instruction, and goes first.
//
// A processor that does not keep to it is noticed: a fetch that ends while an access of the data bus
// goes on is told as missed, which the probe counts as a loss. (A processor that fetches ahead
// between its accesses is not noticed: FETCHES says what it does.)
module es_tap_merge (
  input  wire        rst,
  // of the data bus's tap, and whether an access has begun there and not ended before this clock
  // (cyc and stb of Wishbone, valid of a valid/ready bus)
  input  wire        data_busy,
  input  wire        data_valid,
  input  wire [1:0]  data_kind,
  input  wire [31:0] data_addr,
  input  wire [31:0] data_data,
  input  wire [3:0]  data_lanes,
  input  wire        data_failed, // the access ends in this clock with an error; 0 where there is none
  // of the instruction bus's tap
  input  wire        fetch_valid,
  input  wire [1:0]  fetch_kind,
  input  wire [31:0] fetch_addr,
  input  wire [31:0] fetch_data,
  input  wire [3:0]  fetch_lanes,
  output wire [1:0]  tx_valid,
  output wire [3:0]  tx_kind,
  output wire [63:0] tx_addr,
  output wire [63:0] tx_data,
  output wire [7:0]  tx_lanes
);
  localparam [31:0] KIND_MARK = `ES_KIND_MARK, MARK_MISSED = `ES_MARK_GAP_FIRST;

  wire early = data_busy && !data_valid && !data_failed; // a fetch that ends now

  assign tx_valid = {fetch_valid, data_valid} & {2{!rst}};
  assign tx_kind  = {early ? KIND_MARK[1:0] : fetch_kind, data_kind};
  assign tx_addr  = {fetch_addr, data_addr};
  assign tx_data  = {fetch_data, data_data};
  assign tx_lanes = {early ? MARK_MISSED[3:0] : fetch_lanes, data_lanes};
endmodule

`resetall
