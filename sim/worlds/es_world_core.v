/* es_world_core: one processor of the multi-core target with its tap, as Verilator's top.
 * sim/multi steps several of these models together with one of es_target_messages.
 *
 * Inputs go to registers only, as in the other worlds. So `cycle_next` and the message device's
 * answer are those of the clock that follows the edge: they stand in registers here in place of
 * the device's. The clock may be left out while `waiting`: then the access on the bus has no
 * answer yet and nothing but the time changes. (Counts of es_tap_mark do, but between a mark's
 * store and the fetch after it this processor accesses nothing.)
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_world_core (
  input  wire        clk_bus,
  input  wire        rst_bus,
  input  wire [31:0] seed,
  input  wire [63:0] cycle_next,

  output wire        msg_req,
  output wire [7:0]  msg_offset,
  output wire        msg_read,
  output wire        msg_write,
  output wire        waiting,
  input  wire        msg_ack_next,
  input  wire        msg_none_next,
  input  wire [31:0] msg_rdata_next,

  output wire        bus_valid,
  output wire        bus_ready,
  output wire        bus_fetch,
  output wire [31:0] bus_addr,
  output wire [31:0] bus_wdata,
  output wire [3:0]  bus_wstrb,
  output wire [31:0] fetch_pc,

  output wire        mark,
  output wire [15:0] mark_id,
  output wire [31:0] mark_value,
  output wire [31:0] mark_pc,

  output wire        mk_valid,   // what goes on to the probe: es_tap_mark
  output wire [1:0]  mk_kind,
  output wire [31:0] mk_addr,
  output wire [31:0] mk_data,
  output wire [3:0]  mk_lanes,

  output wire        attention,
  output wire        console_valid,
  output wire [7:0]  console_byte,
  output wire        exited,
  output wire [31:0] exit_code,
  output wire        fault,
  output wire        trapped,

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

  reg         rst;
  reg  [63:0] cycle;
  reg         msg_ack, msg_none;
  reg  [31:0] msg_rdata;
  always @(posedge clk_bus) begin
    rst       <= rst_bus;
    cycle     <= cycle_next;
    msg_ack   <= msg_ack_next;
    msg_none  <= msg_none_next;
    msg_rdata <= msg_rdata_next;
  end

  wire [31:0] bus_rdata;
  wire [3:0]  bus_lanes;

  es_target_node #(.WAIT(0)) node (
    .clk(clk_bus), .rst(rst), .seed(seed), .cycle(cycle),
    .msg_req(msg_req), .msg_ack(msg_ack), .msg_none(msg_none), .msg_rdata(msg_rdata),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_rdata(bus_rdata),
    .console_valid(console_valid), .console_byte(console_byte), .exited(exited),
    .exit_code(exit_code), .fault(fault),
    .trapped(trapped), .fetch_pc(fetch_pc),
    .rvfi_valid(rvfi_valid), .rvfi_intr(rvfi_intr), .rvfi_insn(rvfi_insn),
    .rvfi_pc_rdata(rvfi_pc_rdata),
    .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
    .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
    .rvfi_mem_wdata(rvfi_mem_wdata)
  );

  assign msg_offset = bus_addr[7:0];
  assign msg_read   = bus_wstrb == 4'd0;
  assign msg_write  = bus_wstrb == 4'hF;
  assign waiting    = msg_req && !msg_ack && !msg_none && !rvfi_valid && !console_valid;
  assign attention  = console_valid || exited || fault || trapped;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_memvalid #(.ADDR_W(32), .DATA_W(32), .BIG_ENDIAN(0)) tap (
    .clk(clk_bus), .rst(rst),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata),
    .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  es_tap_mark marks (
    .clk(clk_bus), .rst(rst), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data),
    .tx_lanes(tx_lanes), .mark(mark), .mark_id(mark_id), .mark_value(mark_value), .mark_pc(mark_pc),
    .mk_valid(mk_valid), .mk_kind(mk_kind), .mk_addr(mk_addr), .mk_data(mk_data),
    .mk_lanes(mk_lanes)
  );

endmodule

`resetall
