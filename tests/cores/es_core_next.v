/* es_core_next: where the flow of an RV32I program goes on after an instruction, for a log of a
 * processor that does not say it; one of 16 bits is given as that of 32 that does the same. What comes from elsewhere has been interrupted.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_core_next (
  input  wire [31:0] insn,
  input  wire        is_short, // it has 16 bits
  input  wire [31:0] pc,
  input  wire [31:0] rs1,
  input  wire [31:0] rs2,
  input  wire [31:0] mepc,
  output reg  [31:0] next
);
  localparam [31:0] MRET = 32'h30200073;

  wire [31:0] to_jump = {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};
  wire [31:0] to_branch = {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
  wire        less = insn[13] ? rs1 < rs2 : $signed(rs1) < $signed(rs2);
  wire        taken = (insn[14] ? less : rs1 == rs2) != insn[12];

  wire [31:0] after = pc + (is_short ? 32'd2 : 32'd4);

  always @* begin
    case (insn[6:0])
      7'h6F:   next = pc + to_jump;
      7'h67:   next = (rs1 + {{20{insn[31]}}, insn[31:20]}) & ~32'd1;
      7'h63:   next = taken ? pc + to_branch : after;
      default: next = insn == MRET ? mepc : after;
    endcase
  end
endmodule

`resetall
