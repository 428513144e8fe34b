`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_ahb: a transfer is told in the last clock of its data phase, once, with its address, kind and bytes, unless it ends with an
// error; and nothing else is. Which bytes a size has is told here from the byte's address alone.
module ahb_proof #(
  parameter BIG_ENDIAN = 0
) (
  input wire        clk,
  input wire        hsel, hwrite, hfetch, hready, hresp,
  input wire [1:0]  htrans,
  input wire [2:0]  hsize,
  input wire [19:0] haddr,
  input wire [31:0] hwdata, hrdata,
  input wire [1:0]  at // any byte of the word
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_ahb #(.ADDR_W(20), .BIG_ENDIAN(BIG_ENDIAN)) tap (
    .clk(clk), .rst(rst), .hsel(hsel), .htrans(htrans), .hwrite(hwrite), .hsize(hsize), .hfetch(hfetch), .haddr(haddr), .hwdata(hwdata),
    .hrdata(hrdata), .hready(hready), .hresp(hresp),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // ---- one of the transfers, whichever: its address phase, then its data phase ----
  (* anyconst *) reg [3:0] some;
  reg  [3:0]  came = 0, gone = 0;
  reg  [24:0] it;
  wire        begins = hready && hsel && (htrans == 2'b10 || htrans == 2'b11);
  wire        ends = hready && came != gone;
  wire        mine = ends && gone == some;
  wire        write, fetch;
  wire [2:0]  size;
  wire [19:0] addr;
  assign {write, fetch, size, addr} = it;

  always @(posedge clk) begin
    assume (came < 12);
    assume (!begins || hsize <= 3'd2 && (haddr & (20'd1 << hsize) - 20'd1) == 0); // a 32-bit bus; transfers are aligned
    if (!rst) begin
      came <= came + begins;
      gone <= gone + ends;
      if (begins && came == some) it <= {hwrite, hfetch, hsize, haddr};
    end
  end

  wire [19:0] byte_at = {addr[19:2], at};
  wire [19:0] from = byte_at - addr;
  wire        has = from < (20'd1 << size);
  wire [1:0]  lane = BIG_ENDIAN != 0 ? 2'd3 - at : at;
  wire [31:0] data = write ? hwdata : hrdata;

  always @(posedge clk) if (!rst) begin
    one_at_a_time: assert (came - gone <= 1);
    once: assert (tx_valid == (ends && !hresp));
    if (mine && tx_valid) begin
      kind: assert (tx_kind == (write ? 2'd1 : fetch ? 2'd2 : 2'd0)); // ES_KIND_*
      address: assert (tx_addr == {12'd0, addr[19:2], 2'd0});
      which: assert (tx_lanes[at] == has);
      byte_there: assert (!has || tx_data[8*at +: 8] == data[8*lane +: 8]);
    end
    third: cover (mine && some == 2 && tx_valid && write && size == 1 && begins);
    failed: cover (mine && hresp && !tx_valid);
  end
endmodule

`resetall
