`resetall
`timescale 1ns/1ps
`default_nettype none

// es_link and es_ft245 with few pins, so that place and route can tell how fast they are: inputs
// come from a shift register, outputs are folded into one bit.
module link_synth (
  input  wire       clk,
  input  wire       rst,
  input  wire       shift,
  output reg        fold,
  input  wire       ft_clk, ft_rxf_n, ft_txe_n,
  output wire       ft_rd_n, ft_wr_n, ft_oe_n, ft_siwu_n,
  inout  wire [7:0] ft_data
);
  reg  [66:0] in;
  wire [15:0] ev_room;
  wire        ld_req, ld_write, idle;
  wire [31:0] ld_addr, ld_wdata, rx_bad;
  wire [7:0]  tx_byte, rx_byte, ft_data_o;
  wire        tx_valid, tx_ready, rx_valid, rx_ready, ft_data_oe;

  always @(posedge clk) begin
    in   <= {in[65:0], shift};
    fold <= ^{ev_room, ld_req, ld_write, ld_addr, ld_wdata, rx_bad, idle};
  end

  es_link #(.STEP(0)) link (
    .clk(clk), .rst(rst),
    .ev_push(in[0]), .ev_data(in[32:1]), .ev_end(in[33]), .ev_room(ev_room),
    .ld_req(ld_req), .ld_write(ld_write), .ld_addr(ld_addr), .ld_wdata(ld_wdata),
    .ld_ack(in[34]), .ld_rdata(in[66:35]),
    .rx_bad(rx_bad), .idle(idle),
    .tx_byte(tx_byte), .tx_byte_valid(tx_valid), .tx_byte_ready(tx_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_valid), .rx_byte_ready(rx_ready)
  );

  es_ft245 ft245 (
    .clk(clk), .rst(rst),
    .tx_byte(tx_byte), .tx_byte_valid(tx_valid), .tx_byte_ready(tx_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_valid), .rx_byte_ready(rx_ready), .idle(),
    .ft_clk(ft_clk), .ft_rxf_n(ft_rxf_n), .ft_txe_n(ft_txe_n), .ft_rd_n(ft_rd_n),
    .ft_wr_n(ft_wr_n), .ft_oe_n(ft_oe_n), .ft_siwu_n(ft_siwu_n),
    .ft_data_i(ft_data), .ft_data_o(ft_data_o), .ft_data_oe(ft_data_oe)
  );

  assign ft_data = ft_data_oe ? ft_data_o : 8'bz;
endmodule

`resetall
