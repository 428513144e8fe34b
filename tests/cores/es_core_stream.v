/* es_core_stream: a retire tap's transactions, up to three in a clock, one after the other on a
 * valid/ready bus, so that the simulated probe hears them as it hears the reference target.
 * `empty` when all that has come has left. A processor that retires more than can leave makes
 * `overrun` go high for good.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_core_stream (
  input  wire        clk,
  input  wire        rst,
  input  wire [2:0]  tx_valid,
  input  wire [5:0]  tx_kind,
  input  wire [95:0] tx_addr,
  input  wire [95:0] tx_data,
  input  wire [11:0] tx_lanes,

  output wire        bus_valid,
  output wire        bus_fetch,
  output wire [31:0] bus_addr,
  output wire [31:0] bus_wdata,
  output wire [3:0]  bus_wstrb,
  output wire [3:0]  bus_lanes,
  output wire [31:0] bus_rdata,
  output wire        empty,
  output reg         overrun
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH;

  reg [212:0] rows [0:15];
  reg [3:0]   first, past;
  reg [2:0]   left; // of the row at the head

  wire [3:0]  next = past + 4'd1;
  wire        some = first != past;
  wire [2:0]  valid;
  wire [5:0]  kind;
  wire [95:0] addr, data;
  wire [11:0] lanes;
  assign {valid, kind, addr, data, lanes} = rows[first];

  wire [2:0]  now = valid & left;
  wire [1:0]  at = now[0] ? 2'd0 : now[1] ? 2'd1 : 2'd2;
  wire [2:0]  after = now & (now - 3'd1);
  wire [1:0]  kind_now = kind[2*at+:2];

  always @(posedge clk) begin
    if (|tx_valid) begin
      rows[past] <= {tx_valid, tx_kind, tx_addr, tx_data, tx_lanes};
      past <= next;
      if (next == first) overrun <= 1'b1;
    end
    if (some) begin
      left <= after;
      if (after == 3'd0) begin
        first <= first + 4'd1;
        left <= 3'd7;
      end
    end
    if (rst) begin
      first <= 4'd0;
      past <= 4'd0;
      left <= 3'd7;
      overrun <= 1'b0;
    end
  end

  assign empty     = !some;
  assign bus_valid = some;
  assign bus_fetch = kind_now == KIND_FETCH[1:0];
  assign bus_addr  = addr[32*at+:32];
  assign bus_wdata = data[32*at+:32];
  assign bus_rdata = data[32*at+:32];
  assign bus_lanes = lanes[4*at+:4];
  assign bus_wstrb = kind_now == KIND_WRITE[1:0] ? lanes[4*at+:4] : 4'd0;

endmodule

`resetall
