`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of an AXI4-Lite bus. A read is told in the clock of its R handshake, a write in that of its B
// handshake: so a master that waits for an answer before what must come after it has its accesses
// told in its order. What ends with SLVERR or DECERR is not told, nor is a write of no byte. Address and data of a write may
// come in any order. More accesses at a time than OUTSTANDING are told as missed, one by one.
//
// In one clock there are up to two transactions, for PER_TAP 2 of es_probe: the read, then the
// write; the read was asked for before the write was known to be made. AXI4-Lite does not say which
// bytes are read: a read is one of the whole word.
//
// Source: AMBA AXI and ACE Protocol Specification (ARM IHI 0022E), A3 and B1.
module es_tap_axi_lite #(
  parameter ADDR_W      = 32, // bits of the byte address, 16 to 32
  parameter BIG_ENDIAN  = 0,  // 1: the byte at the lowest address is in bits 31..24
  parameter OUTSTANDING = 2   // reads at a time, and writes, 1 to 64
) (
  input  wire              clk,
  input  wire              rst, // of the probe, and of the bus (docs/taps.md)
  input  wire              arvalid,
  input  wire              arready,
  input  wire [ADDR_W-1:0] araddr,
  input  wire              arfetch, // instruction fetch: ARPROT[2], or 1 on an instruction bus
  input  wire              rvalid,
  input  wire              rready,
  input  wire [31:0]       rdata,
  input  wire [1:0]        rresp,
  input  wire              awvalid,
  input  wire              awready,
  input  wire [ADDR_W-1:0] awaddr,
  input  wire              wvalid,
  input  wire              wready,
  input  wire [31:0]       wdata,
  input  wire [3:0]        wstrb,
  input  wire              bvalid,
  input  wire              bready,
  input  wire [1:0]        bresp,
  output wire [1:0]        tx_valid,
  output wire [3:0]        tx_kind,
  output wire [63:0]       tx_addr,
  output wire [63:0]       tx_data,
  output wire [7:0]        tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_axi_lite: illegal ADDR_W");
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK, MARK_MISSED = `ES_MARK_GAP_FIRST;
  localparam WORD_W = ADDR_W - 2;

  // ---- reads ----
  wire              read_known, read_missed, fetch;
  wire [2:0]        waits;
  wire [WORD_W-1:0] read_addr;
  es_tap_queue #(.WIDTH(1 + WORD_W), .DEPTH(OUTSTANDING)) reads (
    .clk(clk), .rst(rst), .begins(arvalid && arready), .begun({arfetch, araddr[ADDR_W-1:2]}),
    .ends(rvalid && rready), .known(read_known), .ended({fetch, read_addr}),
    .missed(read_missed), .waits(waits[0])
  );

  // ---- writes: address and data wait for the answer ----
  wire              to_known, to_missed, what_known, what_missed;
  wire [WORD_W-1:0] write_addr;
  wire [31:0]       write_data;
  wire [3:0]        write_strb;
  wire              answered = bvalid && bready;
  es_tap_queue #(.WIDTH(WORD_W), .DEPTH(OUTSTANDING)) to (
    .clk(clk), .rst(rst), .begins(awvalid && awready), .begun(awaddr[ADDR_W-1:2]),
    .ends(answered), .known(to_known), .ended(write_addr), .missed(to_missed), .waits(waits[1])
  );
  es_tap_queue #(.WIDTH(36), .DEPTH(OUTSTANDING)) what (
    .clk(clk), .rst(rst), .begins(wvalid && wready), .begun({wdata, wstrb}),
    .ends(answered), .known(what_known), .ended({write_data, write_strb}), .missed(what_missed),
    .waits(waits[2])
  );
  wire write_missed = to_missed || what_missed;
  wire write_known = to_known && what_known;

  wire [31:0] read_word, write_word;
  wire [3:0]  read_lanes, write_lanes;
  es_tap_lanes #(.DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) read_order (
    .address(2'd0), .data(rdata), .lanes(4'b1111), .word(read_word), .word_lanes(read_lanes)
  );
  es_tap_lanes #(.DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) write_order (
    .address(2'd0), .data(write_data), .lanes(write_strb), .word(write_word),
    .word_lanes(write_lanes)
  );

  localparam PAD = 32 - ADDR_W;
  assign tx_valid = rst ? 2'd0 : {write_known && !bresp[1] && |write_strb || write_missed,
                                  read_known && !rresp[1] || read_missed};
  assign tx_kind  = {write_missed ? KIND_MARK[1:0] : KIND_WRITE[1:0],
                     read_missed ? KIND_MARK[1:0] : fetch ? KIND_FETCH[1:0] : KIND_READ[1:0]};
  assign tx_addr  = {{PAD{1'b0}}, write_addr, 2'd0, {PAD{1'b0}}, read_addr, 2'd0};
  assign tx_data  = {write_word, read_word};
  assign tx_lanes = {write_missed ? MARK_MISSED[3:0] : write_lanes,
                     read_missed ? MARK_MISSED[3:0] : read_lanes};

  wire unused = &{1'b0, waits, araddr[1:0], awaddr[1:0], rresp[0], bresp[0]};
endmodule

`resetall
