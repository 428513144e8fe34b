/* Decoder. Takes the instruction as it arrives and keeps what execution needs in registers:
 * immediate, destination and control flags. System instructions are told apart later, from those
 * registers.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_decode #(
  parameter TRAPS  = 0,  // 1: mret, fence.i and CSR instructions exist
  parameter MULDIV = 0   // 1: multiplication and division exist
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        en,            // `insn` may be taken; the last one counts
  input  wire [31:0] insn,
  // fields
  output reg  [31:0] imm,           // [11:0] of a system instruction: its top twelve bits
  output reg  [4:0]  rd,
  output reg         rd_used,       // the instruction's kind writes rd, and it is not x0
  output reg  [2:0]  funct3,
  // kind of instruction, at most one; none when the instruction is illegal, save for what
  // funct7_ok and the CSR unit know
  output reg         is_load,
  output reg         is_store,
  output reg         is_branch,
  output reg         is_jal,
  output reg         is_jalr,
  output reg         is_shift,
  output reg         is_muldiv,
  output wire        now_auipc,     // the instruction that is just arriving is auipc
  output wire        is_wfi,
  output wire        is_mret,
  output wire        is_csr,
  output wire        is_ecall,
  output wire        is_ebreak,
  output reg         one_phase,     // one execution clock, no data access
  output reg         two_phases,    // two, no data access
  output reg         funct7_ok,     // 0: illegal
  // controls
  output reg         use_imm,
  output reg         sub,
  output reg         is_unsigned,   // comparison
  output reg  [1:0]  logic_op,
  output reg         compare,       // slt and its kin, branches on an order
  output reg         compare_invert,
  output reg         result_sum,    // at most one of these three
  output reg         result_logic,
  output reg         result_pc,     // what the pc adder gives
  output reg         addr_sum       // first execution clock: the ALU's sum is the request's address
);

  localparam [4:0] OP_LOAD   = 5'b00000;
  localparam [4:0] OP_FENCE  = 5'b00011;
  localparam [4:0] OP_IMM    = 5'b00100;
  localparam [4:0] OP_AUIPC  = 5'b00101;
  localparam [4:0] OP_STORE  = 5'b01000;
  localparam [4:0] OP_REG    = 5'b01100;
  localparam [4:0] OP_LUI    = 5'b01101;
  localparam [4:0] OP_BRANCH = 5'b11000;
  localparam [4:0] OP_JALR   = 5'b11001;
  localparam [4:0] OP_JAL    = 5'b11011;
  localparam [4:0] OP_SYSTEM = 5'b11100;

  localparam [11:0] SYS_ECALL  = 12'h000;
  localparam [11:0] SYS_EBREAK = 12'h001;
  localparam [11:0] SYS_WFI    = 12'h105;
  localparam [11:0] SYS_MRET   = 12'h302;

  // --- as the instruction arrives ---

  wire [4:0] op       = insn[6:2];
  wire [2:0] f3       = insn[14:12];
  wire       wide     = insn[1:0] == 2'b11;
  wire       muldiv   = MULDIV != 0 && wide && op == OP_REG && insn[31:25] == 7'd1;
  wire       reg_op   = wide && op == OP_REG && !muldiv;
  wire       imm_op   = wide && op == OP_IMM;
  wire       alu      = reg_op || imm_op;
  wire       shift    = alu && f3[1:0] == 2'b01;
  wire       lui      = wide && op == OP_LUI;
  wire       auipc    = wide && op == OP_AUIPC;
  wire       jal      = wide && op == OP_JAL;
  wire       jalr     = wide && op == OP_JALR && f3 == 3'd0;
  wire       branch   = wide && op == OP_BRANCH && f3[2:1] != 2'b01;
  wire       load     = wide && op == OP_LOAD && f3[1:0] != 2'b11 && f3 != 3'd6;
  wire       store    = wide && op == OP_STORE && !f3[2] && f3[1:0] != 2'b11;
  wire       fence    = wide && op == OP_FENCE && (f3 == 3'd0 || TRAPS != 0 && f3 == 3'd1);
  wire       system   = wide && op == OP_SYSTEM;

  wire       sign      = insn[31];
  wire       upper     = op == OP_LUI || op == OP_AUIPC;
  wire       low_is_rd = op == OP_STORE || op == OP_BRANCH;  // immediate in rd's place

  // funct7 says sub and sra where these exist; else it is zero or, in all but shifts, the
  // immediate's.
  wire       funct7_rest_zero = {insn[31], insn[29:25]} == 6'd0;
  wire       funct7_sub       = f3 == 3'd5 || op == OP_REG && f3 == 3'd0;

  assign now_auipc = auipc;

  reg is_system, sys_fields_zero;

  always @(posedge clk) begin
    if (en) begin
      imm[31]    <= sign;
      imm[30:20] <= upper ? insn[30:20] : {11{sign}};
      imm[19:12] <= upper || op == OP_JAL ? insn[19:12] : {8{sign}};
      imm[11]    <= upper ? 1'b0 : op == OP_BRANCH ? insn[7] : op == OP_JAL ? insn[20] : sign;
      imm[10:5]  <= upper ? 6'd0 : insn[30:25];
      imm[4:1]   <= upper ? 4'd0 : low_is_rd ? insn[11:8] : insn[24:21];
      imm[0]     <= upper || op == OP_JAL || op == OP_BRANCH ? 1'b0 :
                    op == OP_STORE ? insn[7] : insn[20];

      rd      <= insn[11:7];
      rd_used <= insn[11:7] != 5'd0
                 && (alu || muldiv || lui || auipc || jal || jalr || load || TRAPS != 0 && system);
      funct3  <= f3;

      is_load    <= load;
      is_store   <= store;
      is_branch  <= branch;
      is_jal     <= jal;
      is_jalr    <= jalr;
      is_shift   <= shift;
      is_muldiv  <= muldiv;
      is_system  <= system;
      one_phase  <= alu && !shift || lui || fence || jalr;
      two_phases <= shift || branch || jal || auipc;
      funct7_ok  <= !(reg_op || shift) || funct7_rest_zero && (!insn[30] || funct7_sub);

      sys_fields_zero <= {insn[19:15], insn[11:7]} == 10'd0;

      use_imm     <= !(op == OP_REG || op == OP_BRANCH);
      sub         <= op == OP_BRANCH || alu && f3[2:1] == 2'b01
                     || op == OP_REG && f3 == 3'd0 && insn[30];
      is_unsigned <= op == OP_BRANCH ? f3[1] : f3[0];
      logic_op    <= op == OP_LUI ? 2'd1 : op == OP_BRANCH ? 2'd0 : f3[1:0];

      result_sum   <= alu && f3 == 3'd0;
      compare      <= op == OP_BRANCH ? branch && f3[2] : alu && f3[2:1] == 2'b01;
      compare_invert <= op == OP_BRANCH && f3[0];
      result_logic <= alu && f3[2] && f3[1:0] != 2'b01 || lui;
      result_pc    <= jal || jalr || auipc;
    end
    addr_sum <= en && (op == OP_LOAD || op == OP_STORE || op == OP_JALR);
    if (rst) begin
      // The first fetch is requested from the second execution clock of nothing: it must
      // write no register.
      rd_used <= 1'b0;
    end
  end

  // --- while it executes ---

  wire sys_plain = is_system && funct3 == 3'd0 && sys_fields_zero;
  assign is_ecall  = sys_plain && imm[11:0] == SYS_ECALL;
  assign is_ebreak = sys_plain && imm[11:0] == SYS_EBREAK;
  assign is_wfi    = sys_plain && imm[11:0] == SYS_WFI;
  assign is_mret   = TRAPS != 0 && sys_plain && imm[11:0] == SYS_MRET;
  assign is_csr    = TRAPS != 0 && is_system && funct3[1:0] != 2'd0;

endmodule

`resetall
