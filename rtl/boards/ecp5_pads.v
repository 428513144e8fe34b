`resetall
`timescale 1ns/1ps
`default_nettype none

// Input pins that are sampled in their pads: the register stands beside the pin, so that no routing
// lies between, and what is sampled at an edge of clk was there at that edge for all pins alike.
// Pull-ups are the constraints' file's.
module ecp5_pads #(
  parameter WIDTH = 1
) (
  input  wire             clk,
  input  wire [WIDTH-1:0] pins,
  output wire [WIDTH-1:0] sampled
);
  genvar g;
  generate
    for (g = 0; g < WIDTH; g = g + 1) begin : pad
      IFS1P3DX io (.D(pins[g]), .SP(1'b1), .SCLK(clk), .CD(1'b0), .Q(sampled[g]));
    end
  endgenerate
endmodule

`resetall
