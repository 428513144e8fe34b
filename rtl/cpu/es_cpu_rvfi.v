/* RISC-V Formal Interface of es_cpu (NRET=1, XLEN=32), compiled in with RISCV_FORMAL only.
 *
 * Everything is collected where it happens and stands still in the one clock of rvfi_valid: the
 * clock after the instruction's last. rvfi_mem_addr is word aligned; masks and data are in the
 * bus's byte lanes; address and data of what is not accessed are 0. Every fetch ends in exactly one
 * rvfi_valid.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

`ifdef RISCV_FORMAL
module es_cpu_rvfi #(
  parameter COMPRESSED = 0  // 1: there are instructions of 16 bits
) (
  input  wire        clk,
  input  wire        rst,
  // instruction arrives
  input  wire        fetched,
  input  wire [31:0] fetched_insn,
  // ... fields of its 32-bit form
  input  wire [4:0]  fetched_op,
  input  wire        fetched_high,   // funct3's top bit
  input  wire [4:0]  fetched_rs1,
  input  wire [4:0]  fetched_rs2,
  // first execution clock
  input  wire        exec,
  input  wire [31:0] pc,
  input  wire [31:0] rs1,
  input  wire [31:0] rs2,
  // register written, in any execution clock
  input  wire        rd_write,
  input  wire [4:0]  rd,
  input  wire [31:0] rd_value,
  // data access
  input  wire        mem_req,
  input  wire [29:0] mem_addr,
  input  wire [3:0]  mem_lanes,
  input  wire        mem_write,
  input  wire [31:0] mem_wdata,
  input  wire        mem_ack,
  input  wire [31:0] mem_rdata,
  // end of the instruction
  input  wire        retire,
  input  wire        trap,           // it ends in an exception
  input  wire        halt,           // ... and nothing follows
  input  wire [31:0] next_pc,
  input  wire        enter_handler,  // the next instruction is a trap handler's first

  output reg         rvfi_valid,
  output reg  [63:0] rvfi_order,
  output reg  [31:0] rvfi_insn,
  output reg         rvfi_trap,
  output reg         rvfi_halt,
  output reg         rvfi_intr,
  output wire [1:0]  rvfi_mode,
  output wire [1:0]  rvfi_ixl,
  output reg  [4:0]  rvfi_rs1_addr,
  output reg  [4:0]  rvfi_rs2_addr,
  output reg  [31:0] rvfi_rs1_rdata,
  output reg  [31:0] rvfi_rs2_rdata,
  output reg  [4:0]  rvfi_rd_addr,
  output reg  [31:0] rvfi_rd_wdata,
  output reg  [31:0] rvfi_pc_rdata,
  output reg  [31:0] rvfi_pc_wdata,
  output reg  [31:0] rvfi_mem_addr,
  output reg  [3:0]  rvfi_mem_rmask,
  output reg  [3:0]  rvfi_mem_wmask,
  output reg  [31:0] rvfi_mem_rdata,
  output reg  [31:0] rvfi_mem_wdata
);

  assign rvfi_mode = 2'd3;
  assign rvfi_ixl  = 2'd1;

  reg [63:0] retired;
  reg        handler;
  wire       long = COMPRESSED == 0 || fetched_insn[1:0] == 2'b11;
  reg  [4:0] op, rs1_field, rs2_field;
  reg        operand_field;  // of a CSR instruction: an operand in the place of rs1

  // Source fields that the instruction's format does not have are reported as x0.
  wire uses_rs2 = op == 5'b11000 || op == 5'b01000 || op == 5'b01100;
  wire uses_rs1 = uses_rs2 || op == 5'b11001 || op == 5'b00000 || op == 5'b00100
                  || op == 5'b11100 && !operand_field;

  always @(posedge clk) begin
    rvfi_valid <= retire;
    if (fetched) begin
      rvfi_insn     <= {fetched_insn[31:16] & {16{long}}, fetched_insn[15:0]};
      op            <= fetched_op;
      operand_field <= fetched_high;
      rs1_field     <= fetched_rs1;
      rs2_field     <= fetched_rs2;
    end
    if (exec) begin
      rvfi_pc_rdata  <= pc;
      rvfi_rs1_addr  <= uses_rs1 ? rs1_field : 5'd0;
      rvfi_rs2_addr  <= uses_rs2 ? rs2_field : 5'd0;
      rvfi_rs1_rdata <= uses_rs1 ? rs1 : 32'd0;
      rvfi_rs2_rdata <= uses_rs2 ? rs2 : 32'd0;
      rvfi_rd_addr   <= 5'd0;
      rvfi_rd_wdata  <= 32'd0;
      rvfi_mem_rmask <= mem_req && !mem_write ? mem_lanes : 4'd0;
      rvfi_mem_wmask <= mem_req && mem_write ? mem_lanes : 4'd0;
      rvfi_mem_addr  <= mem_req ? {mem_addr, 2'd0} : 32'd0;
      rvfi_mem_wdata <= mem_req && mem_write ? mem_wdata : 32'd0;
      rvfi_mem_rdata <= 32'd0;
    end
    if (mem_ack && rvfi_mem_rmask != 4'd0)
      rvfi_mem_rdata <= mem_rdata;
    if (rd_write) begin
      rvfi_rd_addr  <= rd;
      rvfi_rd_wdata <= rd_value;
    end
    if (retire) begin
      rvfi_order    <= retired;
      retired       <= retired + 64'd1;
      rvfi_trap     <= trap;
      rvfi_halt     <= halt;
      rvfi_intr     <= handler;
      rvfi_pc_wdata <= next_pc;
      handler       <= 1'b0;
    end
    if (enter_handler)
      handler <= 1'b1;
    if (rst) begin
      rvfi_valid <= 1'b0;
      retired    <= 64'd0;
      handler    <= 1'b0;
    end
  end

endmodule
`endif

`resetall
