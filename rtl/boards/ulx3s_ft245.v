`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// ULX3S (ECP5): as ulx3s.v, with a module with an FT232H or FT2232H in synchronous FIFO mode at the
// first header as the link, a hundred times faster than the serial line. What is left of the pins
// is for a 16-bit bus: data 16, address 17 (256 KiB), byte enables 2, chip select, two strobes,
// fetch.
module ulx3s_ft245 #(
  parameter        FETCHES     = `ES_FETCHES_EXECUTED, // as in ulx3s.v
  parameter [31:0] TARGET_BASE = 32'd0,
  parameter [31:0] WINDOW_BASE = TARGET_BASE,
  parameter        WINDOW_LOG2 = 15,
  parameter        MEM_LOG2    = 15
) (
  input  wire        clk_25mhz,
  output wire        wifi_en,     // low: the ESP32 is in reset
  input  wire        ft_clk,
  input  wire        ft_rxf_n,
  input  wire        ft_txe_n,
  output wire        ft_rd_n,
  output wire        ft_wr_n,
  output wire        ft_oe_n,
  output wire        ft_siwu_n,
  inout  wire [7:0]  ft_data,
  input  wire [17:1] target_a,
  input  wire [15:0] target_d,
  input  wire [1:0]  target_be_n, // low: the byte is meant; bit i: data bits 8i+7 to 8i
  input  wire        target_ce_n,
  input  wire        target_rd_n, // low: a read
  input  wire        target_wr_n, // low: a write
  input  wire        target_fetch // high during the read of an instruction
);
  assign wifi_en = 1'b0;

  // ---- clocks and resets: 160 and 60 MHz, and the module's own 60 MHz ----
  wire clk_tap, rst_tap, clk, rst;

  ulx3s_clocks clocks (
    .clk_25mhz(clk_25mhz), .clk_tap(clk_tap), .rst_tap(rst_tap), .clk(clk), .rst(rst)
  );

  // ---- pins ----
  wire [17:1] a;
  wire [15:0] d;
  wire [1:0]  be_n;
  wire        ce_n, rd_n, wr_n, fetch;
  wire [7:0]  ft_data_o;
  wire        ft_data_oe;

  ecp5_pads #(.WIDTH(17)) pads_a (.clk(clk_tap), .pins(target_a), .sampled(a));
  ecp5_pads #(.WIDTH(16)) pads_d (.clk(clk_tap), .pins(target_d), .sampled(d));
  ecp5_pads #(.WIDTH(6)) pads_control (
    .clk(clk_tap),
    .pins({target_be_n, target_ce_n, target_rd_n, target_wr_n, target_fetch}),
    .sampled({be_n, ce_n, rd_n, wr_n, fetch})
  );

  assign ft_data = ft_data_oe ? ft_data_o : 8'bz;

  // ---- tap ----
  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr;
  wire [31:0] tx_data;
  wire [3:0]  tx_lanes;

  es_tap_sram #(.ADDR_W(18), .DATA_W(16), .PIN_REGISTERED(1)) tap (
    .clk(clk_tap), .rst(rst_tap),
    .pin_addr({a, 1'd0}), .pin_data(d), .pin_ce_n(ce_n), .pin_oe_n(rd_n),
    .pin_we_n(wr_n), .pin_lanes_n(be_n), .pin_fetch(fetch),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  // ---- probe and link ----
  wire [7:0] tx_byte, rx_byte;
  wire       tx_byte_valid, tx_byte_ready, rx_byte_valid, rx_byte_ready;
  wire [7:0] trigger; // no pins: these stay low
  wire       halt;

  ulx3s_probe #(
    .FETCHES(FETCHES), .WINDOW_BASE(WINDOW_BASE), .WINDOW_LOG2(WINDOW_LOG2), .MEM_LOG2(MEM_LOG2),
    .TARGET_ADDR_W(TARGET_BASE == 0 ? 18 : 32), .TARGET_DATA_W(16)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind),
    .tx_addr(tx_addr | TARGET_BASE), .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  wire link_idle;

  es_ft245 link (
    .clk(clk), .rst(rst),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready),
    .idle(link_idle),
    .ft_clk(ft_clk), .ft_rxf_n(ft_rxf_n), .ft_txe_n(ft_txe_n), .ft_rd_n(ft_rd_n),
    .ft_wr_n(ft_wr_n), .ft_oe_n(ft_oe_n), .ft_siwu_n(ft_siwu_n), .ft_data_i(ft_data),
    .ft_data_o(ft_data_o), .ft_data_oe(ft_data_oe)
  );

  wire unused = &{1'b0, trigger, halt, link_idle};
endmodule

`resetall
