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

  // A shift register: place 0 is the head, so that nothing has to choose it. All free places load
  // what is pushed; what counts is in `taken`.
  reg [WIDTH-1:0] places [0:DEPTH-1];
  reg [DEPTH-1:0] taken;   // from place 0 up
  reg [LOG2:0]    left;    // free places
  wire            out = pop && taken[0];
  wire            in = push && left != 0;
  wire [DEPTH-1:0] after_pop = out ? taken >> 1 : taken;

  assign free  = left;
  assign valid = taken[0];
  assign head  = places[0];

  integer i;
  always @(posedge clk) begin
    for (i = 0; i < DEPTH; i = i + 1) begin
      if (i < DEPTH - 1 && taken[(i + 1) % DEPTH]) begin
        if (out) places[i] <= places[(i + 1) % DEPTH];
      end else if (in && !after_pop[i]) begin
        places[i] <= push_data;
      end
    end
    taken <= in ? {after_pop[DEPTH-2:0], 1'b1} : after_pop;
    if (in && !out) left <= left - 1'b1;
    if (out && !in) left <= left + 1'b1;
    if (rst) begin
      taken <= 0;
      left  <= DEPTH[LOG2:0];
    end
  end
endmodule

`resetall
