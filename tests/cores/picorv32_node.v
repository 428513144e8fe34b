/* es_target_node with PicoRV32 (RV32IM) in the place of the reference processor: what
 * docs/attach-core.md tells to do, and with ES_CORE_RETIRED, its retire port in place of its bus.
 *
 * It has no interrupts of RISC-V's kind, so the timer is not connected.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_node #(
  parameter        WAIT     = 0,
  parameter [31:0] ROM_SIZE = `ES_TARGET_ROM_SIZE,
  parameter [31:0] RAM_BASE = `ES_TARGET_RAM_BASE,
  parameter [31:0] RAM_SIZE = `ES_TARGET_RAM_SIZE
) (
  input  wire        clk,
  input  wire        rst,
  input  wire [31:0] seed,
  input  wire [63:0] cycle,

  output wire        msg_req,
  input  wire        msg_ack,
  input  wire        msg_none,
  input  wire [31:0] msg_rdata,

  output wire        bus_valid,
  output wire        bus_ready,
  output wire        bus_fetch,
  output wire [31:0] bus_addr,
  output wire [31:0] bus_wdata,
  output wire [3:0]  bus_wstrb,
  output wire [3:0]  bus_lanes,
  output wire [31:0] bus_rdata,

  output wire        console_valid,
  output wire [7:0]  console_byte,
  output wire        exited,
  output wire [31:0] exit_code,
  output wire        fault,
  output wire        trapped,
  output reg  [31:0] fetch_pc,

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
  wire        mem_valid, mem_instr, mem_ready, ended;
  wire [31:0] mem_addr, mem_wdata, mem_rdata, memory_rdata, device_rdata;
  wire [3:0]  mem_wstrb;
  wire        memory_here, device_here, rvfi_trap;
  wire [31:0] rvfi_rs1_rdata, rvfi_mem_rdata;

  picorv32 #(
    .ENABLE_MUL(1), .ENABLE_DIV(1), .BARREL_SHIFTER(1), .PROGADDR_RESET(`ES_TARGET_ROM_BASE)
  ) cpu (
    .clk(clk), .resetn(!rst), .trap(trapped), .irq(32'd0),
    .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0),
    .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(mem_ready), .mem_addr(mem_addr),
    .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata),
    .rvfi_valid(rvfi_valid), .rvfi_trap(rvfi_trap), .rvfi_intr(rvfi_intr), .rvfi_insn(rvfi_insn),
    .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata),
    .rvfi_rs1_rdata(rvfi_rs1_rdata), .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
    .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask),
    .rvfi_mem_wmask(rvfi_mem_wmask),
    .rvfi_mem_rdata(rvfi_mem_rdata), .rvfi_mem_wdata(rvfi_mem_wdata)
  );

  // ---- its bus ----
  wire [31:0] mark_offset = mem_addr - `ES_MARK_BASE;
  wire        mark_here = mark_offset < `ES_MARK_SIZE && mem_wstrb != 4'd0;
  wire        here = memory_here || device_here || mark_here;

  assign mem_ready = mem_valid && here && !ended;
  assign mem_rdata = device_here ? device_rdata : memory_rdata;
  assign fault     = mem_valid && !here && !ended;
  assign msg_req   = 1'b0;

  es_target_memory #(.ROM_SIZE(ROM_SIZE), .RAM_BASE(RAM_BASE), .RAM_SIZE(RAM_SIZE)) memory (
    .clk(clk), .en(mem_ready), .addr(mem_addr), .wdata(mem_wdata), .wstrb(mem_wstrb),
    .here(memory_here), .rdata(memory_rdata)
  );

  es_target_devices devices (
    .clk(clk), .rst(rst), .cycle(cycle), .en(mem_ready), .addr(mem_addr), .wdata(mem_wdata),
    .wstrb(mem_wstrb), .here(device_here), .rdata(device_rdata), .seed(seed), .irq_timer(),
    .irq_external(), .console_valid(console_valid), .console_byte(console_byte), .exited(ended),
    .exit_code(exit_code)
  );

  always @(posedge clk) begin
    if (mem_ready && mem_instr) fetch_pc <= mem_addr;
    if (rst) fetch_pc <= 32'd0;
  end

  // ---- what the probe hears ----
`ifdef ES_CORE_RETIRED
  wire [2:0]  tx_valid;
  wire [5:0]  tx_kind;
  wire [95:0] tx_addr, tx_data;
  wire [11:0] tx_lanes;
  wire        empty, overrun;

  es_tap_rvfi #(.ALIGNED(1), .READ_MASKS(0)) tap (
    .clk(clk), .rst(rst), .rvfi_valid(rvfi_valid), .rvfi_trap(rvfi_trap), .rvfi_insn(rvfi_insn),
    .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_rs1_rdata(rvfi_rs1_rdata), .rvfi_mem_addr(rvfi_mem_addr),
    .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
    .rvfi_mem_rdata(rvfi_mem_rdata), .rvfi_mem_wdata(rvfi_mem_wdata),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  es_core_stream stream (
    .clk(clk), .rst(rst), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .bus_valid(bus_valid), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_rdata(bus_rdata), .empty(empty),
    .overrun(overrun)
  );

  assign bus_ready = 1'b1;
  assign exited    = ended && empty && !overrun;
`else
  assign bus_valid = mem_valid;
  assign bus_ready = mem_ready;
  assign bus_fetch = mem_instr;
  assign bus_addr  = mem_addr;
  assign bus_wdata = mem_wdata;
  assign bus_wstrb = mem_wstrb;
  assign bus_lanes = mem_wstrb != 4'd0 ? mem_wstrb : 4'b1111; // it does not say which it reads
  assign bus_rdata = mem_rdata;
  assign exited    = ended;
`endif

  wire unused = &{1'b0, msg_ack, msg_none, msg_rdata};

endmodule

`resetall
