/* A processor that retires two instructions in a clock (RVFI with NRET=2), and what of it comes to the probe's
 * FIFO: a tap of each channel, side by side, as docs/taps.md wires them.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_pair_bench #(
  parameter QUEUE = 8
) (
  input  wire        clk,
  input  wire        rst,
  input  wire [1:0]  rvfi_valid,
  input  wire [1:0]  rvfi_trap,
  input  wire [63:0] rvfi_insn,
  input  wire [63:0] rvfi_pc_rdata,
  input  wire [63:0] rvfi_mem_addr,
  input  wire [7:0]  rvfi_mem_rmask,
  input  wire [7:0]  rvfi_mem_wmask,
  input  wire [63:0] rvfi_mem_rdata,
  input  wire [63:0] rvfi_mem_wdata,
  input  wire [5:0]  wr_room,
  output wire        wr_en,
  output wire [31:0] wr_time,
  output wire [1:0]  wr_kind,
  output wire [3:0]  wr_lanes,
  output wire [29:0] wr_addr,
  output wire [31:0] wr_data
);
  wire [5:0]   tx_valid;
  wire [11:0]  tx_kind;
  wire [191:0] tx_addr, tx_data;
  wire [23:0]  tx_lanes;
  wire [2:0]   wr_core;
  wire [31:0]  time_low;

  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : channel
      es_tap_rvfi #(.COMPRESSED(1)) tap (
        .clk(clk), .rst(rst), .rvfi_valid(rvfi_valid[i]), .rvfi_trap(rvfi_trap[i]),
        .rvfi_insn(rvfi_insn[32*i+:32]), .rvfi_pc_rdata(rvfi_pc_rdata[32*i+:32]),
        .rvfi_rs1_rdata(32'd0), .rvfi_mem_addr(rvfi_mem_addr[32*i+:32]),
        .rvfi_mem_rmask(rvfi_mem_rmask[4*i+:4]), .rvfi_mem_wmask(rvfi_mem_wmask[4*i+:4]),
        .rvfi_mem_rdata(rvfi_mem_rdata[32*i+:32]), .rvfi_mem_wdata(rvfi_mem_wdata[32*i+:32]),
        .tx_valid(tx_valid[3*i+:3]), .tx_kind(tx_kind[6*i+:6]), .tx_addr(tx_addr[96*i+:96]),
        .tx_data(tx_data[96*i+:96]), .tx_lanes(tx_lanes[12*i+:12])
      );
    end
  endgenerate

  es_capture #(.TAPS(6), .PER_TAP(6), .FIFO_LOG2(5), .QUEUE(QUEUE), .MISSES(0)) capture (
    .clk(clk), .rst(rst), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes), .time_low(time_low), .wr_room(wr_room), .wr_en(wr_en),
    .wr_time(wr_time), .wr_core(wr_core), .wr_kind(wr_kind), .wr_lanes(wr_lanes),
    .wr_addr(wr_addr), .wr_data(wr_data)
  );

  wire unused = &{1'b0, wr_core, time_low};

endmodule

`resetall
