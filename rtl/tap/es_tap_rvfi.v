`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of a retire port: RVFI, the RISC-V Formal Interface, which many cores have or can be built
// with. Each instruction that has retired is a fetch, with the accesses that it made: exact whatever
// cache, prefetch or guess there is. A transaction's time is that of the retirement.
//
// In one clock there are up to PER_TAP transactions for es_probe, in this order: the fetch; the
// read, or the write of what does not read; the rest of an access that crosses a word's end, or the
// write of an atomic instruction, of a whole word, that also reads. Memory is little endian. A fetch
// is told in its lanes, as es_pipeline takes it: in the middle of a word, the instruction's rest is
// in the data's lower half.
//
// Source: the RISC-V Formal Interface (RVFI), riscv-formal, docs/source/rvfi.rst.
module es_tap_rvfi #(
  // 1: mem_addr is that of a word, and bit i of the masks its byte i (RISCV_FORMAL_ALIGNED_MEM).
  // 0: mem_addr is that of a byte, and bit i of the masks the i-th from there
  parameter ALIGNED    = 0,
  // 0: the core's mem_rmask says nothing but that there is a read (PicoRV32). Which bytes are read
  // then follows from the instruction and its base register
  parameter READ_MASKS = 1,
  // 1: the core's masks are also of instructions that make no access (Ibex): then the instruction
  // tells whether it reads or writes, and the masks only which bytes
  parameter BY_CODE    = 0,
  // 1: the core has instructions of 16 bits; es_probe's COMPRESSED is 1 then
  parameter COMPRESSED = 0
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        rvfi_valid,
  input  wire        rvfi_trap,      // its accesses have not been made
  input  wire [31:0] rvfi_insn,      // of a compressed one the lower half; not expanded
  input  wire [31:0] rvfi_pc_rdata,
  input  wire [31:0] rvfi_rs1_rdata, // only without READ_MASKS
  input  wire [31:0] rvfi_mem_addr,
  input  wire [3:0]  rvfi_mem_rmask,
  input  wire [3:0]  rvfi_mem_wmask,
  input  wire [31:0] rvfi_mem_rdata,
  input  wire [31:0] rvfi_mem_wdata,
  output wire [2:0]  tx_valid,
  output wire [5:0]  tx_kind,
  output wire [95:0] tx_addr,
  output wire [95:0] tx_data,
  output wire [11:0] tx_lanes
);
  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH;

  // ---- which bytes are read ----
  wire [3:0] read_mask;
  generate
    if (READ_MASKS != 0) begin : told
      assign read_mask = rvfi_mem_rmask;
      wire unused_base = &{1'b0, rvfi_rs1_rdata};
    end else begin : decoded
      wire [1:0] first = rvfi_rs1_rdata[1:0] + rvfi_insn[21:20]; // of format I's constant
      wire [3:0] bytes = rvfi_insn[13:12] == 2'd0 ? 4'b0001 :
                         rvfi_insn[13:12] == 2'd1 ? 4'b0011 : 4'b1111;
      // loads alone are of less than a word, and compressed ones are not
      wire       whole = rvfi_insn[1:0] != 2'b11 || rvfi_insn[6:0] != 7'h03;
      wire [3:0] some = ALIGNED != 0 ? bytes << first : bytes;
      assign read_mask = rvfi_mem_rmask == 4'd0 ? 4'd0 : whole ? 4'b1111 : some;
      wire unused_base = &{1'b0, rvfi_rs1_rdata};
    end
  endgenerate

  // ---- what the instruction may do: opcodes LOAD(-FP), STORE(-FP), AMO; of 16 bits in quadrants 0
  // and 2 by bits 15 to 13 (and Zcb's, which stores with bit 11)
  wire may_read, may_write;
  generate
    if (BY_CODE != 0) begin : by_code
      wire [6:0] op = rvfi_insn[6:0];
      wire [2:0] short_op = rvfi_insn[15:13];
      wire       is_short = op[1:0] == 2'b00 || op[1:0] == 2'b10;
      wire       bytes = op[1:0] == 2'b00 && short_op == 3'd4;
      wire       atomic = op == 7'h2F;
      assign may_read = is_short ? !short_op[2] && short_op != 3'd0 || bytes && !rvfi_insn[11] :
                        op == 7'h03 || op == 7'h07 || atomic;
      assign may_write = is_short ? short_op[2] && short_op != 3'd4 || bytes && rvfi_insn[11] :
                         op == 7'h23 || op == 7'h27 || atomic;
    end else begin : by_masks
      assign may_read = 1'b1;
      assign may_write = 1'b1;
    end
  endgenerate

  // ---- bytes to their places in two words: rotated, they are in their lanes of both. What lies in
  // lanes of no access does not matter ----
  wire [1:0]  up = ALIGNED != 0 ? 2'd0 : rvfi_mem_addr[1:0];
  wire        reads = |rvfi_mem_rmask && may_read && !rvfi_trap;
  wire        writes = |rvfi_mem_wmask && may_write && !rvfi_trap;
  wire        changes = reads && writes; // an atomic instruction: a word of which `up` is 0
  wire [7:0]  lanes = {4'd0, reads ? read_mask : rvfi_mem_wmask} << up;
  wire [31:0] value = reads ? rvfi_mem_rdata : rvfi_mem_wdata;
  wire [63:0] turned = {value, value} << {up, 3'd0};
  wire [31:0] data = turned[63:32];

  // ---- fetch, access, and what may follow it ----
  wire        upper = COMPRESSED != 0 && rvfi_pc_rdata[1];
  wire        is_long = COMPRESSED == 0 || &rvfi_insn[1:0];
  wire [31:0] word = {rvfi_mem_addr[31:2], 2'd0};
  wire        accesses = reads || writes;

  assign tx_valid = {3{rvfi_valid && !rst}} &
                    {changes || accesses && |lanes[7:4], accesses && |lanes[3:0], 1'b1};
  assign tx_kind  = {writes ? KIND_WRITE[1:0] : KIND_READ[1:0],
                     reads ? KIND_READ[1:0] : KIND_WRITE[1:0], KIND_FETCH[1:0]};
  assign tx_addr  = {changes ? word : word + 32'd4, word, rvfi_pc_rdata[31:2], 2'd0};
  assign tx_data  = {changes ? rvfi_mem_wdata : data, data,
                     upper ? {rvfi_insn[15:0], rvfi_insn[31:16]} : rvfi_insn};
  assign tx_lanes = {changes ? rvfi_mem_wmask : lanes[7:4], lanes[3:0],
                     upper ? 4'b1100 : is_long ? 4'b1111 : 4'b0011};

  wire unused = &{1'b0, clk, rvfi_mem_addr, turned[31:0], rvfi_pc_rdata[0]};
endmodule

`resetall
