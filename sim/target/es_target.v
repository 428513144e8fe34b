/* es_target: the reference target (docs/target.md) with one processor, for simulation. A tap goes
 * on its memory bus. Targets with several processors and a message device are put together from
 * the same nodes: sim/multi.
 *
 * Needs RISCV_FORMAL defined: the processors' retire ports come out for logs of the instructions.
 * Prefixes: bus_ is the memory bus, rvfi_ the retire port (of the instruction whose last clock was
 * the one before).
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target #(
  parameter        CORES    = 1,                     // only 1
  parameter        WAIT     = 0,                     // wait states of every access, 0 to 255
  parameter [31:0] ROM_SIZE = `ES_TARGET_ROM_SIZE,  // as in es_target_memory
  parameter [31:0] RAM_BASE = `ES_TARGET_RAM_BASE,
  parameter [31:0] RAM_SIZE = `ES_TARGET_RAM_SIZE
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [31:0]         seed,          // of the random numbers

  output wire [CORES-1:0]    bus_valid,
  output wire [CORES-1:0]    bus_ready,
  output wire [CORES-1:0]    bus_fetch,
  output wire [32*CORES-1:0] bus_addr,
  output wire [32*CORES-1:0] bus_wdata,
  output wire [4*CORES-1:0]  bus_wstrb,     // 0: read
  output wire [4*CORES-1:0]  bus_lanes,     // bytes concerned, for reads too
  output wire [32*CORES-1:0] bus_rdata,

  output wire [CORES-1:0]    console_valid, // for one clock: console_byte was written
  output wire [8*CORES-1:0]  console_byte,
  output wire [CORES-1:0]    exited,        // the exit register was written
  output wire [32*CORES-1:0] exit_code,
  output wire [CORES-1:0]    fault,         // the access on the bus goes to nowhere, or writes ROM
  output wire [CORES-1:0]    trapped,       // the processor stopped: an exception, and no handler
  output wire [32*CORES-1:0] fetch_pc,      // address of the last instruction fetched
  output wire                attention,     // console_valid, exited, fault or trapped is high

  output wire [CORES-1:0]    rvfi_valid,
  output wire [CORES-1:0]    rvfi_intr,
  output wire [32*CORES-1:0] rvfi_insn,
  output wire [32*CORES-1:0] rvfi_pc_rdata,
  output wire [32*CORES-1:0] rvfi_pc_wdata,
  output wire [5*CORES-1:0]  rvfi_rd_addr,
  output wire [32*CORES-1:0] rvfi_rd_wdata,
  output wire [32*CORES-1:0] rvfi_mem_addr,
  output wire [4*CORES-1:0]  rvfi_mem_rmask,
  output wire [4*CORES-1:0]  rvfi_mem_wmask,
  output wire [32*CORES-1:0] rvfi_mem_wdata
);

  initial begin
    if (CORES != 1) begin
      $error("es_target: CORES must be 1");
      $finish;
    end
  end

  assign attention = |{console_valid, exited, fault, trapped};

  reg [63:0] cycle;
  always @(posedge clk)
    cycle <= rst ? 64'd0 : cycle + 64'd1;

  wire [CORES-1:0] msg_req;
  wire unused = &{1'b0, msg_req};

  genvar i;
  generate
    for (i = 0; i < CORES; i = i + 1) begin : g_core
      es_target_node #(.WAIT(WAIT), .ROM_SIZE(ROM_SIZE), .RAM_BASE(RAM_BASE),
      .RAM_SIZE(RAM_SIZE)) node (
        .clk(clk), .rst(rst), .seed(seed), .cycle(cycle),
        .msg_req(msg_req[i]), .msg_ack(1'b0), .msg_none(1'b1), .msg_rdata(32'd0),
        .bus_valid(bus_valid[i]), .bus_ready(bus_ready[i]), .bus_fetch(bus_fetch[i]),
        .bus_addr(bus_addr[32*i+:32]),
        .bus_wdata(bus_wdata[32*i+:32]), .bus_wstrb(bus_wstrb[4*i+:4]),
        .bus_lanes(bus_lanes[4*i+:4]),
        .bus_rdata(bus_rdata[32*i+:32]),
        .console_valid(console_valid[i]), .console_byte(console_byte[8*i+:8]), .exited(exited[i]),
        .exit_code(exit_code[32*i+:32]), .fault(fault[i]), .trapped(trapped[i]),
        .fetch_pc(fetch_pc[32*i+:32]),
        .rvfi_valid(rvfi_valid[i]), .rvfi_intr(rvfi_intr[i]), .rvfi_insn(rvfi_insn[32*i+:32]),
        .rvfi_pc_rdata(rvfi_pc_rdata[32*i+:32]), .rvfi_pc_wdata(rvfi_pc_wdata[32*i+:32]),
        .rvfi_rd_addr(rvfi_rd_addr[5*i+:5]), .rvfi_rd_wdata(rvfi_rd_wdata[32*i+:32]),
        .rvfi_mem_addr(rvfi_mem_addr[32*i+:32]), .rvfi_mem_rmask(rvfi_mem_rmask[4*i+:4]),
        .rvfi_mem_wmask(rvfi_mem_wmask[4*i+:4]), .rvfi_mem_wdata(rvfi_mem_wdata[32*i+:32])
      );
    end
  endgenerate

endmodule

`resetall
