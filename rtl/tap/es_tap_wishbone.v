`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of a Wishbone B4 bus, classic or pipelined. An access is told in the clock of its `ack`; one
// that ends with `err` or `rty` is not told, as the slave has not made it (after `rty`, the master's
// next try is an access of its own), nor is a write of no byte.
//
// Classic: an access ends in a clock with cyc, stb and a response; those of a burst with registered
// feedback are accesses like others. Pipelined: it begins in a clock with cyc and stb and without
// stall, and ends, in order, with a response, which may come in the same clock. More of them at a
// time than OUTSTANDING are told as missed, one by one; and all together, once, those that the master
// gives up by ending cyc before they have ended.
//
// Source: Wishbone B4 (OpenCores, 2010), 3.1 to 3.2 and 4.
module es_tap_wishbone #(
  parameter ADDR_W      = 32, // bits of the byte address, 16 to 32
  parameter DATA_W      = 32, // bits of the data bus: 8, 16 or 32
  parameter BIG_ENDIAN  = 0,
  parameter PIPELINED   = 0,
  parameter OUTSTANDING = 4   // only with PIPELINED: accesses at a time, 1 to 64
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                wb_cyc,
  input  wire                wb_stb,
  input  wire                wb_we,
  input  wire                wb_fetch, // instruction fetch: a tag, or 1 on an instruction bus
  input  wire [ADDR_W-1:0]   wb_adr,   // byte address; bits below the bus width do not matter
  input  wire [DATA_W-1:0]   wb_dat_w, // to the slave
  input  wire [DATA_W/8-1:0] wb_sel,
  input  wire                wb_stall, // only with PIPELINED
  input  wire                wb_ack,
  input  wire                wb_err,
  input  wire                wb_rty,
  input  wire [DATA_W-1:0]   wb_dat_r, // from the slave
  output wire                tx_valid,
  output wire [1:0]          tx_kind,
  output wire [31:0]         tx_addr,
  output wire [31:0]         tx_data,
  output wire [3:0]          tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_wishbone: illegal ADDR_W");
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK, MARK_MISSED = `ES_MARK_GAP_FIRST;
  localparam BYTES = DATA_W / 8;
  localparam WIDTH = 2 + ADDR_W + BYTES + DATA_W;

  wire [WIDTH-1:0]  asked = {wb_we, wb_fetch, wb_adr, wb_sel, wb_dat_w};
  wire              good = wb_ack && !wb_err && !wb_rty;
  wire              told, missed;
  wire              we, fetch;
  wire [ADDR_W-1:0] adr;
  wire [BYTES-1:0]  sel;
  wire [DATA_W-1:0] dat_w;

  generate
    if (PIPELINED != 0) begin : pipelined
      wire known, lost, waits;
      wire ends = wb_cyc && (wb_ack || wb_err || wb_rty);
      es_tap_queue #(.WIDTH(WIDTH), .DEPTH(OUTSTANDING), .SAME_CLOCK(1)) queue (
        .clk(clk), .rst(rst || !wb_cyc), .begins(wb_cyc && wb_stb && !wb_stall), .begun(asked),
        .ends(ends), .known(known), .ended({we, fetch, adr, sel, dat_w}), .missed(lost),
        .waits(waits)
      );
      assign told   = known && good;
      assign missed = lost || waits && !wb_cyc;
    end else begin : classic
      assign {we, fetch, adr, sel, dat_w} = asked;
      assign told   = wb_cyc && wb_stb && good;
      assign missed = 1'b0;
      wire unused_clk = &{1'b0, clk, wb_stall};
    end
  endgenerate

  wire [31:0] word;
  wire [3:0]  lanes;
  es_tap_lanes #(.DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) normalise (
    .address(adr[1:0]), .data(we ? dat_w : wb_dat_r), .lanes(sel), .word(word), .word_lanes(lanes)
  );

  assign tx_valid = (told && !(we && sel == {BYTES{1'b0}}) || missed) && !rst;
  assign tx_kind  = missed ? KIND_MARK[1:0] : we ? KIND_WRITE[1:0] :
                    fetch ? KIND_FETCH[1:0] : KIND_READ[1:0];
  assign tx_addr  = {{(32 - ADDR_W){1'b0}}, adr[ADDR_W-1:2], 2'd0};
  assign tx_data  = word;
  assign tx_lanes = missed ? MARK_MISSED[3:0] : lanes;
endmodule

`resetall
