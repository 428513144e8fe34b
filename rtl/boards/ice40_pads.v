`resetall
`timescale 1ns/1ps
`default_nettype none

// Input pins that are sampled in their pads: the register stands beside the pin, so that no routing
// lies between, and what is sampled at an edge of clk was there at that edge for all pins alike.
// Their outputs are drivers of nothing on the pins' side.
module ice40_pads #(
  parameter WIDTH  = 1,
  parameter PULLUP = 0 // 1: pulled up, read as 1 while left open
) (
  input  wire             clk,
  input  wire [WIDTH-1:0] pins,
  output wire [WIDTH-1:0] sampled
);
  genvar g;
  generate
    for (g = 0; g < WIDTH; g = g + 1) begin : pad
      // PIN_TYPE: no output, registered input
      SB_IO #(.PIN_TYPE(6'b000000), .PULLUP(PULLUP != 0)) io (
        .PACKAGE_PIN(pins[g]), .INPUT_CLK(clk), .D_IN_0(sampled[g])
      );
    end
  endgenerate
endmodule

`resetall
