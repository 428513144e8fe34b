/* es_core_same: whether two sources tell the same accesses in the same order, neither far ahead of
 * the other: the bus, and a tap that has worked out what goes there. `different` stays.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_core_same #(
  parameter WIDTH = 1
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             a_valid,
  input  wire [WIDTH-1:0] a,
  input  wire             b_valid,
  input  wire [WIDTH-1:0] b,
  output reg              different
);
  localparam PLACE_W = 6;

  reg [WIDTH-1:0]   rows_a [0:(1<<PLACE_W)-1], rows_b [0:(1<<PLACE_W)-1];
  reg [PLACE_W-1:0] past_a, past_b, both;

  always @(posedge clk) begin
    if (a_valid) begin
      rows_a[past_a] <= a;
      past_a <= past_a + 1'b1;
      if (past_a + 1'b1 == both) different <= 1'b1;
    end
    if (b_valid) begin
      rows_b[past_b] <= b;
      past_b <= past_b + 1'b1;
      if (past_b + 1'b1 == both) different <= 1'b1;
    end
    if (both != past_a && both != past_b) begin
      both <= both + 1'b1;
      if (rows_a[both] != rows_b[both]) different <= 1'b1;
    end
    if (rst) begin
      past_a <= {PLACE_W{1'b0}};
      past_b <= {PLACE_W{1'b0}};
      both <= {PLACE_W{1'b0}};
      different <= 1'b0;
    end
  end
endmodule

`resetall
