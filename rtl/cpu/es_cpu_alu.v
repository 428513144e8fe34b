/* Adder, logic unit and comparison. Purely combinational.
 *
 * One adder serves add, subtract, comparison, data addresses and the target of jalr. The second
 * operand is inverted before both the adder and the logic unit when `sub` is set; equality is
 * therefore found by an exclusive or that is all ones.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_alu (
  input  wire [31:0] rs1,
  input  wire [31:0] rs2,
  input  wire [31:0] imm,
  input  wire        use_imm,      // second operand: 1 imm, 0 rs2
  input  wire        sub,          // subtract or compare
  input  wire        compare,      // wants `less`
  input  wire        invert,       // wants its opposite
  input  wire        is_unsigned,  // of the comparison
  input  wire [1:0]  logic_op,     // 0 xor, 1 second operand, 2 or, 3 and
  output wire [31:0] sum,
  output wire [31:0] logic_out,
  output wire        less,         // with sub, compare: rs1 < second operand (invert: >=); else 0
  output wire        equal,        // with sub and logic_op 0
  output wire [4:0]  shift_amount  // second operand's low bits
);

  wire [31:0] b = (use_imm ? imm : rs2) ^ {32{sub}};

  // The lowest bit makes the carry into bit 0 from `sub`. The highest is the sign of the
  // difference of numbers one bit longer than
  // the operands, extended as the comparison wants: with `sub` it is the answer to "less?",
  // straight from the adder,
  // which also inverts it: nothing carries out of that bit.
  wire a_sign = rs1[31] & ~is_unsigned ^ invert;
  wire b_sign = b[31] | is_unsigned;
  wire difference_sign;
  wire carry_in_unused;
  assign {difference_sign, sum, carry_in_unused} = {a_sign, rs1, 1'b1} + {b_sign, b, sub};

  assign logic_out = logic_op[1] ? (logic_op[0] ? rs1 & b : rs1 | b)
                                 : (logic_op[0] ? b : rs1 ^ b);

  assign less  = compare & difference_sign;
  assign equal = &logic_out;

  assign shift_amount = b[4:0];

  wire unused = &{1'b0, carry_in_unused};

endmodule

`resetall
