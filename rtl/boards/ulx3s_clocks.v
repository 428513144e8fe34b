`resetall
`timescale 1ns/1ps
`default_nettype none

// Clocks and resets of the ULX3S's boards, from its oscillator of 25 MHz: one for the tap, one for
// the probe, each of a PLL of its own. Nothing relies on any relation between them: all that
// crosses goes through es_fifo_async and es_sync.
module ulx3s_clocks #(
  parameter TAP_TIMES  = 32, // clk_tap: 25 MHz times this, which is 400 to 800,
  parameter TAP_DIVIDER = 5, // ... divided by this
  parameter TIMES      = 24, // clk in the same way
  parameter DIVIDER    = 10
) (
  input  wire clk_25mhz,
  output wire clk_tap,
  output wire rst_tap,
  output wire clk,
  output reg  rst
);
  wire [1:0] pll_locked;
  wire [1:0] locked;

  ecp5_pll #(.TIMES(TAP_TIMES), .DIVIDER(TAP_DIVIDER)) tap_pll (
    .in(clk_25mhz), .out(clk_tap), .locked(pll_locked[0])
  );
  ecp5_pll #(.TIMES(TIMES), .DIVIDER(DIVIDER)) pll (
    .in(clk_25mhz), .out(clk), .locked(pll_locked[1])
  );

  // Registers start as 0. The reset lasts 63 probe clocks from the PLLs' lock; the tap's follows
  // it.
  reg [5:0] rst_count = 6'd0;
  wire      lock_settled, rst_settled;
  initial rst = 1'b1;

  es_sync #(.WIDTH(2)) lock_sync (
    .clk(clk), .rst(1'b0), .in(pll_locked), .out(locked), .settled(lock_settled)
  );
  es_sync #(.RESET(1)) rst_sync (
    .clk(clk_tap), .rst(1'b0), .in(rst), .out(rst_tap), .settled(rst_settled)
  );

  always @(posedge clk) begin
    if (!(&locked)) rst_count <= 6'd0;
    else if (!(&rst_count)) rst_count <= rst_count + 6'd1;
    rst <= !(&rst_count);
  end

  wire unused = &{1'b0, lock_settled, rst_settled};
endmodule

`resetall
