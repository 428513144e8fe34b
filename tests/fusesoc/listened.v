/* A Wishbone bus with Earshot's tap and probe beside it. */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module listened (
  input  wire        clk,
  input  wire        rst,
  input  wire        wb_cyc,
  input  wire        wb_stb,
  input  wire        wb_we,
  input  wire        wb_ack,
  input  wire [31:0] wb_adr,
  input  wire [31:0] wb_dat_w,
  input  wire [31:0] wb_dat_r,
  input  wire [3:0]  wb_sel,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);
  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;
  wire        sleeping, wake, idle, halt;
  wire [2:0]  calm;
  wire [7:0]  trigger;

  es_tap_wishbone tap (
    .clk(clk), .rst(rst), .wb_cyc(wb_cyc), .wb_stb(wb_stb), .wb_we(wb_we), .wb_fetch(1'b0),
    .wb_adr(wb_adr), .wb_dat_w(wb_dat_w), .wb_sel(wb_sel), .wb_stall(1'b0), .wb_ack(wb_ack),
    .wb_err(1'b0), .wb_rty(1'b0), .wb_dat_r(wb_dat_r), .tx_valid(tx_valid), .tx_kind(tx_kind),
    .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  es_probe #(.FETCHES(`ES_FETCHES_AHEAD), .WINDOW_LOG2(12)) probe (
    .clk_tap(clk), .rst_tap(rst), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes), .clk(clk), .rst(rst), .clk_soc(clk), .clk_link(clk),
    .clk_cpu(clk), .cpu_sleeping(sleeping), .cpu_wake(wake), .idle(idle), .calm(calm),
    .trigger(trigger), .halt(halt), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid),
    .tx_byte_ready(1'b1), .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid),
    .rx_byte_ready(rx_byte_ready)
  );

  wire unused = &{1'b0, sleeping, wake, idle, calm, trigger, halt};
endmodule

`resetall
