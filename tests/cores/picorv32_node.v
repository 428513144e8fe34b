/* es_target_node with PicoRV32 (RV32IM, with C where ES_CORE_COMPRESSED is 1) in the place of the reference processor: what
 * docs/attach-core.md tells to do, and with ES_CORE_RETIRED, its retire port in place of its bus.
 *
 * It has no interrupts of RISC-V's kind, so the timer is not connected.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_node
`include "es_target_node.vh"

  localparam GUESSES = 0, ALIGNED = 1, READ_MASKS = 0, BY_CODE = 0, TICK = 0;
  localparam [3:0] read_lanes = 4'b1111; // it does not say which it reads

  wire        mem_valid, mem_fetch;
  wire [31:0] mem_addr, mem_wdata;
  wire [3:0]  mem_wstrb;
`include "es_core_system.vh"

  wire        core_valid, core_trap, core_intr, core_stopped;
  wire [31:0] core_insn, core_pc_rdata, core_pc_wdata, core_rs1_rdata, core_rd_wdata, core_mem_addr;
  wire [31:0] core_mem_rdata, core_mem_wdata;
  wire [3:0]  core_mem_rmask, core_mem_wmask;
  wire [4:0]  core_rd_addr;

  picorv32 #(
    .COMPRESSED_ISA(`ES_CORE_COMPRESSED), .ENABLE_MUL(1), .ENABLE_DIV(1), .BARREL_SHIFTER(1), .PROGADDR_RESET(`ES_TARGET_ROM_BASE)
  ) cpu (
    .clk(clk), .resetn(!rst), .trap(core_stopped), .irq(32'd0),
    .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0),
    .mem_valid(mem_valid), .mem_instr(mem_fetch), .mem_ready(mem_ready), .mem_addr(mem_addr),
    .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata),
    .rvfi_valid(core_valid), .rvfi_trap(core_trap), .rvfi_intr(core_intr), .rvfi_insn(core_insn),
    .rvfi_pc_rdata(core_pc_rdata), .rvfi_pc_wdata(core_pc_wdata),
    .rvfi_rs1_rdata(core_rs1_rdata), .rvfi_rd_addr(core_rd_addr), .rvfi_rd_wdata(core_rd_wdata),
    .rvfi_mem_addr(core_mem_addr), .rvfi_mem_rmask(core_mem_rmask),
    .rvfi_mem_wmask(core_mem_wmask),
    .rvfi_mem_rdata(core_mem_rdata), .rvfi_mem_wdata(core_mem_wdata)
  );

`include "es_core_heard.vh"

  wire unused = &{1'b0, core_intr};

endmodule

`resetall
