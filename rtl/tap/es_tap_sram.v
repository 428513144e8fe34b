`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of an asynchronous-SRAM-style bus: address, data, chip select, output enable, write enable,
// byte enables and a pin that tells instruction fetches (M1, SYNC, FC...). All pins are inputs.
//
// Method: every pin passes two flip-flops, the first of which may be in its pad. An access is a
// stretch of samples in which chip select is low together with write enable (a write) or output
// enable (a read or fetch; write enable wins). The transaction is taken in the sample after the
// stretch, with the pins as they were in the stretch's last sample: a memory takes a write, and a
// processor takes what it reads, at the end of the strobe, and the bus is stable before it. Without
// ADDRESS_ENDS that sample is kept while the transaction is handed on; so of a stretch that begins
// just then, the first sample is not looked at. With ADDRESS_ENDS the outputs stand still between
// transactions, and so does what they lead to, which saves power.
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
  parameter ADDRESS_ENDS = 0,  // 1: a change of the address during a read begins another
  parameter PIN_REGISTERED = 0 // 1: all pins come from registers of clk in their pads
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
  output wire [1:0]          tx_kind,
  output wire [31:0]         tx_addr,
  output wire [31:0]         tx_data,
  output wire [3:0]          tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_tap_sram: illegal ADDR_W");
  end

  localparam PINS_W = ADDR_W + DATA_W + DATA_W / 8 + 4;
  localparam [31:0] KIND_READ = `ES_KIND_READ;
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE;
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;

  // After reset all pins seem high: strobes that are low when it ends began before, and are seen
  // from then on only.
  wire [PINS_W-1:0]   now;
  wire                pins_settled;
  es_sync #(.WIDTH(PINS_W), .STAGES(PIN_REGISTERED != 0 ? 1 : 2), .RESET(1)) pins (
    .clk(clk), .rst(rst),
    .in({pin_addr, pin_data, pin_lanes_n, pin_ce_n, pin_oe_n, pin_we_n, pin_fetch}), .out(now),
    .settled(pins_settled)
  );

  wire [ADDR_W-1:0]   addr;
  wire [DATA_W-1:0]   data;
  wire [DATA_W/8-1:0] lanes_n;
  wire                ce_n, oe_n, we_n, fetch;
  assign {addr, data, lanes_n, ce_n, oe_n, we_n, fetch} = now;

  wire writes = !ce_n && !we_n;
  wire reads  = !ce_n && !oe_n && we_n;

  wire [31:0] word;
  wire [3:0]  word_lanes;
  es_tap_lanes #(.DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) normalise (
    .address(addr[1:0]), .data(data), .lanes(~lanes_n), .word(word), .word_lanes(word_lanes)
  );

  localparam SAMPLE_W = 2 + ADDR_W + 32 + 4;
  wire [1:0]          kind = writes ? KIND_WRITE[1:0] : fetch ? KIND_FETCH[1:0] : KIND_READ[1:0];
  wire [SAMPLE_W-1:0] sample = {kind, addr, word, word_lanes};

  reg  [SAMPLE_W-1:0] last;       // the sample before
  reg                 last_write; // it belongs to a write
  reg                 last_read;
  wire [SAMPLE_W-1:0] out;        // a stretch's last sample while tx_valid
  wire [ADDR_W-1:0]   out_addr;
  wire                moved, ends;

  assign ends = last_write && !writes || last_read && (!reads || moved);
  assign {tx_kind, out_addr, tx_data, tx_lanes} = out;
  assign tx_addr = {{(32 - ADDR_W){1'b0}}, out_addr[ADDR_W-1:2], 2'd0};

  generate
    if (ADDRESS_ENDS != 0) begin : at_once // another stretch may begin where one ends
      reg [SAMPLE_W-1:0] ended;
      assign moved = addr != last[36 +: ADDR_W];
      assign out   = ended;
      always @(posedge clk) begin
        last       <= sample;
        last_write <= writes;
        last_read  <= reads;
        if (ends) ended <= last;
        if (rst) last_write <= 1'b0;
        if (rst) last_read <= 1'b0;
      end
    end else begin : apart // `last` is kept while it is handed on
      assign moved = 1'b0;
      assign out   = last;
      always @(posedge clk) begin
        if ((writes || reads) && !ends) last <= sample;
        last_write <= writes && !ends;
        last_read  <= reads && !ends;
        if (rst) last_write <= 1'b0;
        if (rst) last_read <= 1'b0;
      end
    end
  endgenerate

  always @(posedge clk) begin
    tx_valid <= ends;
    if (rst) tx_valid <= 1'b0;
  end

  wire unused = &{1'b0, out_addr, pins_settled};
endmodule

`resetall
