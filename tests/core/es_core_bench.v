`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Bench of the core: es_probe after TAPS valid/ready taps, with soft core and link replaced by
// ports (standins/), and the pipeline's doings led out for comparison with the model.
module es_core_bench #(
  parameter        TAPS          = 1,
  parameter        PER_TAP       = 1,
  parameter        FIFO_LOG2     = 8,
  parameter        HITQ_LOG2     = 2,
  parameter [31:0] WINDOW_BASE   = 0,
  parameter        WINDOW_LOG2   = 16,
  parameter        TIME_W        = 32,
  parameter        ADDR_W        = 32,
  parameter        DATA_W        = 32,
  parameter        BIG_ENDIAN    = 0,
  parameter        SPRAM         = 0,
  parameter        CAPTURE_QUEUE = 4,
  parameter        SWEEP         = 16,
  parameter        COMPRESSED    = 0
) (
  input  wire                     clk_tap,
  input  wire                     rst_tap,
  input  wire [TAPS-1:0]          bus_valid,
  input  wire [TAPS-1:0]          bus_ready,
  input  wire [TAPS-1:0]          bus_fetch,
  input  wire [TAPS*32-1:0]       bus_addr,
  input  wire [TAPS*DATA_W-1:0]   bus_wdata,
  input  wire [TAPS*DATA_W-1:0]   bus_rdata,
  input  wire [TAPS*DATA_W/8-1:0] bus_wstrb,
  input  wire [TAPS*DATA_W/8-1:0] bus_lanes,
  input  wire [TAPS-1:0]          bus_mark,  // the write is handed on as a mark of the program
  input  wire [TAPS-1:0]          bus_missed, // the tap tells in its place that it has missed it

  input  wire                     clk,
  input  wire                     clk_soc,   // these two are clk; each of the three stands still where `calm` allows it
  input  wire                     clk_link,
  input  wire                     rst,
  input  wire                     fw_req,
  input  wire                     fw_fetch,
  input  wire [31:0]              fw_addr,
  input  wire [31:0]              fw_wdata,
  input  wire [3:0]               fw_wstrb,
  input  wire                     fw_sleeping,
  output wire                     fw_ack,
  output wire [31:0]              fw_rdata,
  output wire                     fw_wake,
  input  wire                     ld_req,
  input  wire                     ld_write,
  input  wire [31:0]              ld_addr,
  input  wire [31:0]              ld_wdata,
  output wire                     ld_go,
  output wire                     ld_ack,
  output wire [31:0]              ld_rdata,
  output wire                     idle,
  output wire [2:0]               calm,
  output wire [7:0]               trigger,
  output wire                     halt,

  output wire                     execute,
  output wire                     push,
  output wire                     is_mark,
  output wire [1:0]               hit_kind,
  output wire [3:0]               hit_lanes,
  output wire                     hit_old_known,
  output wire                     hit_locked,
  output wire                     hit_dynamic,
  output wire [2:0]               hit_core,
  output wire [31:0]              hit_time,
  output wire [31:0]              hit_addr,
  output wire [31:0]              hit_new,
  output wire [31:0]              hit_old,
  output wire [31:0]              hit_pc,
  output wire                     hit_valid,
  output wire                     ev_push,
  output wire [31:0]              ev_data,
  output wire                     ev_end,
  output wire                     locked,
  output wire                     empty,
  output wire                     clearing,
  output wire [31:0]              fifo_level
);
  wire [TAPS-1:0]    tx_valid;
  wire [2*TAPS-1:0]  tx_kind;
  wire [32*TAPS-1:0] tx_addr;
  wire [32*TAPS-1:0] tx_data;
  wire [4*TAPS-1:0]  tx_lanes;
  localparam [31:0] KIND_MARK = `ES_KIND_MARK;
  localparam [31:0] MARK_PROGRAM = `ES_MARK_PROGRAM;
  localparam [31:0] MARK_MISSED = `ES_MARK_GAP_FIRST;
  genvar g;
  generate
    for (g = 0; g < TAPS; g = g + 1) begin : each
      wire [1:0] kind;
      wire [3:0] lanes;
      assign tx_kind[2*g +: 2] = bus_mark[g] || bus_missed[g] ? KIND_MARK[1:0] : kind;
      assign tx_lanes[4*g +: 4] = bus_missed[g] ? MARK_MISSED[3:0] :
                                  bus_mark[g] ? MARK_PROGRAM[3:0] : lanes;
      es_tap_memvalid #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) tap (
        .clk(clk_tap), .rst(rst_tap),
        .bus_valid(bus_valid[g]), .bus_ready(bus_ready[g]), .bus_fetch(bus_fetch[g]),
        .bus_addr(bus_addr[32*g +: ADDR_W]), .bus_wdata(bus_wdata[DATA_W*g +: DATA_W]),
        .bus_rdata(bus_rdata[DATA_W*g +: DATA_W]), .bus_wstrb(bus_wstrb[DATA_W/8*g +: DATA_W/8]),
        .bus_lanes(bus_lanes[DATA_W/8*g +: DATA_W/8]),
        .tx_valid(tx_valid[g]), .tx_kind(kind), .tx_addr(tx_addr[32*g +: 32]),
        .tx_data(tx_data[32*g +: 32]), .tx_lanes(lanes)
      );
    end
  endgenerate

  wire       cpu_sleeping, cpu_wake, tx_byte_valid, rx_byte_ready;
  wire [7:0] tx_byte;

  es_probe #(
    .TAPS(TAPS / PER_TAP), .PER_TAP(PER_TAP), .FIFO_LOG2(FIFO_LOG2), .HITQ_LOG2(HITQ_LOG2), .WINDOW_BASE(WINDOW_BASE),
    .WINDOW_LOG2(WINDOW_LOG2), .TIME_W(TIME_W), .TARGET_ADDR_W(ADDR_W), .TARGET_DATA_W(DATA_W),
    .TARGET_BIG_ENDIAN(BIG_ENDIAN), .SPRAM(SPRAM), .CAPTURE_QUEUE(CAPTURE_QUEUE), .MISSES(CAPTURE_QUEUE >= 4 ? 1 : 0),
    .SWEEP(SWEEP),
    .FETCHES(`ES_FETCHES_RETIRED), .COMPRESSED(COMPRESSED), .READ_HITS(1), .OUTPUTS(1), .TIME_NOW(1)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk_soc), .clk_link(clk_link), .clk_cpu(clk_soc),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(idle), .calm(calm), .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(1'b1),
    .rx_byte(8'd0), .rx_byte_valid(1'b0), .rx_byte_ready(rx_byte_ready)
  );

  assign fw_ack        = probe.soc.ack;
  assign fw_rdata      = probe.soc.fetched ? probe.soc.mem_rdata : probe.soc.rdata; // insn or rdata
  assign fw_wake       = cpu_wake;
  assign ld_go         = probe.soc.ld_go;
  assign ld_ack        = probe.soc.ld_ack;
  assign ld_rdata      = probe.soc.ld_rdata;
  assign execute       = probe.pipeline.execute;
  assign push          = probe.pipeline.hit_push;
  assign is_mark       = probe.pipeline.is_mark;
  assign hit_kind      = probe.pipeline.hit_kind;
  assign hit_lanes     = probe.pipeline.hit_lanes;
  assign hit_old_known = probe.pipeline.hit_old_known;
  assign hit_locked    = probe.pipeline.hit_locked;
  assign hit_dynamic   = probe.pipeline.hit_dynamic;
  assign hit_core      = probe.pipeline.hit_core;
  assign hit_time      = probe.pipeline.hit_time;
  assign hit_addr      = {{(32 - ADDR_W){1'b0}}, probe.pipeline.hit_addr, 1'b0};
  assign hit_new       = probe.pipeline.hit_new;
  assign hit_old       = probe.pipeline.hit_old;
  assign hit_pc        = {{(32 - ADDR_W){1'b0}}, probe.pipeline.hit_pc, 1'b0};
  assign hit_valid     = probe.hit_valid;
  assign ev_push       = probe.ev_push;
  assign ev_data       = probe.ev_data;
  assign ev_end        = probe.ev_end;
  assign locked        = probe.locked;
  assign empty         = probe.pipeline_empty;
  assign clearing      = probe.clearing;
  assign fifo_level    = {{(31 - FIFO_LOG2){1'b0}}, probe.fifo_level};

  wire unused = &{1'b0, cpu_sleeping, tx_byte, tx_byte_valid, rx_byte_ready, bus_addr};
endmodule

`resetall
