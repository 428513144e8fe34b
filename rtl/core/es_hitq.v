`resetall
`timescale 1ns/1ps
`default_nettype none

// Hit queue: a few records in flip-flops, the head always at the output. `push` only while `free`
// is not 0, `pop` only while `valid`; others are ignored.
module es_hitq #(
  parameter WIDTH = 8, // bits of a hit
  parameter LOG2  = 2  // log2 of hits, 1 to 5
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             push,
  input  wire [WIDTH-1:0] push_data,
  output wire [LOG2:0]    free,      // places
  input  wire             pop,
  output wire             valid,
  output wire [WIDTH-1:0] head
);
  initial begin
    if (LOG2 < 1 || LOG2 > 5) $error("es_hitq: illegal parameter");
  end

  localparam DEPTH = 1 << LOG2;

  reg [WIDTH-1:0] places [0:DEPTH-1];
  reg [LOG2:0]    wr;
  reg [LOG2:0]    rd;

  assign free  = DEPTH[LOG2:0] - (wr - rd);
  assign valid = wr != rd;
  assign head  = places[rd[LOG2-1:0]];

  always @(posedge clk) begin
    if (push && free != 0) begin
      places[wr[LOG2-1:0]] <= push_data;
      wr <= wr + 1'b1;
    end
    if (pop && valid) rd <= rd + 1'b1;
    if (rst) begin
      wr <= 0;
      rd <= 0;
    end
  end
endmodule

`resetall
