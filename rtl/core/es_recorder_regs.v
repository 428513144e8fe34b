`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The recorder's registers (interface/probe.def, REG_REC_*), in the registers' clock domain. What is
// written here while it records has an effect on records that are executed after that.
module es_recorder_regs #(
  parameter ADDR_W = 32
) (
  input  wire              clk,
  input  wire              rst,
  input  wire              wr,
  input  wire [6:2]        offset,       // less 0x80, in words
  input  wire [31:0]       wdata,

  output wire              start,        // pulses
  output wire              beat,
  output wire              stop,
  output reg  [23:8]       period,       // bits of a time that are another period's where they change
  // Of vectors and quiet regions, each two: addresses, bits of them that count, and that there is
  // none. es_recorder_watch says which bits of an address these are.
  output reg  [ADDR_W-1:1] vector0,
  output reg  [ADDR_W-1:1] vector1,
  output reg  [7:1]        mask0,
  output reg  [7:1]        mask1,
  output reg  [ADDR_W-1:12] quiet0,
  output reg  [ADDR_W-1:12] quiet1,
  output reg  [ADDR_W-1:12] quiet_mask0,
  output reg  [ADDR_W-1:12] quiet_mask1,
  output reg  [1:0]        no_vector,
  output reg  [1:0]        no_quiet
);
  localparam [31:0] BASE = `ES_REG_REC_CTRL;
  localparam [31:0] CTRL = `ES_REG_REC_CTRL - BASE, PERIOD = `ES_REG_REC_PERIOD - BASE,
    VECTOR = `ES_REG_REC_VECTOR - BASE, MASK = `ES_REG_REC_MASK - BASE,
    QUIET = `ES_REG_REC_QUIET - BASE, QUIET_MASK = `ES_REG_REC_QUIET_MASK - BASE;
  localparam [31:0] VECTOR1 = VECTOR + 8, MASK1 = MASK + 8, QUIET1 = QUIET + 8,
    QUIET1_MASK = QUIET_MASK + 8;
  localparam [31:0] START = `ES_REC_START, HEARTBEAT = `ES_REC_HEARTBEAT, STOP = `ES_REC_STOP;

  wire control = wr && offset == CTRL[6:2];
  assign start = control && |(wdata & START);
  assign beat  = control && |(wdata & HEARTBEAT);
  assign stop  = control && |(wdata & STOP);

  always @(posedge clk) begin
    if (wr) case (offset)
      PERIOD[6:2]: period <= wdata[23:8];
      VECTOR[6:2]: {vector0, no_vector[0]} <= wdata[ADDR_W-1:0];
      MASK[6:2]: mask0 <= wdata[7:1];
      VECTOR1[6:2]: {vector1, no_vector[1]} <= wdata[ADDR_W-1:0];
      MASK1[6:2]: mask1 <= wdata[7:1];
      QUIET[6:2]: {quiet0, no_quiet[0]} <= {wdata[ADDR_W-1:12], wdata[0]};
      QUIET_MASK[6:2]: quiet_mask0 <= wdata[ADDR_W-1:12];
      QUIET1[6:2]: {quiet1, no_quiet[1]} <= {wdata[ADDR_W-1:12], wdata[0]};
      QUIET1_MASK[6:2]: quiet_mask1 <= wdata[ADDR_W-1:12];
      default: ;
    endcase
    if (rst) begin
      no_vector <= 2'b11;
      no_quiet  <= 2'b11;
    end
  end

  wire unused = &{1'b0, VECTOR[31:7], wdata};
endmodule

`resetall
