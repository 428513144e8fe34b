/* es_target_messages: the message device of the multi-core reference target (docs/target.md), for
 * simulation.
 *
 * From every core to every core, itself too, there is one slot for one message of one word. A slot
 * is filled by SEND of its source and emptied by RECV of its destination. A message that was sent
 * in clock t has arrived from clock t + latency on; a slot that was emptied in clock t is free
 * from clock t + latency on, which is when its source can know it: SEND and TAKEN wait for that.
 * "In clock t" is the clock in which the access ends on the core's bus, as its tap sees it.
 *
 * Every core has a port of its own, all work in the same clock, and no core can delay another but
 * by its messages. Where several messages compete (ANY), the lowest source wins. An access is
 * accepted at the end of a clock, from the state before it, and ends in the next one, with `ack`;
 * so it takes two clocks where nothing has to be waited for. What waits asks again in every clock.
 *
 * `cycle` must count the clocks, but clocks in which no request stands may be left out. Register
 * offsets: interface/probe.def.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_messages (
  input  wire         clk,
  input  wire         rst,
  input  wire [63:0]  cycle,    // the clock that ends with this edge
  input  wire [3:0]   cores,    // 1 to 8
  input  wire [7:0]   latency,  // 1 to 255

  // one port a core, the lowest first
  input  wire [7:0]   req,      // stands until ack or none
  input  wire [63:0]  offset,   // of the register, in bytes; 8 bits a core
  input  wire [7:0]   write,    // all four lanes are written; other writes have no register
  input  wire [7:0]   read,
  input  wire [255:0] wdata,
  output reg  [7:0]   ack,      // for one clock
  output reg  [7:0]   none,     // there is no such register; stays
  output reg  [255:0] rdata
);

  localparam [31:0] ANY = `ES_TARGET_MSG_ANY, READY = `ES_TARGET_MSG_READY,
    FREE = `ES_TARGET_MSG_FREE;
  localparam [31:0] SELF = `ES_TARGET_MSG_SELF, TEST = `ES_TARGET_MSG_TEST;
  localparam [31:0] RECV = `ES_TARGET_MSG_RECV, SEND = `ES_TARGET_MSG_SEND,
    TAKEN = `ES_TARGET_MSG_TAKEN;

  // Slots: 8 * source + destination.
  reg [63:0] full;
  reg [31:0] word [0:63];
  // full: the clock from which on the message has arrived; else: the slot is free
  reg [63:0] due  [0:63];

  wire [63:0] now = cycle + 64'd1;  // the clock in which an access that is accepted now ends

  // Read and written by the block below only. What one core changes, no other sees at the same edge, because latency is not 0: the
  // order in which the block looks at the cores does not matter.
  /* verilator lint_off BLKSEQ */
  reg [7:0]  at;
  reg [2:0]  peer;
  reg [5:0]  slot;
  reg [7:0]  arrived, free;
  reg        take, put, done;
  reg [31:0] value;
  integer    c, i;

  always @(posedge clk) begin
    ack <= 8'd0;
    for (c = 0; c < 8; c = c + 1) begin
      if (req[c] && !ack[c] && !none[c]) begin
        at    = {offset[8*c+2 +: 6], 2'd0};
        peer  = at[4:2];
        take  = 1'b0;
        put   = 1'b0;
        done  = 1'b1;
        value = 32'd0;
        for (i = 0; i < 8; i = i + 1) begin
          arrived[i] = full[8*i+c] && now >= due[8*i+c];
          free[i]    = !full[8*c+i] && now >= due[8*c+i] && i < {28'd0, cores};
        end

        if (read[c] && at == SELF[7:0])
          value = {8'd0, latency, 4'd0, cores, 8'd0} | c;
        else if (read[c] && at == READY[7:0])
          value = {24'd0, arrived};
        else if (read[c] && at == FREE[7:0])
          value = {24'd0, free};
        else if (read[c] && at == ANY[7:0]) begin
          done  = arrived != 8'd0;
          value = arrived[0] ? 32'd0 : arrived[1] ? 32'd1 : arrived[2] ? 32'd2 : arrived[3] ? 32'd3 :
                  arrived[4] ? 32'd4 : arrived[5] ? 32'd5 : arrived[6] ? 32'd6 : 32'd7;
        end else if (read[c] && at[7:5] == TEST[7:5] && {1'b0, peer} < cores)
          value = {31'd0, arrived[peer]};
        else if (read[c] && at[7:5] == RECV[7:5] && {1'b0, peer} < cores) begin
          take = arrived[peer];
          done = take;
        end else if (write[c] && at[7:5] == SEND[7:5] && {1'b0, peer} < cores) begin
          put  = free[peer];
          done = put;
        end else if (read[c] && at[7:5] == TAKEN[7:5] && {1'b0, peer} < cores) begin
          done = free[peer];
        end else begin
          done = 1'b0;
          none[c] <= 1'b1;
        end

        if (take) begin
          slot       = {peer, 3'd0} | c[5:0];
          value      = word[slot];
          full[slot] = 1'b0;
          due[slot]  = now + {56'd0, latency};
        end
        if (put) begin
          slot       = {c[2:0], peer};
          word[slot] = wdata[32*c +: 32];
          full[slot] = 1'b1;
          due[slot]  = now + {56'd0, latency};
        end
        ack[c]           <= done;
        rdata[32*c +: 32] <= value;
      end
    end
    if (rst) begin
      full = 64'd0;
      ack  <= 8'd0;
      none <= 8'd0;
      for (i = 0; i < 64; i = i + 1)
        due[i] = 64'd0;
    end
  end
  /* verilator lint_on BLKSEQ */

endmodule

`resetall
