`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Pins that the firmware drives: eight for pulses, one that asks the target to halt. All low after
// reset. A pulse is high for ES_TRIGGER_CLOCKS clocks; a write to REG_TRIGGER meanwhile raises its
// pins too and begins that time anew for all that are high.
module es_outputs (
  input  wire       clk,
  input  wire       rst,
  input  wire       set_pulses, // REG_TRIGGER is written
  input  wire       set_halt,   // REG_HALT
  input  wire [7:0] wdata,
  output reg  [7:0] trigger,
  output reg        halt,
  output wire       calm        // a clock without a write would change nothing
);
  localparam [31:0] CLOCKS = `ES_TRIGGER_CLOCKS;

  reg [4:0] left; // clocks after this one

  initial begin
    if (CLOCKS < 2 || CLOCKS > 32) $error("es_outputs: ES_TRIGGER_CLOCKS must be 2 to 32");
  end

  assign calm = trigger == 0;

  always @(posedge clk) begin
    if (set_pulses) begin
      trigger <= trigger | wdata;
      left    <= CLOCKS[4:0] - 5'd1;
    end else if (left != 0) begin
      left <= left - 5'd1;
    end else begin
      trigger <= 0;
    end
    if (set_halt) halt <= wdata[0];
    if (rst) begin
      trigger <= 0;
      halt    <= 1'b0;
    end
  end

  wire unused = &{1'b0, CLOCKS[31:5]};
endmodule

`resetall
