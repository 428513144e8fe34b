/* Multiplication and division (M), each in a fixed number of clocks whatever the operands.
 *
 * A multiplication takes two clocks after `start`: one for the product of 33 signed bits, which
 * synthesis makes of DSP blocks, and one in which its half is there. A division makes one bit of
 * the quotient in a clock, from the magnitudes, and the signs are put right in the last. Division
 * by zero and the overflow of signed division come out as the manual says without a case of their
 * own, save that the quotient -1 keeps its sign.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_muldiv (
  input  wire        clk,
  input  wire        start,    // the operands stand here
  input  wire        working,  // in each clock after `start`, up to and with that of `done`
  input  wire [2:0]  funct3,   // from `start` on
  input  wire [31:0] rs1,
  input  wire [31:0] rs2,
  output wire        done,
  output wire [31:0] result    // with `done`
);

  localparam [5:0] MULTIPLY_STEPS = 6'd1;
  localparam [5:0] DIVIDE_STEPS   = 6'd32;

  wire divide    = funct3[2];
  wire remainder = funct3[1];  // of a division
  wire has_signs = !funct3[0]; // of a division

  // --- operands ---

  wire sign1 = rs1[31] && (divide ? has_signs : funct3[1:0] != 2'd3);
  wire sign2 = rs2[31] && (divide ? has_signs : !funct3[1]);

  wire [31:0] magnitude1 = sign1 ? -rs1 : rs1;
  wire [31:0] magnitude2 = sign2 ? -rs2 : rs2;

  reg signed [32:0] factor1, factor2;  // the second: also the divisor
  reg        [63:0] accumulator;       // product; or remainder and, from below, the quotient
  reg        [5:0]  left;
  reg               negate;

  // --- steps ---

  wire signed [63:0] product = factor1 * factor2;
  wire        [32:0] shifted = accumulator[63:31];
  wire        [32:0] divisor = factor2;
  wire               fits    = shifted >= divisor;
  wire        [32:0] rest    = shifted - (fits ? divisor : 33'd0);

  always @(posedge clk) begin
    if (start) begin
      factor1     <= {sign1, rs1};
      factor2     <= divide ? {1'b0, magnitude2} : {sign2, rs2};
      accumulator <= {32'd0, magnitude1};
      negate      <= divide && (remainder ? sign1 : sign1 != sign2 && rs2 != 32'd0);
      left        <= divide ? DIVIDE_STEPS : MULTIPLY_STEPS;
    end else if (working) begin
      left <= left - 6'd1;
      if (!done)
        accumulator <= divide ? {rest[31:0], accumulator[30:0], fits} : product;
    end
  end

  // --- result ---

  wire        upper = divide ? remainder : funct3[1:0] != 2'd0;
  wire [31:0] value = upper ? accumulator[63:32] : accumulator[31:0];

  assign done   = left == 6'd0;
  assign result = negate ? -value : value;

  wire unused = &{1'b0, rest[32]};

endmodule

`resetall
