/* es_target_shared_node: one processor of the target with shared memory, with the devices that are its
 * own. Its bus goes out: es_target_shared answers it.
 *
 * Core 0 begins at address 0, the others at ES_TARGET_OTHERS_BASE.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_shared_node #(
  parameter [31:0] RESET_PC = 32'd0
) (
  input  wire        clk,
  input  wire        rst,
  input  wire [31:0] seed,
  input  wire [63:0] cycle,         // clocks since reset
  input  wire        wake,          // ends wfi
  input  wire        irq_other,     // an external interrupt, as the alarm is

  output wire        bus_valid,     // stands until bus_ready, with all that describes it
  input  wire        bus_ready,
  output wire        bus_fetch,
  output wire [31:0] bus_addr,
  output wire [31:0] bus_wdata,
  output wire [3:0]  bus_wstrb,
  output wire [3:0]  bus_lanes,
  input  wire [31:0] bus_rdata,

  output wire        device_here,   // the access on the bus is to a device of its own
  output wire [31:0] device_rdata,

  output wire        console_valid,
  output wire [7:0]  console_byte,
  output wire        exited,
  output wire [31:0] exit_code,
  output wire        trapped,
  output reg  [31:0] fetch_pc,
  output wire        sleeping,

  output wire        rvfi_valid,
  output wire        rvfi_intr,
  output wire [31:0] rvfi_insn,
  output wire [31:0] rvfi_pc_rdata,
  output wire [31:0] rvfi_pc_wdata,
  output wire [4:0]  rvfi_rd_addr,
  output wire [31:0] rvfi_rd_wdata,
  output wire [31:0] rvfi_mem_addr,
  output wire [3:0]  rvfi_mem_rmask,
  output wire [3:0]  rvfi_mem_wmask,
  output wire [31:0] rvfi_mem_wdata
);

  wire        req, req_fetch, ack, irq_timer, irq_external;
  wire [31:0] req_addr, req_wdata;
  wire [3:0]  req_wstrb, req_lanes;

  /* verilator lint_off PINCONNECTEMPTY */
  es_cpu #(.RESET_PC(RESET_PC), .TRAPS(1), .COMPRESSED(1), .MULDIV(1)) cpu (
    .clk(clk), .rst(rst),
    .req(req), .req_fetch(req_fetch), .req_load(), .req_addr(req_addr), .req_wdata(req_wdata),
    .req_wstrb(req_wstrb), .req_lanes(req_lanes), .ack(ack), .rdata(bus_rdata),
    .rdata_early(32'd0), .insn(bus_rdata),
    .wake(wake), .sleeping(sleeping), .irq_timer(irq_timer), .irq_external(irq_external || irq_other),
    .trapped(trapped), .reg_write(), .reg_number(), .reg_value(),
    .put(1'b0), .put_number(5'd0), .put_value(32'd0),
    .rvfi_valid(rvfi_valid), .rvfi_order(), .rvfi_insn(rvfi_insn), .rvfi_trap(), .rvfi_halt(),
    .rvfi_intr(rvfi_intr), .rvfi_mode(), .rvfi_ixl(), .rvfi_rs1_addr(), .rvfi_rs2_addr(),
    .rvfi_rs1_rdata(), .rvfi_rs2_rdata(), .rvfi_rd_addr(rvfi_rd_addr),
    .rvfi_rd_wdata(rvfi_rd_wdata), .rvfi_pc_rdata(rvfi_pc_rdata),
    .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask),
    .rvfi_mem_wmask(rvfi_mem_wmask), .rvfi_mem_rdata(), .rvfi_mem_wdata(rvfi_mem_wdata)
  );

  es_target_bus #(.WAIT(0)) adapter (
    .clk(clk), .rst(rst),
    .req(req), .req_fetch(req_fetch), .req_addr(req_addr), .req_wdata(req_wdata),
    .req_wstrb(req_wstrb), .req_lanes(req_lanes), .ack(ack),
    .bus_valid(bus_valid), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_ready(bus_ready), .bus_due()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  es_target_devices devices (
    .clk(clk), .rst(rst), .cycle(cycle), .en(bus_valid && bus_ready), .addr(bus_addr),
    .wdata(bus_wdata), .wstrb(bus_wstrb), .here(device_here), .rdata(device_rdata), .seed(seed),
    .irq_timer(irq_timer), .irq_external(irq_external), .console_valid(console_valid),
    .console_byte(console_byte), .exited(exited), .exit_code(exit_code)
  );

  always @(posedge clk) begin
    if (bus_valid && bus_ready && bus_fetch)
      fetch_pc <= bus_addr;
    if (rst)
      fetch_pc <= RESET_PC;
  end

endmodule

`resetall
