/* es_tap_waves: the taps whose timing docs/taps.md draws, for waves.cpp. Each bus has its own
 * prefix; what they tell comes out as valid, kind and data.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_tap_waves (
  input  wire        clk, rst,
  input  wire        cyc, stb, we, stall, ack, err,
  input  wire        req, gnt, rvalid,
  input  wire [1:0]  htrans,
  input  wire        hwrite, hready, hresp,
  input  wire        awvalid, wvalid, bvalid, arvalid, rvalid_axi,
  input  wire [31:0] addr, data_w, data_r,
  output wire [2:0]  wishbone, obi, ahb, // kind and valid
  input  wire        arvalid_axi4, rvalid_axi4, rlast, awvalid_axi4, wvalid_axi4, wlast, bvalid_axi4,
  input  wire        rid, arid,
  output wire [2:0]  axi,
  output wire [5:0]  axi_lite,
  output wire [31:0] wishbone_data, obi_data, ahb_data, axi_data,
  output wire [63:0] axi_lite_data
);
  wire [31:0] wishbone_addr, obi_addr, ahb_addr, axi_addr;
  wire [63:0] axi_lite_addr;
  wire [3:0]  wishbone_lanes, obi_lanes, ahb_lanes, axi_lanes;
  wire [7:0]  axi_lite_lanes;
  es_tap_wishbone #(.PIPELINED(1)) tap_wishbone (
    .clk(clk), .rst(rst), .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_fetch(1'b0), .wb_adr(addr),
    .wb_dat_w(data_w), .wb_sel(4'hF), .wb_stall(stall), .wb_ack(ack), .wb_err(err), .wb_rty(1'b0),
    .wb_dat_r(data_r), .tx_valid(wishbone[0]), .tx_kind(wishbone[2:1]), .tx_addr(wishbone_addr),
    .tx_data(wishbone_data), .tx_lanes(wishbone_lanes)
  );
  es_tap_obi tap_obi (
    .clk(clk), .rst(rst), .obi_req(req), .obi_gnt(gnt), .obi_addr(addr), .obi_we(we),
    .obi_be(4'hF), .obi_wdata(data_w), .obi_fetch(1'b0), .obi_rvalid(rvalid), .obi_rready(1'b1),
    .obi_rdata(data_r), .obi_err(1'b0), .tx_valid(obi[0]), .tx_kind(obi[2:1]),
    .tx_addr(obi_addr), .tx_data(obi_data), .tx_lanes(obi_lanes)
  );
  es_tap_ahb tap_ahb (
    .clk(clk), .rst(rst), .hsel(1'b1), .htrans(htrans), .hwrite(hwrite), .hsize(3'd2),
    .hfetch(1'b0), .haddr(addr), .hwdata(data_w), .hrdata(data_r), .hready(hready),
    .hresp(hresp), .tx_valid(ahb[0]), .tx_kind(ahb[2:1]), .tx_addr(ahb_addr),
    .tx_data(ahb_data), .tx_lanes(ahb_lanes)
  );
  es_tap_axi_lite tap_axi_lite (
    .clk(clk), .rst(rst), .arvalid(arvalid), .arready(1'b1), .araddr(addr), .arfetch(1'b0),
    .rvalid(rvalid_axi), .rready(1'b1), .rdata(data_r), .rresp(2'd0), .awvalid(awvalid),
    .awready(1'b1), .awaddr(addr), .wvalid(wvalid), .wready(1'b1), .wdata(data_w), .wstrb(4'hF),
    .bvalid(bvalid), .bready(1'b1), .bresp(2'd0), .tx_valid({axi_lite[3], axi_lite[0]}),
    .tx_kind({axi_lite[5:4], axi_lite[2:1]}), .tx_addr(axi_lite_addr), .tx_data(axi_lite_data),
    .tx_lanes(axi_lite_lanes)
  );
  es_tap_axi #(.ID_W(1), .QUEUE(4)) tap_axi (
    .clk(clk), .rst(rst), .arvalid(arvalid_axi4), .arready(1'b1), .arid(arid), .araddr(addr),
    .arlen(8'd0), .arsize(3'd2), .arburst(2'd1), .arfetch(1'b0), .rvalid(rvalid_axi4),
    .rready(1'b1), .rid(rid), .rdata(data_r), .rresp(2'd0), .rlast(rlast),
    .awvalid(awvalid_axi4), .awready(1'b1), .awid(1'b0), .awaddr(addr), .awlen(8'd1),
    .awsize(3'd2), .awburst(2'd1), .awlock(1'b0), .wvalid(wvalid_axi4), .wready(1'b1),
    .wdata(data_w), .wstrb(4'hF), .wlast(wlast), .bvalid(bvalid_axi4), .bready(1'b1), .bid(1'b0),
    .bresp(2'd0), .tx_valid(axi[0]), .tx_kind(axi[2:1]), .tx_addr(axi_addr), .tx_data(axi_data),
    .tx_lanes(axi_lanes)
  );
  wire unused = &{1'b0, wishbone_addr, obi_addr, ahb_addr, axi_addr, axi_lite_addr, wishbone_lanes, obi_lanes,
                  ahb_lanes, axi_lanes, axi_lite_lanes};
endmodule

`resetall
