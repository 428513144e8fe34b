`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_memvalid: a transaction for each clock with bus_valid and bus_ready and for no other, with the bus's own address, kind and bytes.
// The place of each byte is told here from its address alone.
module memvalid_proof #(
  parameter DATA_W     = 32,
  parameter BIG_ENDIAN = 0
) (
  input wire                clk,
  input wire                rst,
  input wire                valid,
  input wire                ready,
  input wire                fetch,
  input wire [19:0]         addr,
  input wire [DATA_W-1:0]   wdata,
  input wire [DATA_W-1:0]   rdata,
  input wire [DATA_W/8-1:0] wstrb,
  input wire [DATA_W/8-1:0] lanes,
  input wire [1:0]          at // any byte of the word
);
  localparam BYTES = DATA_W / 8;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_memvalid #(.ADDR_W(20), .DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN)) tap (
    .clk(clk), .rst(rst), .bus_valid(valid), .bus_ready(ready), .bus_fetch(fetch), .bus_addr(addr),
    .bus_wdata(wdata), .bus_rdata(rdata), .bus_wstrb(wstrb), .bus_lanes(lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // the bus's byte whose address ends with `at`, if the access has it
  wire [1:0]  low = at & (BYTES - 1);
  wire [1:0]  bus_lane = BIG_ENDIAN != 0 ? BYTES - 1 - low : low;
  wire        here = (at & ~(BYTES - 1)) == (addr[1:0] & ~(BYTES - 1));
  wire        write = wstrb != 0;
  wire        taken = here && (write ? wstrb[bus_lane] : lanes[bus_lane]);
  wire [7:0]  value = write ? wdata[8*bus_lane +: 8] : rdata[8*bus_lane +: 8];

  always @(posedge clk) begin
    once: assert (tx_valid == (valid && ready && !rst));
    if (tx_valid) begin
      address: assert (tx_addr == {12'd0, addr[19:2], 2'd0});
      kind: assert (tx_kind == (write ? 2'd1 : fetch ? 2'd2 : 2'd0)); // ES_KIND_*
      which: assert (tx_lanes[at] == taken);
      byte_there: assert (!taken || tx_data[8*at +: 8] == value);
    end
    a_write: cover (tx_valid && tx_kind == 2'd1 && tx_lanes != 0);
    a_fetch: cover (tx_valid && tx_kind == 2'd2 && tx_lanes != 0);
  end
endmodule

`resetall
