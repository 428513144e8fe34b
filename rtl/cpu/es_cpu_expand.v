/* Compressed instructions (Zca) in their 32-bit forms. Purely combinational.
 *
 * What has 32 bits passes through. What is reserved, or needs an extension that the core lacks (F,
 * D, Zcb), becomes a word that the decoder knows as illegal. Hints are instructions that write x0
 * or change nothing, and need nothing special.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_expand (
  input  wire [31:0] insn,      // the instruction begins in bit 0
  output wire        short,     // it has 16 bits
  output wire [31:0] expanded
);

  localparam [31:0] ILLEGAL = 32'd0;
  localparam [31:0] EBREAK  = 32'h00100073;

  localparam [6:0] OP_LOAD   = 7'b0000011;
  localparam [6:0] OP_IMM    = 7'b0010011;
  localparam [6:0] OP_STORE  = 7'b0100011;
  localparam [6:0] OP_REG    = 7'b0110011;
  localparam [6:0] OP_LUI    = 7'b0110111;
  localparam [6:0] OP_BRANCH = 7'b1100011;
  localparam [6:0] OP_JALR   = 7'b1100111;
  localparam [6:0] OP_JAL    = 7'b1101111;

  wire [15:0] half = insn[15:0];

  // --- registers: any of 32, or x8 to x15 ---

  wire [4:0] reg_high  = half[11:7];
  wire [4:0] reg_low   = half[6:2];
  wire [4:0] few_high  = {2'b01, half[9:7]};
  wire [4:0] few_low   = {2'b01, half[4:2]};
  wire       high_zero = reg_high == 5'd0;
  wire       low_zero  = reg_low == 5'd0;

  // --- immediates ---

  wire        sign    = half[12];
  wire [11:0] imm6    = {{7{sign}}, half[6:2]};
  wire        no_imm6 = {sign, half[6:2]} == 6'd0;
  wire [11:0] imm4spn = {2'd0, half[10:7], half[12:11], half[5], half[6], 2'd0};
  wire [11:0] imm16sp = {{3{sign}}, half[4:3], half[5], half[2], half[6], 4'd0};
  wire [11:0] offset  = {5'd0, half[5], half[12:10], half[6], 2'd0};
  wire [11:0] load_sp = {4'd0, half[3:2], half[12], half[6:4], 2'd0};
  wire [11:0] save_sp = {4'd0, half[8:7], half[12:9], 2'd0};
  wire [10:1] jump    = {half[8], half[10:9], half[6], half[7], half[2], half[11], half[5:3]};
  wire [7:1]  branch  = {half[6:5], half[2], half[11:10], half[4:3]};

  // --- quadrant 1, funct3 100: arithmetic on the few registers ---

  reg [31:0] compute;

  always @* begin
    case (half[11:10])
      2'd0, 2'd1:
        compute = sign ? ILLEGAL :
                  {1'b0, half[10], 5'd0, half[6:2], few_high, 3'd5, few_high, OP_IMM};
      2'd2: compute = {imm6, few_high, 3'd7, few_high, OP_IMM};
      default:
        case ({sign, half[6:5]})
          3'd0:    compute = {7'b0100000, few_low, few_high, 3'd0, few_high, OP_REG};
          3'd1:    compute = {7'd0, few_low, few_high, 3'd4, few_high, OP_REG};
          3'd2:    compute = {7'd0, few_low, few_high, 3'd6, few_high, OP_REG};
          3'd3:    compute = {7'd0, few_low, few_high, 3'd7, few_high, OP_REG};
          default: compute = ILLEGAL;
        endcase
    endcase
  end

  // --- quadrant 2, funct3 100: jumps by register, moves, additions, ebreak ---

  wire [31:0] jump_or_add =
    !low_zero  ? {7'd0, reg_low, sign ? reg_high : 5'd0, 3'd0, reg_high, OP_REG} :
    !high_zero ? {12'd0, reg_high, 3'd0, 4'd0, sign, OP_JALR} :
    sign       ? EBREAK : ILLEGAL;

  // --- all ---

  reg [31:0] long;

  always @* begin
    case ({half[1:0], half[15:13]})
      5'b00_000: long = half[12:5] == 8'd0 ? ILLEGAL : {imm4spn, 5'd2, 3'd0, few_low, OP_IMM};
      5'b00_010: long = {offset, few_high, 3'd2, few_low, OP_LOAD};
      5'b00_110: long = {offset[11:5], few_low, few_high, 3'd2, offset[4:0], OP_STORE};
      5'b01_000: long = {imm6, reg_high, 3'd0, reg_high, OP_IMM};
      5'b01_010: long = {imm6, 5'd0, 3'd0, reg_high, OP_IMM};
      5'b01_011: long = no_imm6          ? ILLEGAL :
                        reg_high == 5'd2 ? {imm16sp, 5'd2, 3'd0, 5'd2, OP_IMM} :
                                           {{15{sign}}, half[6:2], reg_high, OP_LUI};
      5'b01_100: long = compute;
      5'b01_001, 5'b01_101:
        long = {sign, jump, sign, {8{sign}}, 4'd0, !half[15], OP_JAL};
      5'b01_110, 5'b01_111:
        long = {{4{sign}}, branch[7:5], 5'd0, few_high, 2'd0, half[13], branch[4:1], sign,
                OP_BRANCH};
      5'b10_000: long = sign ? ILLEGAL : {7'd0, reg_low, reg_high, 3'd1, reg_high, OP_IMM};
      5'b10_010: long = high_zero ? ILLEGAL : {load_sp, 5'd2, 3'd2, reg_high, OP_LOAD};
      5'b10_100: long = jump_or_add;
      5'b10_110: long = {save_sp[11:5], reg_low, 5'd2, 3'd2, save_sp[4:0], OP_STORE};
      default:   long = ILLEGAL;
    endcase
  end

  assign short    = half[1:0] != 2'b11;
  assign expanded = short ? long : insn;

endmodule

`resetall
