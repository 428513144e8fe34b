`resetall
`timescale 1ns/1ps
`default_nettype none

// SERV's retire port, for es_tap_rvfi, where there are interrupts. An interrupt takes the place of an
// instruction that has been fetched and is executed after the handler; SERV retires that one with
// rvfi_trap when the interrupt comes, which RVFI does not mean, and again when it is executed. So
// what traps is left out, but for ecall and ebreak (and wfi, which SERV takes for ebreak).
//
// The port does not tell an interrupt from the trap of an access or a jump that is not aligned: these
// are left out, too. Of an ecall or ebreak that an interrupt comes upon it is taken for its own trap:
// that is told twice.
module es_tap_serv (
  input  wire        rvfi_valid,
  input  wire        rvfi_trap,
  input  wire [31:0] rvfi_insn,
  output wire        executed // rvfi_valid for es_tap_rvfi
);
  // SYSTEM with no register: ecall, ebreak, wfi; mret and its like have bit 21
  wire calls = rvfi_insn[6:0] == 7'h73 && rvfi_insn[14:12] == 3'd0 && !rvfi_insn[21];

  assign executed = rvfi_valid && (!rvfi_trap || calls);

  wire unused = &{1'b0, rvfi_insn};
endmodule

`resetall
