`resetall
`timescale 1ns/1ps
`default_nettype none

// SERV's retire port, for es_tap_rvfi, where there are interrupts. An interrupt takes the place of an
// instruction that has been fetched and is executed after the handler; SERV retires that one with
// rvfi_trap when the interrupt comes, which RVFI does not mean, and again when it is executed. What
// traps without being one that can trap by itself is such a one, and is left out here.
//
// By themselves do: ecall, ebreak, and wfi, which SERV takes for ebreak; loads and stores whose
// address, branches and jumps whose target is not aligned. Of these alone the port does not tell an
// interrupt from their own trap: it is taken for that, so an ecall that an interrupt comes upon is
// told twice.
module es_tap_serv (
  input  wire        rvfi_valid,
  input  wire        rvfi_trap,
  input  wire [31:0] rvfi_insn,
  input  wire [31:0] rvfi_rs1_rdata,
  output wire        executed // rvfi_valid for es_tap_rvfi
);
  localparam [6:0] OP_LOAD = 7'h03, OP_STORE = 7'h23, OP_BRANCH = 7'h63, OP_JALR = 7'h67,
    OP_JAL = 7'h6F, OP_SYSTEM = 7'h73;

  wire [6:0] op = rvfi_insn[6:0];
  wire [1:0] low = rvfi_rs1_rdata[1:0] + (op == OP_STORE ? rvfi_insn[8:7] : rvfi_insn[21:20]);
  wire       unaligned = rvfi_insn[13] ? low != 2'd0 : rvfi_insn[12] && low[0];

  wire by_itself = op == OP_SYSTEM && rvfi_insn[14:12] == 3'd0 && !rvfi_insn[21] ||
                   (op == OP_LOAD || op == OP_STORE) && unaligned ||
                   op == OP_JALR && low[1] || op == OP_JAL && rvfi_insn[21] ||
                   op == OP_BRANCH && rvfi_insn[8];

  assign executed = rvfi_valid && (!rvfi_trap || by_itself);

  wire unused = &{1'b0, rvfi_insn, rvfi_rs1_rdata};
endmodule

`resetall
