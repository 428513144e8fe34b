`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_wishbone, about any one access: in the clock of its end it is told, once, with its address, kind and bytes, if it ended with ack
// alone; if not, nothing is told. In no other clock is anything told, save that accesses were given up. Only beyond OUTSTANDING accesses at a time
// is anything told as missed instead.
module wishbone_proof #(
  parameter DATA_W     = 32,
  parameter BIG_ENDIAN = 0,
  parameter PIPELINED  = 0
) (
  input wire                clk,
  input wire                cyc, stb, we, fetch, stall, ack, err, rty,
  input wire [19:0]         adr,
  input wire [DATA_W-1:0]   dat_w, dat_r,
  input wire [DATA_W/8-1:0] sel,
  input wire [1:0]          at // any byte of the word
);
  localparam BYTES = DATA_W / 8;
  localparam WIDTH = 2 + 20 + BYTES + DATA_W;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_wishbone #(
    .ADDR_W(20), .DATA_W(DATA_W), .BIG_ENDIAN(BIG_ENDIAN), .PIPELINED(PIPELINED), .OUTSTANDING(2)
  ) tap (
    .clk(clk), .rst(rst), .wb_cyc(cyc), .wb_stb(stb), .wb_we(we), .wb_fetch(fetch), .wb_adr(adr), .wb_dat_w(dat_w), .wb_sel(sel),
    .wb_stall(stall), .wb_ack(ack), .wb_err(err), .wb_rty(rty), .wb_dat_r(dat_r),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  wire answer = ack || err || rty;
  wire begins = cyc && stb && (PIPELINED != 0 ? !stall : answer);
  wire ends = cyc && answer && (PIPELINED != 0 || stb);

  // ---- one of the accesses, whichever ----
  (* anyconst *) reg [4:0] some;
  reg  [4:0]       came = 0, gone = 0; // since reset
  reg              over = 0;           // there were more at a time than the tap remembers
  reg  [WIDTH-1:0] held;
  wire [WIDTH-1:0] asked = {we, fetch, adr, sel, dat_w};
  wire [WIDTH-1:0] it = came == some ? asked : held;
  wire             mine = ends && gone == some && (came != gone || begins);
  wire             nobodys = ends && came == gone && !begins;
  wire             given_up = !cyc && came != gone;

  always @(posedge clk) begin
    assume (came < 20);
    if (!rst) begin
      came <= came + begins;
      gone <= !cyc ? came : gone + (ends && !nobodys);
      if (begins && came == some) held <= asked;
      over <= cyc && (over || came - gone + begins - ends > 2) && came != gone;
    end
  end

  wire              it_we, it_fetch;
  wire [19:0]       it_adr;
  wire [BYTES-1:0]  it_sel;
  wire [DATA_W-1:0] it_dat_w;
  assign {it_we, it_fetch, it_adr, it_sel, it_dat_w} = it;
  wire missed = tx_valid && tx_kind == 2'd3 && tx_lanes == 4'd1;
  wire ok = ack && !err && !rty;

  wire [1:0]        in_bus = at & (BYTES - 1);
  wire [1:0]        bus_lane = BIG_ENDIAN != 0 ? BYTES - 1 - in_bus : in_bus;
  wire              here = (at & ~(BYTES - 1)) == (it_adr[1:0] & ~(BYTES - 1));
  wire [DATA_W-1:0] data = it_we ? it_dat_w : dat_r;

  always @(posedge clk) if (!rst) begin
    only_then: assert (!tx_valid || ends || given_up);
    missed_only: assert (!missed || over || nobodys || given_up);
    gives_up: assert (!given_up || missed);
    nobody: assert (!nobodys || missed);
    if (mine && !missed) begin
      told: assert (tx_valid == (ok && !(it_we && it_sel == 0)));
      if (tx_valid) begin
        kind: assert (tx_kind == (it_we ? 2'd1 : it_fetch ? 2'd2 : 2'd0)); // ES_KIND_*
        address: assert (tx_addr == {12'd0, it_adr[19:2], 2'd0});
        which: assert (tx_lanes[at] == (here && it_sel[bus_lane]));
        byte_there: assert (!tx_lanes[at] || tx_data[8*at +: 8] == data[8*bus_lane +: 8]);
      end
    end
    third: cover (mine && some == 2 && tx_valid && !missed && it_we);
    failed: cover (mine && err && !tx_valid);
    too_many: cover (PIPELINED == 0 || over && missed && cyc && !nobodys);
    after_it: cover (PIPELINED == 0 || mine && some == 4 && !missed && tx_valid && came != gone);
  end
endmodule

`resetall
