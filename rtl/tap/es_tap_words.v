`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// After a tap of a bus of 8 or 16 bits: its transactions put together to those of the processor, of
// 32 bits, as es_recorder needs them. What a processor fetches, reads or writes at once goes over
// such a bus in parts, from the lowest address on. A fetch of an instruction in two or four parts
// becomes one fetch, a word read one read.
//
// A part joins the one before it when it is of the same kind and word, and right after it. So a
// transaction is whole with the word's last byte. Where that does not come (an access of a byte or
// half a word), it goes when another one begins: a processor fetches its next instruction. Where
// nothing comes for 2^WAIT_LOG2 clocks, it goes then; a fetch waits for the rest of its word.
//
// For processors whose instructions have 32 bits, and that make no two accesses to bytes one after
// the other without a fetch between them: where two go on like that, they would be taken for one.
module es_tap_words #(
  parameter DATA_W    = 8, // of the bus: 8 or 16
  parameter WAIT_LOG2 = 12
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        in_valid,
  input  wire [1:0]  in_kind,
  input  wire [31:0] in_addr,
  input  wire [31:0] in_data,
  input  wire [3:0]  in_lanes,
  output reg         tx_valid,
  output reg  [1:0]  tx_kind,
  output reg  [31:0] tx_addr,
  output reg  [31:0] tx_data,
  output reg  [3:0]  tx_lanes
);
  initial begin
    if (DATA_W != 8 && DATA_W != 16) $error("es_tap_words: illegal DATA_W");
  end

  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK;

  // The part that has come, and whether it goes on where the one before it ended.
  reg        now;
  reg        follows;
  reg [1:0]  now_kind;
  reg [31:0] now_addr;
  reg [31:0] now_data;
  reg [3:0]  now_lanes;
  wire [3:0] next = DATA_W == 8 ? now_lanes << 1 : now_lanes == 4'b0011 ? 4'b1100 : 4'b0000;

  always @(posedge clk) begin
    now <= in_valid;
    if (in_valid) begin
      follows   <= in_kind == now_kind && in_addr == now_addr && in_lanes == next;
      now_kind  <= in_kind;
      now_addr  <= in_addr;
      now_data  <= in_data;
      now_lanes <= in_lanes;
    end
    if (rst) now <= 1'b0;
  end

  // What there is so far of a transaction.
  reg               held;
  reg               whole;
  reg  [1:0]        kind;
  reg  [31:0]       addr;
  reg  [31:0]       data;
  reg  [3:0]        lanes;
  reg [WAIT_LOG2:0] age;
  wire              is_mark = now_kind == KIND_MARK[1:0]; // a mark is whole, and has all of its data
  wire              joins = held && !whole && follows;
  wire              goes = held && (whole || now && !joins || age[WAIT_LOG2]);

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : lane
      always @(posedge clk) begin
        if (now && (now_lanes[g] || is_mark)) data[8*g +: 8] <= now_data[8*g +: 8];
        else if (now && !joins) data[8*g +: 8] <= 8'd0;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (now) begin
      kind  <= now_kind;
      addr  <= now_addr;
      lanes <= joins ? lanes | now_lanes : now_lanes;
      whole <= now_lanes[3] || is_mark;
    end
    held <= now || held && !goes;
    age  <= now || kind == KIND_FETCH[1:0] ? 0 : age + 1'b1;
    if (rst) held <= 1'b0;
  end

  always @(posedge clk) begin
    tx_valid <= goes;
    if (goes) begin
      tx_kind  <= kind;
      tx_addr  <= addr;
      tx_data  <= data;
      tx_lanes <= lanes;
    end
    if (rst) tx_valid <= 1'b0;
  end
endmodule

`resetall
