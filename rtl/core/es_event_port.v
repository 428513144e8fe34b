`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The registers that build event frames (REG_EV_*), in front of the event queue. EV_HIT appends the
// five words that every HIT frame begins with, one a clock from the clock of the write on; EV_LAST
// appends one word and ends the frame in the clock after. The next write to any of these registers,
// and the pop of the hit, come at least five clocks after an EV_HIT and two after an EV_LAST:
// es_cpu needs one other instruction between.
//
// Frames' sequence numbers are counted here, from 0 whenever the soft core starts. A frame that the
// queue drops for lack of room has used its number up, so that its loss is seen.
module es_event_port (
  input  wire        clk,
  input  wire        rst,
  input  wire        run,        // CPU_CTRL

  // writes; at most one in a clock
  input  wire        put,        // EV_DATA
  input  wire        put_head,   // EV_HEAD
  input  wire        put_hit,    // EV_HIT
  input  wire        put_last,   // EV_LAST
  input  wire        finish,     // EV_END
  input  wire        set_flags,  // EV_FLAGS
  input  wire        hit_pop,
  input  wire [31:0] wdata,
  output reg  [15:0] flags,

  // head of the hit queue
  input  wire [31:0] hit_time,
  input  wire [31:0] time_high,
  input  wire [31:0] hit_pc,

  output wire        ev_push,
  output reg  [31:0] ev_data,
  output wire        ev_end
);
  localparam [31:0] FRAME_HIT = `ES_FRAME_HIT;

  reg [15:0] sequence_number;
  reg [15:0] statement;
  reg [2:0]  step;       // word of EV_HIT that is appended in this clock; 0: none, or the first
  reg        ends;       // the clock after EV_LAST

  assign ev_push = put || put_head || put_hit || put_last || step != 0;
  assign ev_end  = finish || ends;

  always @* begin
    case (step)
      3'd1: ev_data = hit_time;
      3'd2: ev_data = time_high;
      3'd3: ev_data = {flags, statement};
      3'd4: ev_data = hit_pc;
      default: ev_data = put_hit  ? {sequence_number, wdata[23:16], FRAME_HIT[7:0]} :
                         put_head ? {sequence_number, wdata[15:0]} : wdata;
    endcase
  end

  always @(posedge clk) begin
    ends <= put_last;
    if (put_hit) statement <= wdata[15:0];
    if (set_flags) flags <= wdata[15:0];
    if (put_hit || put_head) sequence_number <= sequence_number + 1'b1;
    if (put_hit) step <= 3'd1;
    else if (step != 0) step <= step == 3'd4 ? 3'd0 : step + 3'd1;
    if (!run) begin
      flags           <= 0;
      sequence_number <= 0;
      step            <= 0;
    end
    if (rst) ends <= 1'b0; // `run` is low as well
  end

`ifdef ES_CHECKS // for simulation: the rule above, kept by the firmware
  always @(posedge clk) begin
    if ((put || put_head || put_hit || put_last || finish || set_flags || hit_pop) &&
        (step != 0 || ends) && run) begin
      $error("es_event_port: written too early after EV_HIT or EV_LAST");
    end
  end
`endif

  wire unused = &{1'b0, hit_pop};
endmodule

`resetall
