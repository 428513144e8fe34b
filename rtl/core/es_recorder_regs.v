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
  input  wire [6:0]        offset,       // less 0x80
  input  wire [31:0]       wdata,

  output wire              start,        // pulses
  output wire              beat,
  output wire              stop,
  output reg  [23:0]       period,       // ones: bits of a time in which it does not change
  // address and mask of vectors in halves of words, of quiet regions in words; _none: there is none
  output reg  [ADDR_W-2:0] vector0,
  output reg  [ADDR_W-2:0] vector0_mask,
  output reg               vector0_none,
  output reg  [ADDR_W-2:0] vector1,
  output reg  [ADDR_W-2:0] vector1_mask,
  output reg               vector1_none,
  output reg  [ADDR_W-3:0] quiet0,
  output reg  [ADDR_W-3:0] quiet0_mask,
  output reg               quiet0_none,
  output reg  [ADDR_W-3:0] quiet1,
  output reg  [ADDR_W-3:0] quiet1_mask,
  output reg               quiet1_none
);
  localparam [31:0] BASE = `ES_REG_REC_CTRL;
  localparam [31:0] CTRL = `ES_REG_REC_CTRL - BASE, PERIOD = `ES_REG_REC_PERIOD - BASE,
    VECTOR = `ES_REG_REC_VECTOR - BASE, MASK = `ES_REG_REC_MASK - BASE,
    QUIET = `ES_REG_REC_QUIET - BASE, QUIET_MASK = `ES_REG_REC_QUIET_MASK - BASE;
  localparam [31:0] VECTOR1 = VECTOR + 8, MASK1 = MASK + 8, QUIET1 = QUIET + 8,
    QUIET1_MASK = QUIET_MASK + 8;
  localparam [31:0] START = `ES_REC_START, HEARTBEAT = `ES_REC_HEARTBEAT, STOP = `ES_REC_STOP;

  wire control = wr && offset == CTRL[6:0];
  assign start = control && |(wdata & START);
  assign beat  = control && |(wdata & HEARTBEAT);
  assign stop  = control && |(wdata & STOP);

  // a period of 2^n clocks: the n lowest bits
  wire [31:0] below = ~(32'hFFFFFFFF << wdata[4:0]);

  always @(posedge clk) begin
    if (wr) case (offset)
      PERIOD[6:0]: period <= below[23:0];
      VECTOR[6:0]: {vector0, vector0_none} <= {wdata[ADDR_W-1:1], wdata[0]};
      MASK[6:0]: vector0_mask <= wdata[ADDR_W-1:1];
      VECTOR1[6:0]: {vector1, vector1_none} <= {wdata[ADDR_W-1:1], wdata[0]};
      MASK1[6:0]: vector1_mask <= wdata[ADDR_W-1:1];
      QUIET[6:0]: {quiet0, quiet0_none} <= {wdata[ADDR_W-1:2], wdata[0]};
      QUIET_MASK[6:0]: quiet0_mask <= wdata[ADDR_W-1:2];
      QUIET1[6:0]: {quiet1, quiet1_none} <= {wdata[ADDR_W-1:2], wdata[0]};
      QUIET1_MASK[6:0]: quiet1_mask <= wdata[ADDR_W-1:2];
      default: ;
    endcase
    if (rst) begin
      period       <= 24'h00FFFF;
      vector0_none <= 1'b1;
      vector1_none <= 1'b1;
      quiet0_none  <= 1'b1;
      quiet1_none  <= 1'b1;
    end
  end

  wire unused = &{1'b0, VECTOR[31:7], wdata, below};
endmodule

`resetall
