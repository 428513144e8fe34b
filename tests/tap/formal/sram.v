`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_sram: each access becomes one transaction, three clocks after the sample that shows its end, in the order of the accesses, with
// the pins as they were in its last sample; and there are no others. With ADDRESS_ENDS what is handed on stands still in between.
//
// A driver makes accesses of one sample or more, with one sample or more between them, and knows what each of them is. All pins but the strobes are
// free in every sample; with ADDRESS_ENDS, the address stands during a read, whose next one may begin with another address at once.
module sram_proof #(
  parameter DATA_W       = 8,
  parameter BIG_ENDIAN   = 0,
  parameter ADDRESS_ENDS = 0
) (
  input wire                clk,
  input wire [15:0]         addr,
  input wire [DATA_W-1:0]   data,
  input wire [DATA_W/8-1:0] lanes_n,
  input wire                fetch,
  input wire                ce_n, oe_n, we_n, // what the driver's state leaves open of them
  input wire                write,            // of the access that begins
  input wire                goes_on,          // this sample is not the state's last one
  input wire [1:0]          at                // any byte of the word
);
  localparam BYTES = DATA_W / 8;

  reg [1:0] resets = 0;
  wire      rst = resets < 2;
  always @(posedge clk) if (rst) resets <= resets + 1'b1;

  // ---- driver ----
  reg        low = 0, writes = 0, begun = 0;
  reg [15:0] read_addr;
  wire       ends = low && !goes_on;
  wire       next_read = ADDRESS_ENDS != 0 && ends && !writes && !write && ce_n; // at once

  always @(posedge clk) begin
    if (rst) low <= 0;
    else if (!goes_on) begin
      low <= !low || next_read;
      if (!low) writes <= write;
    end
    begun <= low && goes_on; // the sample before belongs to the same access
    read_addr <= addr;
  end

  reg was_next_read = 0;
  always @(posedge clk) was_next_read <= next_read && !rst;

  always @(*) begin
    if (low && writes) assume (!ce_n_pin && !we_n_pin);
    if (low && !writes) assume (!ce_n_pin && !oe_n_pin && we_n_pin);
    if (!low) assume (ce_n_pin || oe_n_pin && we_n_pin);
    if (ADDRESS_ENDS != 0 && low && !writes && begun) assume (addr == read_addr);
    if (ADDRESS_ENDS != 0 && low && was_next_read) assume (addr != read_addr);
  end
  wire ce_n_pin = low ? 1'b0 : ce_n;
  wire oe_n_pin = low && !writes ? 1'b0 : oe_n;
  wire we_n_pin = low ? !writes : we_n;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_sram #(.ADDR_W(16), .DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN), .ADDRESS_ENDS(ADDRESS_ENDS)) tap (
    .clk(clk), .rst(rst), .pin_addr(addr), .pin_data(data), .pin_ce_n(ce_n_pin), .pin_oe_n(oe_n_pin), .pin_we_n(we_n_pin),
    .pin_lanes_n(lanes_n), .pin_fetch(fetch),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // ---- what was driven, until it comes out ----
  localparam WIDTH = 1 + 2 + 16 + DATA_W + BYTES;
  wire             ended = ends && !rst;
  wire [WIDTH-1:0] access = {ended, writes ? 2'd1 : fetch ? 2'd2 : 2'd0, addr, data, ~lanes_n}; // ES_KIND_*
  reg  [WIDTH-1:0] sampled = 0, settled = 0, last = 0, due = 0;

  always @(posedge clk) begin
    sampled <= access;
    settled <= sampled;
    last    <= settled;
    due     <= last;
    if (rst) begin
      settled <= 0;
      last    <= 0;
      due     <= 0;
    end
  end

  wire              was;
  wire [1:0]        kind;
  wire [15:0]       was_addr;
  wire [DATA_W-1:0] was_data;
  wire [BYTES-1:0]  was_lanes;
  assign {was, kind, was_addr, was_data, was_lanes} = due;

  wire [1:0] in_bus = at & (BYTES - 1);
  wire [1:0] bus_lane = BIG_ENDIAN != 0 ? BYTES - 1 - in_bus : in_bus;
  wire       here = (at & ~(BYTES - 1)) == (was_addr[1:0] & ~(BYTES - 1));
  reg  [3:0] seen = 0;

  reg         ran = 0;
  reg  [69:0] before;
  wire [69:0] handed_on = {tx_kind, tx_addr, tx_data, tx_lanes};

  always @(posedge clk) begin
    ran <= !rst;
    before <= handed_on;
    if (!rst) begin
      stands_still: assert (ADDRESS_ENDS == 0 || !ran || tx_valid || handed_on == before);
      once: assert (tx_valid == was);
      if (tx_valid) begin
        seen <= {seen[2:0], 1'b1};
        address: assert (tx_addr == {16'd0, was_addr[15:2], 2'd0});
        kind_kept: assert (tx_kind == kind);
        which: assert (tx_lanes[at] == (here && was_lanes[bus_lane]));
        byte_there: assert (!tx_lanes[at] || tx_data[8*at +: 8] == was_data[8*bus_lane +: 8]);
      end
    end
    three: cover (seen[2] && tx_valid && tx_kind == 2'd1);
    a_fetch: cover (seen[0] && tx_valid && tx_kind == 2'd2);
    at_once: cover (ADDRESS_ENDS == 0 || was_next_read && tx_valid);
  end
endmodule

`resetall
