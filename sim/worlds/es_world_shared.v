/* es_world_shared: the target with shared memory alone, as Verilator's top. Its ports are those of
 * es_world_bare, for core `which`; and the same of all cores, for their logs.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_world_shared (
  input  wire         clk_bus,
  input  wire         rst_bus,
  input  wire [3:0]   cores,
  input  wire [1:0]   ports,
  input  wire [7:0]   wait_states,
  input  wire [7:0]   bell_latency,
  input  wire [2:0]   which,

  output wire [7:0]   all_valid,
  output wire [7:0]   all_ready,
  output wire [7:0]   all_fetch,
  output wire [255:0] all_addr,
  output wire [31:0]  all_wstrb,
  output wire [7:0]   all_console_valid,
  output wire [63:0]  all_console_byte,
  output wire [7:0]   all_exited,
  output wire [255:0] all_exit_code,
  output wire [7:0]   all_fault,
  output wire [7:0]   all_trapped,
  output wire [7:0]   all_sleeping,
  output wire [255:0] all_fetch_pc,
  output wire [7:0]   all_rvfi_valid,
  output wire [7:0]   all_rvfi_intr,
  output wire [255:0] all_rvfi_insn,
  output wire [255:0] all_rvfi_pc_rdata,
  output wire [255:0] all_rvfi_pc_wdata,
  output wire [39:0]  all_rvfi_rd_addr,
  output wire [255:0] all_rvfi_rd_wdata,
  output wire [255:0] all_rvfi_mem_addr,
  output wire [31:0]  all_rvfi_mem_rmask,
  output wire [31:0]  all_rvfi_mem_wmask,
  output wire [255:0] all_rvfi_mem_wdata,
`include "es_world_ports.vh"
);

  reg rst_bus_now;
  always @(posedge clk_bus)
    rst_bus_now <= rst_bus;

  wire [255:0] all_wdata, all_rdata;
  wire [31:0]  all_lanes;

  es_target_shared target (
    .clk(clk_bus), .rst(rst_bus_now), .seed(seed), .cores(cores), .ports(ports),
    .wait_states(wait_states), .bell_latency(bell_latency),
    .bus_valid(all_valid), .bus_ready(all_ready), .bus_fetch(all_fetch), .bus_addr(all_addr),
    .bus_wdata(all_wdata), .bus_wstrb(all_wstrb), .bus_lanes(all_lanes), .bus_rdata(all_rdata),
    .console_valid(all_console_valid), .console_byte(all_console_byte), .exited(all_exited),
    .exit_code(all_exit_code), .fault(all_fault), .trapped(all_trapped), .fetch_pc(all_fetch_pc),
    .sleeping(all_sleeping), .attention(attention),
    .rvfi_valid(all_rvfi_valid), .rvfi_intr(all_rvfi_intr), .rvfi_insn(all_rvfi_insn),
    .rvfi_pc_rdata(all_rvfi_pc_rdata), .rvfi_pc_wdata(all_rvfi_pc_wdata),
    .rvfi_rd_addr(all_rvfi_rd_addr), .rvfi_rd_wdata(all_rvfi_rd_wdata),
    .rvfi_mem_addr(all_rvfi_mem_addr), .rvfi_mem_rmask(all_rvfi_mem_rmask),
    .rvfi_mem_wmask(all_rvfi_mem_wmask), .rvfi_mem_wdata(all_rvfi_mem_wdata)
  );

  assign bus_valid     = all_valid[which];
  assign bus_ready     = all_ready[which];
  assign bus_fetch     = all_fetch[which];
  assign bus_addr      = all_addr[32*which +: 32];
  assign bus_wdata     = all_wdata[32*which +: 32];
  assign bus_wstrb     = all_wstrb[4*which +: 4];
  assign bus_lanes     = all_lanes[4*which +: 4];
  assign bus_rdata     = all_rdata[32*which +: 32];
  assign fetch_pc      = all_fetch_pc[32*which +: 32];
  assign console_valid = all_console_valid[which];
  assign console_byte  = all_console_byte[8*which +: 8];
  assign exited        = all_exited[which];
  assign exit_code     = all_exit_code[32*which +: 32];
  assign fault         = all_fault[which];
  assign trapped       = all_trapped[which];

  assign rvfi_valid     = all_rvfi_valid[which];
  assign rvfi_intr      = all_rvfi_intr[which];
  assign rvfi_insn      = all_rvfi_insn[32*which +: 32];
  assign rvfi_pc_rdata  = all_rvfi_pc_rdata[32*which +: 32];
  assign rvfi_pc_wdata  = all_rvfi_pc_wdata[32*which +: 32];
  assign rvfi_rd_addr   = all_rvfi_rd_addr[5*which +: 5];
  assign rvfi_rd_wdata  = all_rvfi_rd_wdata[32*which +: 32];
  assign rvfi_mem_addr  = all_rvfi_mem_addr[32*which +: 32];
  assign rvfi_mem_rmask = all_rvfi_mem_rmask[4*which +: 4];
  assign rvfi_mem_wmask = all_rvfi_mem_wmask[4*which +: 4];
  assign rvfi_mem_wdata = all_rvfi_mem_wdata[32*which +: 32];

endmodule

`resetall
