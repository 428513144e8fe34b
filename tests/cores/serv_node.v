/* es_target_node with SERV (RV32I) in the place of the
 * reference processor. It executes each instruction that it fetches, in order; its two buses are
 * never active together.
 *
 * But where an interrupt comes, it has already fetched the instruction that will be executed after
 * the handler. So its bus has none; by its retire port es_tap_serv leaves that one out, which is
 * held against what the core knows of each trap: a difference ends the run.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_node
`include "es_target_node.vh"

  localparam GUESSES = 0, ALIGNED = 1, READ_MASKS = 1, BY_CODE = 0, TICK = 4;

  wire        ibus_cyc, dbus_cyc, dbus_we;
  wire [31:0] ibus_adr, dbus_adr, dbus_dat;
  wire [3:0]  dbus_sel;

  wire        mem_valid = ibus_cyc || dbus_cyc;
  wire        mem_fetch = ibus_cyc;
  wire [31:0] mem_addr = ibus_cyc ? ibus_adr : dbus_adr;
  wire [31:0] mem_wdata = dbus_dat;
  wire [3:0]  mem_wstrb = !ibus_cyc && dbus_we ? dbus_sel : 4'd0;
  wire [3:0]  read_lanes = ibus_cyc ? 4'b1111 : dbus_sel;
`include "es_core_system.vh"

  wire        serv_valid, core_valid, core_trap, core_stopped;
  wire [31:0] core_insn, core_pc_rdata, core_pc_wdata, core_rs1_rdata, core_rd_wdata, core_mem_addr;
  wire [31:0] core_mem_rdata, core_mem_wdata;
  wire [3:0]  core_mem_rmask, core_mem_wmask;
  wire [4:0]  core_rd_addr;

  serv_rf_top #(
    .RESET_PC(`ES_TARGET_ROM_BASE), .COMPRESSED(1'b0), .WITH_CSR(1)
  ) cpu (
    .clk(clk), .i_rst(rst), .i_timer_irq(timer),
    .rvfi_valid(serv_valid), .rvfi_insn(core_insn), .rvfi_trap(core_trap),
    .rvfi_rs1_rdata(core_rs1_rdata), .rvfi_rd_addr(core_rd_addr), .rvfi_rd_wdata(core_rd_wdata),
    .rvfi_pc_rdata(core_pc_rdata), .rvfi_pc_wdata(core_pc_wdata), .rvfi_mem_addr(core_mem_addr),
    .rvfi_mem_rmask(core_mem_rmask), .rvfi_mem_wmask(core_mem_wmask),
    .rvfi_mem_rdata(core_mem_rdata), .rvfi_mem_wdata(core_mem_wdata),
    .o_ibus_adr(ibus_adr), .o_ibus_cyc(ibus_cyc), .i_ibus_rdt(mem_rdata),
    .i_ibus_ack(ibus_cyc && mem_ready),
    .o_dbus_adr(dbus_adr), .o_dbus_dat(dbus_dat), .o_dbus_sel(dbus_sel), .o_dbus_we(dbus_we),
    .o_dbus_cyc(dbus_cyc), .i_dbus_rdt(mem_rdata), .i_dbus_ack(!ibus_cyc && mem_ready),
    .i_ext_rd(32'd0), .i_ext_ready(1'b0)
  );

`ifdef ES_CORE_RETIRED
  wire timer = irq_timer;
  es_tap_serv interrupted (
    .rvfi_valid(serv_valid), .rvfi_trap(core_trap), .rvfi_insn(core_insn), .executed(core_valid)
  );
  reg by_interrupt, different;
  always @(posedge clk) begin
    by_interrupt <= cpu.cpu.new_irq; // which the instruction that retires now was for
    different <= !rst && (different || serv_valid && core_trap && core_valid == by_interrupt);
  end
  assign core_stopped = different;
`else
  wire timer = 1'b0;
  assign core_valid = serv_valid;
  assign core_stopped = 1'b0;
`endif

`include "es_core_heard.vh"

endmodule

`resetall
