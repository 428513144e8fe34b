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
  reg [LOG2:0]    level;
  wire            do_pop = pop && valid;
  wire            do_push = push && free != 0;
  wire [LOG2:0]   level_after_pop = level - {{LOG2{1'b0}}, do_pop};

  assign free  = DEPTH[LOG2:0] - level;
  assign valid = level != 0;
  assign head  = places[0];

  integer i;
  always @(posedge clk) begin
    if (do_pop) begin
      for (i = 0; i < DEPTH - 1; i = i + 1) places[i] <= places[i + 1];
    end
    if (do_push) begin
      for (i = 0; i < DEPTH; i = i + 1) begin
        if (level_after_pop == i[LOG2:0]) places[i] <= push_data;
      end
    end
  end

  always @(posedge clk) begin
    level <= level_after_pop + {{LOG2{1'b0}}, do_push};
    if (rst) level <= 0;
  end
endmodule

`resetall
