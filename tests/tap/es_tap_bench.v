`resetall
`timescale 1ns/1ps
`default_nettype none

// All taps of the test side by side on the same pins; `select` shows one of them. 0 to 5:
// es_tap_sram, 6 to 11: es_tap_memvalid, with the data bus, endianness and ADDRESS_ENDS of the
// tables below.
module es_tap_bench (
  input  wire        clk,
  input  wire        rst,
  input  wire [3:0]  select,
  input  wire [19:0] addr,
  input  wire [31:0] data,
  input  wire [31:0] rdata,    // es_tap_memvalid only
  input  wire [3:0]  lanes,    // active high
  input  wire [3:0]  wstrb,    // es_tap_memvalid only
  input  wire        ce_n,     // es_tap_memvalid: not valid
  input  wire        oe_n,     // es_tap_memvalid: not ready
  input  wire        we_n,
  input  wire        fetch,
  output wire        tx_valid,
  output wire [1:0]  tx_kind,
  output wire [31:0] tx_addr,
  output wire [31:0] tx_data,
  output wire [3:0]  tx_lanes
);
  localparam [12*8-1:0] WIDTH = {8'd32, 8'd32, 8'd16, 8'd16, 8'd8, 8'd8,
                                 8'd16, 8'd8, 8'd16, 8'd16, 8'd8, 8'd8};
  localparam [11:0] BIG = 12'b101010_101010;
  localparam [11:0] ENDS = 12'b000000_110000;

  wire [70:0] out [0:11];
  assign {tx_valid, tx_kind, tx_addr, tx_data, tx_lanes} = out[select];

  genvar g;
  generate
    for (g = 0; g < 12; g = g + 1) begin : tap
      localparam DATA_W = {24'd0, WIDTH[8*g +: 8]};
      localparam BIG_ENDIAN = {31'd0, BIG[g]};
      wire        valid;
      wire [1:0]  kind;
      wire [31:0] word_addr, word;
      wire [3:0]  word_lanes;
      assign out[g] = {valid, kind, word_addr, word, word_lanes};
      if (g < 6) begin : sram
        es_tap_sram #(.ADDR_W(20), .DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN),
          .ADDRESS_ENDS({31'd0, ENDS[g]})) dut (
          .clk(clk), .rst(rst), .pin_addr(addr), .pin_data(data[DATA_W-1:0]), .pin_ce_n(ce_n),
          .pin_oe_n(oe_n), .pin_we_n(we_n), .pin_lanes_n(~lanes[DATA_W/8-1:0]), .pin_fetch(fetch),
          .tx_valid(valid), .tx_kind(kind), .tx_addr(word_addr), .tx_data(word),
          .tx_lanes(word_lanes));
      end else begin : memvalid
        es_tap_memvalid #(.ADDR_W(20), .DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) dut (
          .clk(clk), .rst(rst), .bus_valid(!ce_n), .bus_ready(!oe_n), .bus_fetch(fetch),
          .bus_addr(addr), .bus_wdata(data[DATA_W-1:0]), .bus_rdata(rdata[DATA_W-1:0]),
          .bus_wstrb(wstrb[DATA_W/8-1:0]), .bus_lanes(lanes[DATA_W/8-1:0]), .tx_valid(valid),
          .tx_kind(kind), .tx_addr(word_addr), .tx_data(word), .tx_lanes(word_lanes));
      end
    end
  endgenerate
endmodule

`resetall
