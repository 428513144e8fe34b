/* es_core_stream: a retire tap's transactions, up to three in a clock, one after the other on a
 * valid/ready bus, so that the simulated probe hears them as it hears the reference target; and
 * with them what a log wants to know of the same instruction, in the clock after its last one.
 * `empty` when all that has come has left. A processor that retires more than can leave, for long,
 * makes `overrun` go high for good.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_core_stream #(
  parameter LOG_W = 1
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [2:0]       tx_valid,
  input  wire [5:0]       tx_kind,
  input  wire [95:0]      tx_addr,
  input  wire [95:0]      tx_data,
  input  wire [11:0]      tx_lanes,
  input  wire [LOG_W-1:0] log_in,

  output wire             bus_valid,
  output wire             bus_fetch,
  output wire [31:0]      bus_addr,
  output wire [31:0]      bus_wdata,
  output wire [3:0]       bus_wstrb,
  output wire [3:0]       bus_lanes,
  output wire [31:0]      bus_rdata,
  output wire             empty,
  output reg              overrun,
  output reg              log_valid,
  output reg  [LOG_W-1:0] log_out
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH;
  localparam PLACE_W = 16; // a loop in a cache that does little but access memory is ahead for long
  localparam ROW_W = 213 + LOG_W;

  reg [ROW_W-1:0]   rows [0:(1<<PLACE_W)-1];
  reg [PLACE_W-1:0] first, past;
  reg [2:0]         left; // of the row at the head

  wire [PLACE_W-1:0] next = past + 1'b1;
  wire               some = first != past;
  wire [2:0]         valid;
  wire [5:0]         kind;
  wire [95:0]        addr, data;
  wire [11:0]        lanes;
  wire [LOG_W-1:0]   told;
  assign {valid, kind, addr, data, lanes, told} = rows[first];

  wire [2:0]  now = valid & left;
  wire [1:0]  at = now[0] ? 2'd0 : now[1] ? 2'd1 : 2'd2;
  wire [2:0]  after = now & (now - 3'd1);
  wire [1:0]  kind_now = kind[2*at+:2];

  always @(posedge clk) begin
    log_valid <= some && after == 3'd0 && !rst;
    log_out   <= told;
    if (|tx_valid) begin
      rows[past] <= {tx_valid, tx_kind, tx_addr, tx_data, tx_lanes, log_in};
      past <= next;
      if (next == first) overrun <= 1'b1;
    end
    if (some) begin
      left <= after;
      if (after == 3'd0) begin
        first <= first + 1'b1;
        left <= 3'd7;
      end
    end
    if (rst) begin
      first <= {PLACE_W{1'b0}};
      past <= {PLACE_W{1'b0}};
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
