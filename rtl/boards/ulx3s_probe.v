`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The probe as all boards with the ULX3S have it, between a tap and a link: with `read(x)` and the
// tap's time, which the iCEBreaker has no room for.
module ulx3s_probe #(
  parameter        FETCHES       = `ES_FETCHES_UNTOLD,
  parameter [31:0] WINDOW_BASE   = 32'd0,
  parameter        WINDOW_LOG2   = 15,
  parameter        MEM_LOG2      = 15,
  parameter        TARGET_ADDR_W = 32,
  parameter        TARGET_DATA_W = 32,
  parameter        OUTPUTS       = 0,
  parameter        RECORDER      = 0,
  parameter        RECORD_LOG2   = 12,
  parameter        MONITOR       = 1 // 0: the recorder alone
) (
  input  wire        clk_tap,
  input  wire        rst_tap,
  input  wire        tx_valid,
  input  wire [1:0]  tx_kind,
  input  wire [31:0] tx_addr,
  input  wire [31:0] tx_data,
  input  wire [3:0]  tx_lanes,
  input  wire        clk,
  input  wire        rst,
  output wire [7:0]  trigger,
  output wire        halt,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);
  wire       cpu_sleeping, cpu_wake, idle;
  wire [2:0] calm;

  es_probe #(
    .FIFO_LOG2(9), .HITQ_LOG2(2), .WINDOW_BASE(WINDOW_BASE), .WINDOW_LOG2(WINDOW_LOG2),
    .MEM_LOG2(MEM_LOG2), .EVQ_LOG2(9), .TIME_W(32), .TARGET_ADDR_W(TARGET_ADDR_W),
    .TARGET_DATA_W(TARGET_DATA_W), .SWEEP(1), .BANK_LOG2(14), .CAPTURE_QUEUE(4), .MISSES(0), .FETCHES(FETCHES),
    .READ_HITS(1), .OUTPUTS(OUTPUTS), .TIME_NOW(1), .TRACKER(MONITOR),
    .RECORDER(RECORDER), .RECORD_LOG2(RECORD_LOG2), .MONITOR(MONITOR)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk), .clk_link(clk), .clk_cpu(clk),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(idle), .calm(calm),
    .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  wire unused = &{1'b0, cpu_sleeping, cpu_wake, idle, calm};
endmodule

`resetall
