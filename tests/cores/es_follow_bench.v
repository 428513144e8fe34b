/* es_follow_bench: PicoRV32 with es_follow on its bus, and es_tap_rvfi at its retire port, for
 * follow_bench.cpp, which is its memory. What both tell comes out as vectors: lanes, data, address,
 * kind, valid.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_follow_bench #(
  parameter DUALPORT = 1, // of the processor: ENABLE_REGS_DUALPORT, BARREL_SHIFTER, ...
  parameter BARREL   = 1,
  parameter COMPARE  = 0, // TWO_CYCLE_COMPARE
  parameter ALU      = 0, // TWO_CYCLE_ALU
  parameter IRQ      = 0
) (
  input  wire         clk,
  input  wire         target_rst,
  input  wire         rst,        // of the follower
  input  wire         sees_reset, // the follower sees target_rst
  input  wire [31:0]  irq,
  output wire         mem_valid,
  output wire         mem_instr,
  output wire [31:0]  mem_addr,
  output wire [31:0]  mem_wdata,
  output wire [3:0]   mem_wstrb,
  input  wire         mem_ready,
  input  wire [31:0]  mem_rdata,
  output wire         trap,
  output wire [70:0]  followed,
  output wire [212:0] retired
);
  wire        valid, rvfi_trap;
  wire [31:0] insn, pc, rs1, addr, rdata, wdata;
  wire [3:0]  rmask, wmask;

  picorv32 #(
    .ENABLE_MUL(1), .ENABLE_DIV(1), .BARREL_SHIFTER(BARREL[0]), .ENABLE_REGS_DUALPORT(DUALPORT[0]),
    .TWO_CYCLE_COMPARE(COMPARE[0]), .TWO_CYCLE_ALU(ALU[0]), .ENABLE_IRQ(IRQ[0]),
    .REGS_INIT_ZERO(1)
  ) cpu (
    .clk(clk), .resetn(!target_rst), .trap(trap), .irq(irq), .pcpi_wr(1'b0), .pcpi_rd(32'd0),
    .pcpi_wait(1'b0), .pcpi_ready(1'b0),
    .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(mem_ready), .mem_addr(mem_addr),
    .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata),
    .rvfi_valid(valid), .rvfi_trap(rvfi_trap), .rvfi_insn(insn), .rvfi_pc_rdata(pc),
    .rvfi_rs1_rdata(rs1), .rvfi_mem_addr(addr), .rvfi_mem_rmask(rmask), .rvfi_mem_wmask(wmask),
    .rvfi_mem_rdata(rdata), .rvfi_mem_wdata(wdata)
  );

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;
  es_tap_memvalid tap (
    .clk(clk), .rst(rst), .bus_valid(mem_valid), .bus_ready(mem_ready), .bus_fetch(mem_instr),
    .bus_addr(mem_addr), .bus_wdata(mem_wdata), .bus_rdata(mem_rdata), .bus_wstrb(mem_wstrb),
    .bus_lanes(4'b1111), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  es_follow #(
    .SETTLE((DUALPORT != 0 ? 0 : 1) + COMPARE + ALU), .IRQ(IRQ)
  ) follow (
    .clk(clk), .rst(rst), .target_rst(target_rst && sees_reset), .bus_asks(mem_valid),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes), .fl_valid(followed[0]), .fl_kind(followed[2:1]),
    .fl_addr(followed[34:3]), .fl_data(followed[66:35]), .fl_lanes(followed[70:67])
  );

  wire [2:0]  rx_valid;
  wire [5:0]  rx_kind;
  wire [95:0] rx_addr, rx_data;
  wire [11:0] rx_lanes;
  es_tap_rvfi #(.ALIGNED(1), .READ_MASKS(0)) port (
    .clk(clk), .rst(target_rst), .rvfi_valid(valid), .rvfi_trap(rvfi_trap), .rvfi_insn(insn),
    .rvfi_pc_rdata(pc), .rvfi_rs1_rdata(rs1), .rvfi_mem_addr(addr), .rvfi_mem_rmask(rmask),
    .rvfi_mem_wmask(wmask), .rvfi_mem_rdata(rdata), .rvfi_mem_wdata(wdata),
    .tx_valid(rx_valid), .tx_kind(rx_kind), .tx_addr(rx_addr), .tx_data(rx_data),
    .tx_lanes(rx_lanes)
  );
  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : slot
      assign retired[71*g +: 71] = {rx_lanes[4*g +: 4], rx_data[32*g +: 32], rx_addr[32*g +: 32],
                                    rx_kind[2*g +: 2], rx_valid[g]};
    end
  endgenerate
endmodule

`resetall
