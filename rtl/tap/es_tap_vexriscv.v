`resetall
`timescale 1ns/1ps
`default_nettype none

// VexRiscv's last stage to RVFI, for es_tap_rvfi (ALIGNED 0). VexRiscv has no retire port, but all
// its netlists have these signals, whatever caches and pipeline they were generated with
// (scripts/vexriscv-ports makes them outputs). None of them says where an access went: address and
// value of a store follow from the instruction and the registers, which are kept here a second time,
// as the last stage writes them. An sc has stored if it says 0.
//
// Limits: RV32I with M, C, and with ATOMIC lr and sc: netlists with amo... are those with virtual
// memory (LiteX's linux). Programs with floating point loads and stores (F, D) cannot be watched by
// it, nor those whose addresses are translated. The probe has to be there from
// the processor's reset on: it knows no register before it has been written. An instruction that is
// trapped is not told, as it does not leave the last stage.
module es_tap_vexriscv #(
  parameter ATOMIC = 0 // 1: the core executes lr and sc
) (
  input  wire        clk,
  input  wire        firing,     // lastStageIsFiring
  input  wire [31:0] pc,         // lastStagePc
  input  wire [31:0] insn,       // lastStageInstruction: of 16 bits as that of 32 that does the same
  input  wire [31:0] raw,        // lastStageRaw: as memory has it, one of 16 bits in the lower half
  input  wire        rd_valid,   // lastStageRegFileWrite_valid
  input  wire [4:0]  rd_addr,    // lastStageRegFileWrite_payload_address
  input  wire [31:0] rd_data,    // lastStageRegFileWrite_payload_data: a load's value, also for x0

  output wire        rvfi_valid,
  output wire        rvfi_trap,
  output wire [31:0] rvfi_insn,
  output wire [31:0] rvfi_pc_rdata,
  output wire [31:0] rvfi_rs1_rdata,
  output wire [31:0] rvfi_mem_addr,
  output wire [3:0]  rvfi_mem_rmask,
  output wire [3:0]  rvfi_mem_wmask,
  output wire [31:0] rvfi_mem_rdata,
  output wire [31:0] rvfi_mem_wdata
);
  localparam [6:0] OP_LOAD = 7'h03, OP_STORE = 7'h23, OP_AMO = 7'h2F;

  reg  [31:0] registers [0:31];
  wire [31:0] base = insn[19:15] == 5'd0 ? 32'd0 : registers[insn[19:15]];
  wire [31:0] value = insn[24:20] == 5'd0 ? 32'd0 : registers[insn[24:20]];

  always @(posedge clk)
    if (rd_valid) registers[rd_addr] <= rd_data;

  // ---- lr and sc ----
  wire atomic = ATOMIC != 0 && insn[6:0] == OP_AMO;
  wire reserves = atomic && !insn[27];
  wire stores_so = atomic && insn[27] && rd_data == 32'd0;

  wire        loads = insn[6:0] == OP_LOAD;
  wire        stores = insn[6:0] == OP_STORE;
  wire [11:0] offset = atomic ? 12'd0 : loads ? insn[31:20] : {insn[31:25], insn[11:7]};
  wire [3:0]  bytes = insn[13:12] == 2'd0 ? 4'b0001 : insn[13:12] == 2'd1 ? 4'b0011 : 4'b1111;

  assign rvfi_valid     = firing;
  assign rvfi_trap      = 1'b0;
  assign rvfi_insn      = &raw[1:0] ? raw : {16'd0, raw[15:0]};
  assign rvfi_pc_rdata  = pc;
  assign rvfi_rs1_rdata = base;
  assign rvfi_mem_addr  = base + {{20{offset[11]}}, offset};
  assign rvfi_mem_rmask = loads || reserves ? bytes : 4'd0;
  assign rvfi_mem_wmask = stores || stores_so ? bytes : 4'd0;
  assign rvfi_mem_rdata = rd_data;
  assign rvfi_mem_wdata = value;

  wire unused = &{1'b0, insn[14]};
endmodule

`resetall
