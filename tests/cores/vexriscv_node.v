/* es_target_node with VexRiscv, in one of the variants that LiteX uses, in the place of the
 * reference processor: by its last stage (es_tap_vexriscv). Its buses (Wishbone) share the memory,
 * data first; it fetches ahead, and some variants have caches.
 *
 * What the tap says of stores is held against the data bus, where each is written through in order:
 * a difference ends the run. With ES_CORE_READS, of a variant without a data cache, reads as well.
 * ES_CORE_ATOMIC 1: it executes atomic instructions.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"
`ifndef ES_CORE_ATOMIC
  `define ES_CORE_ATOMIC 0
`endif

module es_target_node
`include "es_target_node.vh"

  localparam GUESSES = 1, ALIGNED = 0, READ_MASKS = 1, BY_CODE = 0, TICK = 0;

  wire        i_cyc, i_stb, d_cyc, d_stb, d_we;
  wire [29:0] i_adr, d_adr;
  wire [31:0] d_mosi;
  wire [3:0]  d_sel;

  wire        d_req = d_cyc && d_stb;
  wire        i_req = i_cyc && i_stb && !d_req;
  wire        mem_valid = d_req || i_req;
  wire        mem_fetch = i_req;
  wire [31:0] mem_addr = {d_req ? d_adr : i_adr, 2'd0};
  wire [31:0] mem_wdata = d_mosi;
  wire [3:0]  mem_wstrb = d_req && d_we ? d_sel : 4'd0;
  wire [3:0]  read_lanes = 4'b1111;
`include "es_core_system.vh"

  wire        firing, rd_valid;
  wire [31:0] last_pc, last_insn, last_raw, rd_data, mepc;
  wire [4:0]  rd_addr;
  VexRiscv cpu ( // with outputs of scripts/vexriscv-ports
    .lastStageIsFiring(firing), .lastStagePc(last_pc), .lastStageInstruction(last_insn),
    .lastStageRaw(last_raw),
    .lastStageRegFileWrite_valid(rd_valid), .lastStageRegFileWrite_payload_address(rd_addr),
    .lastStageRegFileWrite_payload_data(rd_data), .CsrPlugin_mepc(mepc),
    .clk(clk), .reset(rst), .externalResetVector(`ES_TARGET_ROM_BASE),
    .timerInterrupt(irq_timer), .softwareInterrupt(1'b0), .externalInterruptArray(32'd0),
    .iBusWishbone_CYC(i_cyc), .iBusWishbone_STB(i_stb), .iBusWishbone_ACK(i_req && mem_ready),
    .iBusWishbone_ADR(i_adr), .iBusWishbone_DAT_MISO(mem_rdata),
    .iBusWishbone_ERR(i_req && mem_error),
    .dBusWishbone_CYC(d_cyc), .dBusWishbone_STB(d_stb), .dBusWishbone_ACK(d_req && mem_ready),
    .dBusWishbone_WE(d_we), .dBusWishbone_ADR(d_adr), .dBusWishbone_DAT_MISO(mem_rdata),
    .dBusWishbone_DAT_MOSI(d_mosi), .dBusWishbone_SEL(d_sel), .dBusWishbone_ERR(1'b0)
  );

  wire        core_valid, core_trap;
  wire [31:0] core_insn, core_pc_rdata, core_rs1_rdata, core_mem_addr;
  wire [31:0] core_mem_rdata, core_mem_wdata;
  wire [3:0]  core_mem_rmask, core_mem_wmask;
  es_tap_vexriscv #(.ATOMIC(`ES_CORE_ATOMIC)) last_stage (
    .clk(clk), .firing(firing && !rst), .pc(last_pc), .insn(last_insn), .raw(last_raw),
    .rd_valid(rd_valid), .rd_addr(rd_addr), .rd_data(rd_data),
    .rvfi_valid(core_valid), .rvfi_trap(core_trap), .rvfi_insn(core_insn),
    .rvfi_pc_rdata(core_pc_rdata), .rvfi_rs1_rdata(core_rs1_rdata), .rvfi_mem_addr(core_mem_addr),
    .rvfi_mem_rmask(core_mem_rmask), .rvfi_mem_wmask(core_mem_wmask),
    .rvfi_mem_rdata(core_mem_rdata), .rvfi_mem_wdata(core_mem_wdata)
  );

  // ---- the log wants more than the tap: what is written to a register, and where it goes on ----
  wire [4:0]  core_rd_addr = rd_valid ? rd_addr : 5'd0;
  wire [31:0] core_rd_wdata = rd_data;
  wire [31:0] core_pc_wdata;
  es_core_next following (
    .insn(last_insn), .is_short(!(&last_raw[1:0])), .pc(core_pc_rdata), .rs1(core_rs1_rdata),
    .rs2(core_mem_wdata), .mepc({mepc[31:1], 1'b0}), .next(core_pc_wdata)
  );

  // ---- against the bus ----
  function [35:0] lanes_of(input [31:0] data, input [3:0] mask);
    lanes_of = {mask, {8{mask[3]}} & data[31:24], {8{mask[2]}} & data[23:16],
      {8{mask[1]}} & data[15:8], {8{mask[0]}} & data[7:0]};
  endfunction
  wire [1:0]  up = core_mem_addr[1:0];
  wire        stored = core_valid && core_mem_wmask != 4'd0;
  wire        write_different, read_different;
  es_core_same #(.WIDTH(66)) writes (
    .clk(clk), .rst(rst), .a_valid(d_req && d_we && mem_ready),
    .a({d_adr, lanes_of(d_mosi, d_sel)}), .b_valid(stored),
    .b({core_mem_addr[31:2], lanes_of(core_mem_wdata << {up, 3'd0}, core_mem_wmask << up)}),
    .different(write_different)
  );
`ifdef ES_CORE_READS
  // the bus reads whole words: those bytes that the instruction wants are compared
  wire        loaded = core_valid && core_mem_rmask != 4'd0;
  reg  [31:0] read_word;
  reg  [29:0] read_at;
  always @(posedge clk)
    if (d_req && !d_we && mem_ready) begin
      read_word <= mem_rdata;
      read_at <= d_adr;
    end
  wire [3:0] read_mask = core_mem_rmask << up;
  reg        read_wrong;
  always @(posedge clk) begin
    if (loaded && (read_at != core_mem_addr[31:2] ||
        lanes_of(read_word, read_mask) != lanes_of(core_mem_rdata << {up, 3'd0}, read_mask)))
      read_wrong <= 1'b1;
    if (rst)
      read_wrong <= 1'b0;
  end
  assign read_different = read_wrong;
`else
  assign read_different = 1'b0;
`endif
  wire core_stopped = write_different || read_different;

`include "es_core_heard.vh"

  wire unused = &{1'b0, mepc[0]};

endmodule

`resetall
