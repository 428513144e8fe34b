`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of an OBI bus (Ibex, CV32E40P and others of OpenHW and lowRISC). An access begins in a clock
// with req and gnt, and ends, in order, with rvalid and rready: then it is told. One that ends with
// err is not told, nor is a write of no byte. More of them at a time than OUTSTANDING are told as
// missed, one by one.
//
// Source: OpenBus Interface (OBI) protocol, OpenHW Group, version 1.2.
module es_tap_obi #(
  parameter ADDR_W      = 32, // bits of the byte address, 16 to 32
  parameter BIG_ENDIAN  = 0,
  parameter OUTSTANDING = 2   // accesses at a time, 1 to 64: Ibex and CV32E40P have two at most
) (
  input  wire              clk,
  input  wire              rst, // of the probe, and of the bus (docs/taps.md)
  input  wire              obi_req,
  input  wire              obi_gnt,
  input  wire [ADDR_W-1:0] obi_addr,
  input  wire              obi_we,
  input  wire [3:0]        obi_be,
  input  wire [31:0]       obi_wdata,
  input  wire              obi_fetch,  // instruction fetch: memtype or prot, or 1 on that side
  input  wire              obi_rvalid,
  input  wire              obi_rready, // 1 where there is none
  input  wire [31:0]       obi_rdata,
  input  wire              obi_err,    // 0 where there is none
  output wire              tx_valid,
  output wire [1:0]        tx_kind,
  output wire [31:0]       tx_addr,
  output wire [31:0]       tx_data,
  output wire [3:0]        tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_obi: illegal ADDR_W");
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK, MARK_MISSED = `ES_MARK_GAP_FIRST;
  localparam WIDTH = 2 + ADDR_W - 2 + 4 + 32;

  wire              known, missed, waits;
  wire              we, fetch;
  wire [ADDR_W-3:0] addr;
  wire [3:0]        be;
  wire [31:0]       wdata;
  es_tap_queue #(.WIDTH(WIDTH), .DEPTH(OUTSTANDING)) queue (
    .clk(clk), .rst(rst), .begins(obi_req && obi_gnt),
    .begun({obi_we, obi_fetch, obi_addr[ADDR_W-1:2], obi_be, obi_wdata}),
    .ends(obi_rvalid && obi_rready), .known(known), .ended({we, fetch, addr, be, wdata}),
    .missed(missed), .waits(waits)
  );

  wire [31:0] word;
  wire [3:0]  lanes;
  es_tap_lanes #(.DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) normalise (
    .address(2'd0), .data(we ? wdata : obi_rdata), .lanes(be), .word(word), .word_lanes(lanes)
  );

  assign tx_valid = (known && !obi_err && !(we && be == 4'd0) || missed) && !rst;
  assign tx_kind  = missed ? KIND_MARK[1:0] : we ? KIND_WRITE[1:0] :
                    fetch ? KIND_FETCH[1:0] : KIND_READ[1:0];
  assign tx_addr  = {{(32 - ADDR_W){1'b0}}, addr, 2'd0};
  assign tx_data  = word;
  assign tx_lanes = missed ? MARK_MISSED[3:0] : lanes;

  wire unused = &{1'b0, waits, obi_addr[1:0]};
endmodule

`resetall
