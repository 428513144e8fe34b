`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of an asynchronous-SRAM-style bus: address, data, chip select, output enable, write enable,
// byte enables and a pin that tells instruction fetches (M1, SYNC, FC...). All pins are inputs.
//
// Method: every pin passes two flip-flops. An access is a stretch of samples in which chip select
// is low together with write enable (a write) or output enable (a read or fetch; write enable
// wins). The transaction is taken in the sample after the stretch, with the pins as they were in
// the stretch's last sample: a memory takes a write, and a processor takes what it reads, at the
// end of the strobe, and the bus is stable before it.
//
// What the bus has to keep to, with T the period of clk and S the greatest skew between pins
// (board and input delays, a few ns):
//   - strobes (ce_n with oe_n or we_n) low for at least 2 T, and high between two accesses for at
//     least 2 T, so that each is seen. Where oe_n or ce_n stay low through several reads, a change
//     of the address (ADDRESS_ENDS = 1) ends an access too; then each address has to stand 2 T.
//   - address, data, lanes and fetch stable from T + S before the strobe's end until S after it.
//     A pin that changes earlier than that cannot be mistaken; one that changes later can.
// At 48 MHz: 42 ns strobes, 42 ns between them, 21 ns + S of set-up. Time stamps are those of the
// taking: 3 to 4 T after the strobe's end, with a jitter of T.
module es_tap_sram #(
  parameter ADDR_W       = 16, // bits of the byte address, 16 to 32
  parameter DATA_W       = 8,  // bits of the data bus: 8, 16 or 32
  parameter BIG_ENDIAN   = 0,
  parameter ADDRESS_ENDS = 0   // 1: a change of the address during a read begins another
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [ADDR_W-1:0]   pin_addr,    // byte address; tie bits below the bus width to 0
  input  wire [DATA_W-1:0]   pin_data,
  input  wire                pin_ce_n,
  input  wire                pin_oe_n,
  input  wire                pin_we_n,
  input  wire [DATA_W/8-1:0] pin_lanes_n, // byte enables, active low; bit i: data bits 8i+7..8i
  input  wire                pin_fetch,   // high during an instruction fetch
  output reg                 tx_valid,
  output reg  [1:0]          tx_kind,
  output reg  [31:0]         tx_addr,
  output reg  [31:0]         tx_data,
  output reg  [3:0]          tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_sram: illegal ADDR_W");
  end

  localparam PINS_W = ADDR_W + DATA_W + DATA_W / 8 + 4;
  localparam [31:0] KIND_READ = `ES_KIND_READ;
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE;
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;

  // meta and now: synchroniser; last: the sample before
  reg  [PINS_W-1:0]   meta;
  reg  [PINS_W-1:0]   now;
  reg  [ADDR_W-1:0]   last_addr;
  reg  [DATA_W-1:0]   last_data;
  reg  [DATA_W/8-1:0] last_lanes;
  reg                 last_write;
  reg                 last_read;
  reg                 last_fetch;

  wire [ADDR_W-1:0]   addr;
  wire [DATA_W-1:0]   data;
  wire [DATA_W/8-1:0] lanes_n;
  wire                ce_n, oe_n, we_n, fetch;
  assign {addr, data, lanes_n, ce_n, oe_n, we_n, fetch} = now;

  wire writes = !ce_n && !we_n;
  wire reads  = !ce_n && !oe_n && we_n;
  wire moved  = ADDRESS_ENDS != 0 && addr != last_addr;
  wire ends   = last_write && !writes || last_read && (!reads || moved);

  wire [31:0] word;
  wire [3:0]  word_lanes;
  es_tap_lanes #(.DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) normalise (
    .address(last_addr[1:0]), .data(last_data), .lanes(last_lanes),
    .word(word), .word_lanes(word_lanes)
  );

  always @(posedge clk) begin
    meta       <= {pin_addr, pin_data, pin_lanes_n, pin_ce_n, pin_oe_n, pin_we_n, pin_fetch};
    now        <= meta;
    last_addr  <= addr;
    last_data  <= data;
    last_lanes <= ~lanes_n;
    last_write <= writes;
    last_read  <= reads;
    last_fetch <= fetch;
    tx_valid   <= ends;
    if (ends) begin
      tx_kind  <= last_write ? KIND_WRITE[1:0] : last_fetch ? KIND_FETCH[1:0] : KIND_READ[1:0];
      tx_addr  <= {{(32 - ADDR_W){1'b0}}, last_addr[ADDR_W-1:2], 2'd0};
      tx_data  <= word;
      tx_lanes <= word_lanes;
    end
    if (rst) begin
      // strobes that are low when the reset ends began before: they are seen from then on only
      meta       <= {PINS_W{1'b1}};
      now        <= {PINS_W{1'b1}};
      last_write <= 1'b0;
      last_read  <= 1'b0;
      tx_valid   <= 1'b0;
    end
  end
endmodule

`resetall
