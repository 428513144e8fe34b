`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_merge after a processor that fetches, then makes none to three accesses, each of any length, and may end the last of them in the
// clock in which the next fetch ends. Everything bears the number that execution gives it; what is told has these numbers one after the other, and
// nothing is missed. With KEEPS 0 the next fetch may end at any time: then it is told only where it is in order.
module merge_proof #(
  parameter KEEPS = 1
) (
  input wire       clk,
  input wire       fetch_ends,  // the next fetch ends in this clock, if it may
  input wire       access_goes, // an access begins, or goes on
  input wire       access_ends,
  input wire       access_fails,
  input wire [1:0] accesses     // of the instruction whose fetch ends
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  // ---- the processor ----
  reg  [1:0] left = 0;     // accesses of this instruction that have not begun
  reg        under_way = 0;
  reg  [7:0] number = 0;   // of what comes next in execution's order
  reg        waits_first = 1; // nothing was fetched yet
  wire       begins = !under_way && left != 0 && access_goes;
  wire       busy = under_way || begins;
  wire       ends = busy && access_ends;
  wire       last = left == 0 && !under_way || ends && (left == 0 || left == 1 && begins); // the instruction is done, now at the latest
  wire       fetch = fetch_ends && (KEEPS == 0 || last);
  wire       told_access = ends && !access_fails;
  wire [7:0] fetch_number = number + told_access;

  always @(posedge clk) if (!rst) begin
    assume (number < 200);
    under_way <= busy && !ends;
    left <= fetch && last ? accesses : left - begins;
    if (KEEPS == 0 && fetch && !last) left <= left - begins; // one too early has no accesses of its own here
    number <= number + told_access + fetch;
    waits_first <= waits_first && !fetch;
  end

  wire [1:0]  tx_valid;
  wire [3:0]  tx_kind;
  wire [63:0] tx_addr, tx_data;
  wire [7:0]  tx_lanes;
  es_tap_merge merge (
    .rst(rst), .data_busy(busy), .data_valid(told_access), .data_kind(2'd1), .data_addr(32'd4), .data_data({24'd0, number}), .data_lanes(4'hF),
    .data_failed(ends && access_fails), .fetch_valid(fetch), .fetch_kind(2'd2), .fetch_addr(32'd8), .fetch_data({24'd0, fetch_number}),
    .fetch_lanes(4'hE), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // ---- what is told, the lower one first ----
  reg  [7:0] next = 0;
  wire       missed = tx_valid[1] && tx_kind[3:2] == 2'd3 && tx_lanes[7:4] == 4'd1;
  always @(posedge clk) if (!rst) begin
    next <= next + tx_valid[0] + tx_valid[1];
    all: assert (tx_valid == {fetch, told_access});
    if (tx_valid[0]) access_in_order: assert (tx_data[31:0] == next && tx_kind[1:0] == 2'd1 && tx_addr[31:0] == 4 && tx_lanes[3:0] == 4'hF);
    if (tx_valid[1]) fetch_in_order: assert (missed || tx_data[63:32] == next + tx_valid[0] && tx_kind[3:2] == 2'd2 && tx_addr[63:32] == 8 &&
                                             tx_lanes[7:4] == 4'hE);
    only_early: assert (KEEPS == 0 || !missed);
    none_goes_on: assert (!tx_valid[1] || missed || !busy || ends);
    both: cover (tx_valid == 2'b11 && number > 3 && !missed);
    early: cover (KEEPS != 0 || missed);
  end
endmodule

`resetall
