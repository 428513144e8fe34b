`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Proof of es_tap_words after the tap of a processor that fetches before each access, and whose
// accesses of one, two or four bytes go over the bus in parts, with any gaps between them (those in
// a read or a write shorter than what it waits): each access comes once, whole, in its order, and
// none waits for longer than that.
module words_proof #(
  parameter DATA_W = 8
) (
  input wire        clk,
  input wire        wish,     // a part comes
  input wire [1:0]  kind_wish,
  input wire [1:0]  size,     // log2 of bytes
  input wire [1:0]  place,
  input wire [1:0]  word,
  input wire [31:0] data
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK;
  localparam WAIT_LOG2 = 3;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  // ---- the processor and its bus ----
  reg         busy = 0;
  reg         due = 0;          // a fetch comes next
  reg  [1:0]  kind_now;
  reg  [1:0]  word_now;
  reg  [3:0]  left;             // lanes still to come
  reg  [3:0]  lanes_now;
  reg  [31:0] data_now;
  reg  [2:0]  gap = 0;
  wire        part = !rst && (wish || busy && &gap);
  wire [1:0]  kind = busy ? kind_now : due || kind_wish == KIND_MARK[1:0] ? KIND_FETCH[1:0] : kind_wish;
  wire [3:0]  aligned = size == 2'd0 ? 4'b0001 << place : size == 2'd1 ? (place[1] ? 4'b1100 : 4'b0011)
                                                                       : 4'b1111;
  wire [3:0]  lanes = busy ? lanes_now : kind == KIND_FETCH[1:0] ? 4'b1111 : aligned;
  wire [3:0]  open = busy ? left : lanes;
  wire [3:0]  lowest = open & (~open + 4'd1);
  wire [3:0]  now = DATA_W == 8 ? lowest : (|open[1:0] ? open & 4'b0011 : open & 4'b1100);
  wire [3:0]  rest = open & ~now;
  wire [31:0] bits = {{8{now[3]}}, {8{now[2]}}, {8{now[1]}}, {8{now[0]}}};
  wire [31:0] so_far = (busy ? data_now : 32'd0) | data & bits;
  wire [1:0]  at_word = busy ? word_now : word;
  wire        ends = part && rest == 0;

  always @(posedge clk) begin
    gap <= part ? 3'd0 : &gap ? gap : gap + 3'd1;
    if (part) begin
      busy      <= rest != 0;
      kind_now  <= kind;
      word_now  <= at_word;
      left      <= rest;
      lanes_now <= lanes;
      data_now  <= so_far;
    end
    if (ends) due <= kind != KIND_FETCH[1:0];
  end

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_words #(.DATA_W(DATA_W), .WAIT_LOG2(WAIT_LOG2)) words (
    .clk(clk), .rst(rst), .in_valid(part), .in_kind(kind), .in_addr({28'd0, at_word, 2'd0}), .in_data(data),
    .in_lanes(now), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // ---- what is to come ----
  localparam W = 2 + 2 + 4 + 32;
  reg  [W-1:0] awaited [0:1];
  reg  [1:0]   count = 0;
  reg  [4:0]   still = 0;      // clocks without a part
  wire         pops = tx_valid && count != 0;

  always @(posedge clk) begin
    if (!rst) begin
      still <= part || busy ? 5'd0 : &still ? still : still + 5'd1;
      count <= count + {1'b0, ends} - {1'b0, pops};
      if (pops) awaited[0] <= awaited[1];
      if (ends) awaited[count - {1'b0, pops} != 0] <= {kind, at_word, lanes, so_far};
      if (tx_valid) begin
        begun: assert (count != 0);
        same: assert ({tx_kind, tx_addr[3:2], tx_lanes, tx_data} == awaited[0]);
        where: assert (tx_addr[31:4] == 0 && tx_addr[1:0] == 0);
      end
      room: assert (count <= 2);
      no_wait: assert (still < 5'd13 || count == 0);
      all: cover (tx_valid && tx_kind == KIND_WRITE[1:0] && tx_lanes == (DATA_W == 8 ? 4'b0011 : 4'b1111));
    end
  end
endmodule

`resetall
