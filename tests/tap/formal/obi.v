`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_obi, about any one access: in the clock of its end it is told, once, with its address, kind and bytes, unless it ended with err.
// In no other clock is anything told, and only beyond OUTSTANDING accesses at a time is anything told as missed instead.
module obi_proof #(
  parameter BIG_ENDIAN = 0
) (
  input wire        clk,
  input wire        req, gnt, we, fetch, rvalid, rready, err,
  input wire [19:0] addr,
  input wire [31:0] wdata, rdata,
  input wire [3:0]  be,
  input wire [1:0]  at // any byte of the word
);
  localparam WIDTH = 2 + 20 + 4 + 32;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_obi #(.ADDR_W(20), .BIG_ENDIAN(BIG_ENDIAN), .OUTSTANDING(2)) tap (
    .clk(clk), .rst(rst), .obi_req(req), .obi_gnt(gnt), .obi_addr(addr), .obi_we(we), .obi_be(be), .obi_wdata(wdata), .obi_fetch(fetch),
    .obi_rvalid(rvalid), .obi_rready(rready), .obi_rdata(rdata), .obi_err(err),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  wire begins = req && gnt;
  wire ends = rvalid && rready;

  // ---- one of the accesses, whichever ----
  (* anyconst *) reg [4:0] some;
  reg  [4:0]       came = 0, gone = 0;
  reg              over = 0; // there were more at a time than the tap remembers
  reg  [WIDTH-1:0] it;
  wire             mine = ends && came != gone && gone == some;
  wire             nobodys = ends && came == gone;

  always @(posedge clk) begin
    assume (came < 20);
    if (!rst) begin
      came <= came + begins;
      gone <= gone + (ends && !nobodys);
      if (begins && came == some) it <= {we, fetch, addr, be, wdata};
      over <= (over || came - gone + begins - ends > 2) && came != gone;
    end
  end

  wire        it_we, it_fetch;
  wire [19:0] it_addr;
  wire [3:0]  it_be;
  wire [31:0] it_wdata;
  assign {it_we, it_fetch, it_addr, it_be, it_wdata} = it;
  wire        missed = tx_valid && tx_kind == 2'd3 && tx_lanes == 4'd1;
  wire [1:0]  lane = BIG_ENDIAN != 0 ? 2'd3 - at : at;
  wire [31:0] data = it_we ? it_wdata : rdata;

  always @(posedge clk) if (!rst) begin
    only_then: assert (!tx_valid || ends);
    missed_only: assert (!missed || over || nobodys);
    nobody: assert (!nobodys || missed);
    if (mine && !missed) begin
      told: assert (tx_valid == (!err && !(it_we && it_be == 0)));
      if (tx_valid) begin
        kind: assert (tx_kind == (it_we ? 2'd1 : it_fetch ? 2'd2 : 2'd0)); // ES_KIND_*
        address: assert (tx_addr == {12'd0, it_addr[19:2], 2'd0});
        which: assert (tx_lanes[at] == it_be[lane]);
        byte_there: assert (!tx_lanes[at] || tx_data[8*at +: 8] == data[8*lane +: 8]);
      end
    end
    third: cover (mine && some == 2 && tx_valid && !missed && it_we);
    failed: cover (mine && err && !tx_valid);
    too_many: cover (over && missed && !nobodys);
    after_it: cover (mine && some == 4 && !missed && tx_valid && came - gone == 2);
  end
endmodule

`resetall
