`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of a valid/ready memory bus, as many soft cores have: a transaction is a clock with bus_valid
// and bus_ready. The tap adds no clock, so a transaction's time is its clock on the bus. A
// transaction with write strobes is a write, whatever bus_fetch says.
module es_tap_memvalid #(
  parameter ADDR_W     = 32, // bits of the byte address, 16 to 32
  parameter DATA_W     = 32, // bits of the data bus: 8, 16 or 32
  parameter BIG_ENDIAN = 0
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                bus_valid,
  input  wire                bus_ready,
  input  wire                bus_fetch,  // instruction fetch
  input  wire [ADDR_W-1:0]   bus_addr,   // byte address; bits below the bus width do not matter
  input  wire [DATA_W-1:0]   bus_wdata,
  input  wire [DATA_W-1:0]   bus_rdata,
  input  wire [DATA_W/8-1:0] bus_wstrb,  // 0: read
  input  wire [DATA_W/8-1:0] bus_lanes,  // bytes concerned by a read
  output wire                tx_valid,
  output wire [1:0]          tx_kind,
  output wire [31:0]         tx_addr,
  output wire [31:0]         tx_data,
  output wire [3:0]          tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_memvalid: illegal ADDR_W");
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ;
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE;
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;

  wire is_write = |bus_wstrb;

  assign tx_valid = bus_valid && bus_ready && !rst;
  assign tx_kind  = is_write ? KIND_WRITE[1:0] : bus_fetch ? KIND_FETCH[1:0] : KIND_READ[1:0];
  assign tx_addr  = {{(32 - ADDR_W){1'b0}}, bus_addr[ADDR_W-1:2], 2'd0};

  es_tap_lanes #(.DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) normalise (
    .address(bus_addr[1:0]), .data(is_write ? bus_wdata : bus_rdata),
    .lanes(is_write ? bus_wstrb : bus_lanes), .word(tx_data), .word_lanes(tx_lanes)
  );

  wire unused = &{1'b0, clk};
endmodule

`resetall
