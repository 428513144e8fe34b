`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of an AHB-Lite bus, at a master's port or a slave's. A transfer's address phase is a clock
// with hready, hsel and htrans NONSEQ or SEQ; it is told in the last clock of its data phase, the
// next one with hready. One that ends with hresp ERROR is not told. The beats of a burst are
// transfers like others, IDLE and BUSY are none. There is never more than one in its data phase, so
// nothing can be missed.
//
// With exclusive transfers (AHB5), a store that fails changes nothing: connect hresp to
// `HRESP || exclusive_write && !HEXOKAY`.
//
// Source: AMBA 3 AHB-Lite Protocol (ARM IHI 0033A), 3 and 5.
module es_tap_ahb #(
  parameter ADDR_W     = 32, // bits of the byte address, 16 to 32
  parameter BIG_ENDIAN = 0   // 1: the byte at the lowest address is in hwdata[31:24] (word-invariant)
) (
  input  wire              clk,
  input  wire              rst, // of the probe, and of the bus (docs/taps.md)
  input  wire              hsel,   // of the slave's port; 1 at a master's
  input  wire [1:0]        htrans,
  input  wire              hwrite,
  input  wire [2:0]        hsize,
  input  wire              hfetch, // instruction fetch: !HPROT[0], or 1 on an instruction bus
  input  wire [ADDR_W-1:0] haddr,
  input  wire [31:0]       hwdata,
  input  wire [31:0]       hrdata,
  input  wire              hready, // what all slaves see, not one slave's own
  input  wire              hresp,
  output wire              tx_valid,
  output wire [1:0]        tx_kind,
  output wire [31:0]       tx_addr,
  output wire [31:0]       tx_data,
  output wire [3:0]        tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_ahb: illegal ADDR_W");
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH;

  // ---- the transfer in its data phase ----
  reg              waits, write, fetch;
  reg [ADDR_W-1:0] addr;
  reg [1:0]        size; // 2: a word

  always @(posedge clk) begin
    if (hready) begin
      waits <= hsel && htrans[1];
      write <= hwrite;
      fetch <= hfetch;
      addr  <= haddr;
      size  <= hsize > 3'd2 ? 2'd2 : hsize[1:0];
    end
    if (rst) waits <= 1'b0;
  end

  wire [3:0] lanes = size == 2'd0 ? 4'b0001 << addr[1:0] :
                     size == 2'd1 ? (addr[1] ? 4'b1100 : 4'b0011) : 4'b1111;
  wire [3:0] bus_lanes = BIG_ENDIAN != 0 ? {lanes[0], lanes[1], lanes[2], lanes[3]} : lanes;

  es_tap_lanes #(.DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) normalise (
    .address(2'd0), .data(write ? hwdata : hrdata), .lanes(bus_lanes), .word(tx_data),
    .word_lanes(tx_lanes)
  );

  assign tx_valid = waits && hready && !hresp && !rst;
  assign tx_kind  = write ? KIND_WRITE[1:0] : fetch ? KIND_FETCH[1:0] : KIND_READ[1:0];
  assign tx_addr  = {{(32 - ADDR_W){1'b0}}, addr[ADDR_W-1:2], 2'd0};

  wire unused = &{1'b0, htrans[0]};
endmodule

`resetall
