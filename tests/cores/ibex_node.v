/* es_target_node with Ibex (RV32IMC) in the place
 * of the reference processor. Its buses (OBI) share the memory, data first; it fetches ahead.
 *
 * It starts at the boot address + 0x80, where a jump to the program is put; the retire port's word
 * of that one is left out. Its handlers are a table of jumps, which of the programs here
 * interrupted.c alone has.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_node
`include "es_target_node.vh"

  localparam GUESSES = 1, ALIGNED = 0, READ_MASKS = 1, BY_CODE = 1, TICK = 0;
  localparam [31:0] BOOT = 32'hFFFFFF00, BOOT_AT = BOOT + 32'h80;
  localparam [31:0] JUMP = 32'h0800006F;       // j . + 0x80: to address 0
  localparam [3:0]  ON = 4'b0101; // IbexMuBiOn

  wire        instr_req, data_req, data_we;
  wire [31:0] instr_addr, data_addr, data_wdata;
  wire [3:0]  data_be;

  wire        boots = instr_req && instr_addr == BOOT_AT;
  wire        mem_valid = data_req || instr_req && !boots;
  wire        mem_fetch = !data_req;
  wire [31:0] mem_addr = data_req ? data_addr : instr_addr;
  wire [31:0] mem_wdata = data_wdata;
  wire [3:0]  mem_wstrb = data_req && data_we ? data_be : 4'd0;
  wire [3:0]  read_lanes = data_req ? data_be : 4'b1111;
`include "es_core_system.vh"

  // A grant is the access itself; its answer comes a clock later.
  wire       data_gnt = data_req && mem_ready;
  wire       instr_gnt = boots || instr_req && !data_req && mem_ready;
  reg        data_rvalid, instr_rvalid, instr_err;
  reg [31:0] answer;
  always @(posedge clk) begin
    data_rvalid  <= data_gnt && !rst;
    instr_rvalid <= instr_gnt && !rst;
    instr_err    <= mem_error && !boots;
    answer       <= instr_gnt && boots ? JUMP : mem_rdata;
  end

  wire        ibex_valid, core_trap;
  wire        core_stopped = 1'b0;
  wire [31:0] core_insn, core_pc_rdata, core_pc_wdata, core_rs1_rdata, core_rd_wdata, core_mem_addr;
  wire [31:0] core_mem_rdata, core_mem_wdata;
  wire [3:0]  core_mem_rmask, core_mem_wmask;
  wire [4:0]  core_rd_addr;

  ibex_top cpu (
    .clk_i(clk), .rst_ni(!rst), .test_en_i(1'b0), .ram_cfg_i(10'd0), .hart_id_i(32'd0),
    .boot_addr_i(BOOT),
    .instr_req_o(instr_req), .instr_gnt_i(instr_gnt), .instr_rvalid_i(instr_rvalid),
    .instr_addr_o(instr_addr), .instr_rdata_i(answer), .instr_rdata_intg_i(7'd0),
    .instr_err_i(instr_err),
    .data_req_o(data_req), .data_gnt_i(data_gnt), .data_rvalid_i(data_rvalid),
    .data_we_o(data_we), .data_be_o(data_be), .data_addr_o(data_addr), .data_wdata_o(data_wdata),
    .data_rdata_i(answer), .data_rdata_intg_i(7'd0), .data_err_i(1'b0),
    .irq_software_i(1'b0), .irq_timer_i(irq_timer), .irq_external_i(1'b0), .irq_fast_i(15'd0),
    .irq_nm_i(1'b0), .scramble_key_valid_i(1'b0), .scramble_key_i(128'd0),
    .scramble_nonce_i(64'd0), .debug_req_i(1'b0),
    .rvfi_valid(ibex_valid), .rvfi_insn(core_insn), .rvfi_trap(core_trap),
    .rvfi_rs1_rdata(core_rs1_rdata), .rvfi_rd_addr(core_rd_addr), .rvfi_rd_wdata(core_rd_wdata),
    .rvfi_pc_rdata(core_pc_rdata), .rvfi_pc_wdata(core_pc_wdata), .rvfi_mem_addr(core_mem_addr),
    .rvfi_mem_rmask(core_mem_rmask), .rvfi_mem_wmask(core_mem_wmask),
    .rvfi_mem_rdata(core_mem_rdata), .rvfi_mem_wdata(core_mem_wdata),
    .fetch_enable_i(ON), .scan_rst_ni(1'b1)
  );
  wire core_valid = ibex_valid && core_pc_rdata != BOOT_AT;

`include "es_core_heard.vh"

endmodule

`resetall
