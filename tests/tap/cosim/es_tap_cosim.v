/* es_tap_cosim: taps on buses whose masters and slaves are the bus models of others, in Python
 * (test_taps.py). The signals of a bus are registers that both of its models set: as ports
 * Verilator would keep two copies of each.
 *
 * Prefixes: wc_ Wishbone classic, wp_ pipelined, obi_, ahb_, axil_, axi_. The names are those that the
 * models look for. A tap's transactions come out as one vector: lanes, data, address, kind, valid.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_tap_cosim;
  reg          clk;
  reg          rst;
  reg          rst_n; // for models

  reg          wc_cyc, wc_stb, wc_we, wc_ack, wc_err, wc_rty;
  reg  [31:0]  wc_adr, wc_datwr, wc_datrd;
  reg  [3:0]   wc_sel;
  wire [70:0]  wc_tx;

  reg          wp_cyc, wp_stb, wp_we, wp_stall, wp_ack, wp_err, wp_rty;
  reg  [31:0]  wp_adr, wp_datwr, wp_datrd;
  reg  [3:0]   wp_sel;
  wire [70:0]  wp_tx;

  reg          obi_req, obi_gnt, obi_we, obi_rvalid, obi_rready, obi_err;
  reg  [31:0]  obi_addr, obi_wdata, obi_rdata;
  reg  [3:0]   obi_be;
  wire [70:0]  obi_tx;
  wire [70:0]  obi_short_tx; // of a tap that remembers one access only

  reg  [31:0]  ahb_haddr, ahb_hwdata, ahb_hrdata;
  reg  [2:0]   ahb_hsize;
  reg  [1:0]   ahb_htrans;
  reg          ahb_hwrite, ahb_hready, ahb_hresp;
  wire [70:0]  ahb_tx;

  reg  [31:0]  axil_awaddr, axil_wdata, axil_araddr, axil_rdata;
  reg  [2:0]   axil_awprot, axil_arprot;
  reg  [3:0]   axil_wstrb;
  reg  [1:0]   axil_bresp, axil_rresp;
  reg          axil_awvalid, axil_awready, axil_wvalid, axil_wready, axil_bvalid;
  reg          axil_bready, axil_arvalid, axil_arready, axil_rvalid, axil_rready;
  wire [141:0] axil_tx; // the read is lower
  wire [141:0] axil_short_tx;

  reg  [31:0]  axi_awaddr, axi_wdata, axi_araddr, axi_rdata;
  reg  [3:0]   axi_awid, axi_bid, axi_arid, axi_rid, axi_wstrb;
  reg  [7:0]   axi_awlen, axi_arlen;
  reg  [2:0]   axi_awsize, axi_arsize, axi_awprot, axi_arprot;
  reg  [1:0]   axi_awburst, axi_arburst, axi_bresp, axi_rresp;
  reg          axi_awlock, axi_arlock, axi_wlast, axi_rlast;
  reg          axi_awvalid, axi_awready, axi_wvalid, axi_wready, axi_bvalid;
  reg          axi_bready, axi_arvalid, axi_arready, axi_rvalid, axi_rready;
  wire [70:0]  axi_tx, axi_big_tx, axi_short_tx;

  es_tap_wishbone classic (
    .clk(clk), .rst(rst), .wb_cyc(wc_cyc), .wb_stb(wc_stb), .wb_we(wc_we), .wb_fetch(wc_adr[20]),
    .wb_adr(wc_adr), .wb_dat_w(wc_datwr), .wb_sel(wc_sel), .wb_stall(1'b0), .wb_ack(wc_ack),
    .wb_err(wc_err), .wb_rty(wc_rty), .wb_dat_r(wc_datrd), .tx_valid(wc_tx[0]),
    .tx_kind(wc_tx[2:1]), .tx_addr(wc_tx[34:3]), .tx_data(wc_tx[66:35]), .tx_lanes(wc_tx[70:67])
  );

  es_tap_wishbone #(.PIPELINED(1)) pipelined (
    .clk(clk), .rst(rst), .wb_cyc(wp_cyc), .wb_stb(wp_stb), .wb_we(wp_we), .wb_fetch(wp_adr[20]),
    .wb_adr(wp_adr), .wb_dat_w(wp_datwr), .wb_sel(wp_sel), .wb_stall(wp_stall), .wb_ack(wp_ack),
    .wb_err(wp_err), .wb_rty(wp_rty), .wb_dat_r(wp_datrd), .tx_valid(wp_tx[0]),
    .tx_kind(wp_tx[2:1]), .tx_addr(wp_tx[34:3]), .tx_data(wp_tx[66:35]), .tx_lanes(wp_tx[70:67])
  );

  es_tap_obi obi (
    .clk(clk), .rst(rst), .obi_req(obi_req), .obi_gnt(obi_gnt), .obi_addr(obi_addr),
    .obi_we(obi_we), .obi_be(obi_be), .obi_wdata(obi_wdata), .obi_fetch(obi_addr[20]),
    .obi_rvalid(obi_rvalid), .obi_rready(obi_rready), .obi_rdata(obi_rdata), .obi_err(obi_err),
    .tx_valid(obi_tx[0]), .tx_kind(obi_tx[2:1]), .tx_addr(obi_tx[34:3]), .tx_data(obi_tx[66:35]),
    .tx_lanes(obi_tx[70:67])
  );

  es_tap_obi #(.OUTSTANDING(1)) obi_short (
    .clk(clk), .rst(rst), .obi_req(obi_req), .obi_gnt(obi_gnt), .obi_addr(obi_addr),
    .obi_we(obi_we), .obi_be(obi_be), .obi_wdata(obi_wdata), .obi_fetch(obi_addr[20]),
    .obi_rvalid(obi_rvalid), .obi_rready(obi_rready), .obi_rdata(obi_rdata), .obi_err(obi_err),
    .tx_valid(obi_short_tx[0]), .tx_kind(obi_short_tx[2:1]), .tx_addr(obi_short_tx[34:3]),
    .tx_data(obi_short_tx[66:35]), .tx_lanes(obi_short_tx[70:67])
  );

  es_tap_ahb ahb (
    .clk(clk), .rst(rst), .hsel(1'b1), .htrans(ahb_htrans), .hwrite(ahb_hwrite),
    .hsize(ahb_hsize), .hfetch(ahb_haddr[20]), .haddr(ahb_haddr), .hwdata(ahb_hwdata),
    .hrdata(ahb_hrdata), .hready(ahb_hready), .hresp(ahb_hresp),
    .tx_valid(ahb_tx[0]), .tx_kind(ahb_tx[2:1]), .tx_addr(ahb_tx[34:3]), .tx_data(ahb_tx[66:35]),
    .tx_lanes(ahb_tx[70:67])
  );

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : axil
      wire [1:0]  valid;
      wire [3:0]  kind;
      wire [63:0] addr, data;
      wire [7:0]  lanes;
      wire [141:0] tx = {lanes[7:4], data[63:32], addr[63:32], kind[3:2], valid[1],
                         lanes[3:0], data[31:0], addr[31:0], kind[1:0], valid[0]};
      es_tap_axi_lite #(.OUTSTANDING(g == 0 ? 8 : 1)) tap (
        .clk(clk), .rst(rst), .arvalid(axil_arvalid), .arready(axil_arready),
        .araddr(axil_araddr), .arfetch(axil_arprot[2]), .rvalid(axil_rvalid),
        .rready(axil_rready), .rdata(axil_rdata), .rresp(axil_rresp), .awvalid(axil_awvalid),
        .awready(axil_awready), .awaddr(axil_awaddr), .wvalid(axil_wvalid), .wready(axil_wready),
        .wdata(axil_wdata), .wstrb(axil_wstrb), .bvalid(axil_bvalid), .bready(axil_bready),
        .bresp(axil_bresp), .tx_valid(valid), .tx_kind(kind), .tx_addr(addr), .tx_data(data),
        .tx_lanes(lanes)
      );
    end
  endgenerate
  assign axil_tx       = axil[0].tx;
  assign axil_short_tx = axil[1].tx;

  // ample; the same on a bus with its lanes the other way round; with little to remember
  generate
    for (g = 0; g < 3; g = g + 1) begin : axi
      wire [70:0] tx;
      function [31:0] order(input [31:0] word);
        order = g == 1 ? {word[7:0], word[15:8], word[23:16], word[31:24]} : word;
      endfunction
      es_tap_axi #(
        .BIG_ENDIAN(g == 1), .OUTSTANDING(g == 2 ? 2 : 16), .BEATS(g == 2 ? 4 : 16), .QUEUE(g == 2 ? 2 : 256)
      ) tap (
        .clk(clk), .rst(rst), .arvalid(axi_arvalid), .arready(axi_arready), .arid(axi_arid),
        .araddr(axi_araddr), .arlen(axi_arlen), .arsize(axi_arsize), .arburst(axi_arburst),
        .arfetch(axi_arprot[2]), .rvalid(axi_rvalid), .rready(axi_rready), .rid(axi_rid),
        .rdata(order(axi_rdata)), .rresp(axi_rresp), .rlast(axi_rlast), .awvalid(axi_awvalid),
        .awready(axi_awready), .awid(axi_awid), .awaddr(axi_awaddr), .awlen(axi_awlen),
        .awsize(axi_awsize), .awburst(axi_awburst), .awlock(axi_awlock), .wvalid(axi_wvalid),
        .wready(axi_wready), .wdata(order(axi_wdata)),
        .wstrb(g == 1 ? {axi_wstrb[0], axi_wstrb[1], axi_wstrb[2], axi_wstrb[3]} : axi_wstrb),
        .wlast(axi_wlast), .bvalid(axi_bvalid), .bready(axi_bready), .bid(axi_bid),
        .bresp(axi_bresp), .tx_valid(tx[0]), .tx_kind(tx[2:1]), .tx_addr(tx[34:3]),
        .tx_data(tx[66:35]), .tx_lanes(tx[70:67])
      );
    end
  endgenerate
  assign axi_tx       = axi[0].tx;
  assign axi_big_tx   = axi[1].tx;
  assign axi_short_tx = axi[2].tx;

  wire unused = &{1'b0, rst_n, axil_awprot, axi_awprot, axi_arlock};
endmodule

`resetall
