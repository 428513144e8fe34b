/* es_target_node: one processor of the reference target with its bus, memory and devices.
 *
 * An access to nowhere, or a write to ROM, is never answered: `fault` stays high with the access
 * on the bus, and the processor stalls. So a stray access of a program ends its run, and the
 * shim tells where. After a write to the exit register nothing is answered either. Writes to the
 * marker window (docs/marks.md) are answered and go nowhere.
 *
 * Accesses to the message device leave through msg_: the request stands from the clock in which
 * the access is on the bus until msg_ack or msg_none, which come at least one clock later.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_node
`include "es_target_node.vh"

  wire        req, req_fetch, ack, irq_timer, irq_external, sleeping, bus_due;
  wire [31:0] req_addr, req_wdata, memory_rdata, device_rdata;
  wire [31:0] cpu_wdata, cpu_rdata, cpu_stored, io_wdata, io_rdata;  // as the processor has them
  wire [3:0]  req_wstrb, req_lanes;
  wire        memory_here, device_here;

  /* verilator lint_off PINCONNECTEMPTY */
  es_cpu #(.RESET_PC(32'd0), .TRAPS(1), .COMPRESSED(COMPRESSED), .MULDIV(MULDIV)) cpu (
    .clk(clk), .rst(rst),
    .req(req), .req_fetch(req_fetch), .req_load(), .req_addr(req_addr), .req_wdata(cpu_wdata),
    .req_wstrb(req_wstrb),
    .req_lanes(req_lanes), .ack(ack), .rdata(cpu_rdata), .rdata_early(32'd0), .insn(bus_rdata),
    .wake(1'b0), .sleeping(sleeping), .irq_timer(irq_timer), .irq_external(irq_external),
    .trapped(trapped), .reg_write(), .reg_number(), .reg_value(), 
    .put(1'b0), .put_number(5'd0), .put_value(32'd0),
    .rvfi_valid(rvfi_valid), .rvfi_order(), .rvfi_insn(rvfi_insn), .rvfi_trap(), .rvfi_halt(),
    .rvfi_intr(rvfi_intr),
    .rvfi_mode(), .rvfi_ixl(), .rvfi_rs1_addr(), .rvfi_rs2_addr(), .rvfi_rs1_rdata(),
    .rvfi_rs2_rdata(),
    .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata), .rvfi_pc_rdata(rvfi_pc_rdata),
    .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask),
    .rvfi_mem_wmask(rvfi_mem_wmask), .rvfi_mem_rdata(), .rvfi_mem_wdata(cpu_stored)
  );
  /* verilator lint_on PINCONNECTEMPTY */

`ifdef ES_TARGET_BIG_ENDIAN
  // Data are big endian, instructions little endian, as RISC-V has it. Devices' registers are words
  // of the processor's order.
  es_target_order written (.lanes(req_lanes), .data(cpu_wdata), .turned(req_wdata));
  es_target_order read (.lanes(bus_lanes), .data(bus_rdata), .turned(cpu_rdata));
  es_target_order stored (.lanes(rvfi_mem_wmask), .data(cpu_stored), .turned(rvfi_mem_wdata));
  es_target_order to_device (.lanes(bus_lanes), .data(bus_wdata), .turned(io_wdata));
  es_target_order from_device (.lanes(bus_lanes), .data(device_rdata), .turned(io_rdata));
`else
  assign req_wdata = cpu_wdata;
  assign cpu_rdata = bus_rdata;
  assign rvfi_mem_wdata = cpu_stored;
  assign io_wdata  = bus_wdata;
  assign io_rdata  = device_rdata;
`endif

  es_target_bus #(.WAIT(WAIT)) adapter (
    .clk(clk), .rst(rst),
    .req(req), .req_fetch(req_fetch), .req_addr(req_addr), .req_wdata(req_wdata),
    .req_wstrb(req_wstrb),
    .req_lanes(req_lanes), .ack(ack),
    .bus_valid(bus_valid), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb),
    .bus_lanes(bus_lanes), .bus_ready(bus_ready), .bus_due(bus_due)
  );

  wire [31:0] mark_offset = bus_addr - `ES_MARK_BASE;
  wire [31:0] msg_offset  = bus_addr - `ES_TARGET_MSG_BASE;
  wire        mark_here   = mark_offset < `ES_MARK_SIZE && bus_wstrb != 4'd0;
  wire        msg_here    = msg_offset < `ES_TARGET_MSG_SIZE && !bus_fetch;

  wire here   = memory_here || device_here || mark_here || msg_here && !msg_none;
  wire access = bus_valid && bus_ready;

  assign msg_req   = bus_valid && bus_due && msg_here && !exited;
  assign bus_ready = bus_due && here && !exited && (!msg_here || msg_ack);
  assign bus_rdata = device_here ? io_rdata : msg_here ? msg_rdata : memory_rdata;
  assign fault     = bus_valid && !here && !exited;

  es_target_memory #(.ROM_SIZE(ROM_SIZE), .RAM_BASE(RAM_BASE), .RAM_SIZE(RAM_SIZE),
  .HALVES(COMPRESSED)) memory (
    .clk(clk), .en(access), .addr(bus_addr), .wdata(bus_wdata), .wstrb(bus_wstrb),
    .here(memory_here), .rdata(memory_rdata)
  );

  es_target_devices devices (
    .clk(clk), .rst(rst), .cycle(cycle), .en(access), .addr(bus_addr), .wdata(io_wdata),
    .wstrb(bus_wstrb),
    .here(device_here), .rdata(device_rdata), .seed(seed), .irq_timer(irq_timer),
    .irq_external(irq_external), .console_valid(console_valid),
    .console_byte(console_byte), .exited(exited), .exit_code(exit_code)
  );

  always @(posedge clk) begin
    if (access && bus_fetch)
      fetch_pc <= bus_addr;
    if (rst)
      fetch_pc <= 32'd0;
  end

  wire unused = &{1'b0, sleeping};

endmodule

`resetall
