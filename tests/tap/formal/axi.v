`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_axi, about any one beat of any one read, and of any one write, which their data tell from all others: each is told at most once, as what it
// is, and only after its answer, of the right ID, which was no error (nor a failed exclusive write); the one that was answered first is told first; and
// what was done is told in time, unless something was told as missed meanwhile, which is only beyond OUTSTANDING, BEATS or QUEUE.
module axi_proof #(
  parameter BIG_ENDIAN = 0,
  parameter QUEUE      = 4,
  parameter SOON       = 9 // clocks without an answer in which all is told
) (
  input wire        clk,
  input wire        arvalid, arready, arfetch, rvalid, rready, rlast, awvalid, awready, awlock, wvalid, wready, wlast, bvalid, bready,
  input wire        arid, rid, awid, bid,
  input wire [15:0] araddr, awaddr,
  input wire [2:0]  arlen, awlen,
  input wire [1:0]  arsize, awsize, arburst, awburst, rresp, bresp,
  input wire [31:0] rdata, wdata,
  input wire [3:0]  wstrb
);
  localparam OUTSTANDING = 2, BEATS = 2;
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;
  es_tap_axi #(.ADDR_W(16), .ID_W(1), .BIG_ENDIAN(BIG_ENDIAN), .OUTSTANDING(OUTSTANDING), .BEATS(BEATS), .QUEUE(QUEUE)) tap (
    .clk(clk), .rst(rst), .arvalid(arvalid), .arready(arready), .arid(arid), .araddr(araddr), .arlen({5'd0, arlen}), .arsize({1'b0, arsize}),
    .arburst(arburst), .arfetch(arfetch), .rvalid(rvalid), .rready(rready), .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(rlast),
    .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr), .awlen({5'd0, awlen}), .awsize({1'b0, awsize}), .awburst(awburst),
    .awlock(awlock), .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb), .wlast(wlast), .bvalid(bvalid), .bready(bready), .bid(bid),
    .bresp(bresp), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );
  wire asks = arvalid && arready, reads = rvalid && rready, addresses = awvalid && awready, gives = wvalid && wready, answers = bvalid && bready;

  // the bytes of a beat, and where it is: each on its own, from the burst's first address
  function [15:0] beat_at(input [15:0] addr, input [1:0] size, burst, input [2:0] len, beat);
    reg [15:0] aligned, whole;
    begin
      aligned = addr & ~((16'd1 << size) - 16'd1);
      whole = ({13'd0, len} + 16'd1) << size;
      beat_at = burst == 2'd0 || beat == 0 ? addr : aligned + ({13'd0, beat} << size);
      if (burst == 2'd2) beat_at = (aligned & ~(whole - 16'd1)) + ((aligned + ({13'd0, beat} << size)) & (whole - 16'd1));
    end
  endfunction
  function [3:0] bytes_of(input [15:0] at, input [1:0] size); // up to the end of what its size aligns
    integer i;
    for (i = 0; i < 4; i = i + 1) bytes_of[i] = i >= at[1:0] && (i >> size) == (at[1:0] >> size);
  endfunction
  function [31:0] swap(input [31:0] word);
    swap = BIG_ENDIAN != 0 ? {word[7:0], word[15:8], word[23:16], word[31:24]} : word;
  endfunction

  // ---- the bus: reads and writes by number, and the one that an answer is of: the oldest of its ID that is not done ----
  localparam MOST = 6; // that are asked for, in all
  localparam [31:0] TAG_R = 32'h0ABBCCDD, TAG_W = 32'h11223344;
  (* anyconst *) reg [2:0] my_read, my_write, my_read_beat, my_write_beat;

  reg [2:0]      ar_count = 0, aw_count = 0, w_count = 0; // reads; writes by address; writes by data
  reg [2:0]      w_beat = 0;
  reg [MOST-1:0] r_over = 0, w_over = 0;                  // they have ended
  reg [MOST-1:0] w_gone = 0;                              // and have surely been told
  reg            r_id [0:MOST-1], w_id [0:MOST-1];
  reg [2:0]      r_len [0:MOST-1], r_beat [0:MOST-1], aw_len [0:MOST-1], w_len [0:MOST-1];
  reg            r_some, b_some;
  reg [2:0]      r_of, b_of;
  integer k;
  always @* begin
    r_some = 0;
    b_some = 0;
    r_of = 0;
    b_of = 0;
    for (k = MOST - 1; k >= 0; k = k - 1) begin
      if (k < ar_count && !r_over[k] && r_id[k] == rid) begin
        r_some = 1;
        r_of = k;
      end
      if (k < aw_count && !w_over[k] && w_id[k] == bid) begin
        b_some = 1;
        b_of = k;
      end
    end
  end
  wire [2:0] w_beats = w_beat + gives;     // of the write whose data comes
  wire       w_ends = gives && wlast;

  // ---- of them, my beats ----
  reg        r_fetch = 0, r_done = 0, r_told = 0, w_lock = 0, w_has = 0, w_answered = 0, w_made = 0, w_told = 0;
  reg [15:0] r_addr = 0, w_addr = 0;
  reg [2:0]  r_all = 0, w_all = 0;
  reg [1:0]  r_size = 0, r_burst = 0, w_size = 0, w_burst = 0;
  reg [3:0]  w_strb = 0;
  reg [4:0]  r_since = 0, w_since = 0, quiet = 0;
  wire        r_tag = reads && r_of == my_read && r_beat[r_of] == my_read_beat;
  wire        w_tag = gives && w_count == my_write && w_beat == my_write_beat;
  wire        w_mine = answers && b_of == my_write;
  wire [15:0] r_at = beat_at(r_addr, r_size, r_burst, r_all, my_read_beat);
  wire [15:0] w_at = beat_at(w_addr, w_size, w_burst, w_all, my_write_beat);
  wire        made = !bresp[1] && (!w_lock || bresp == 2'd1);

  // ---- how many there are at a time, and whether a write is too long: only then, or when too much waits, may anything be missed ----
  wire [2:0] w_most = w_count + (w_beat != 0) > aw_count ? w_count + (w_beat != 0) : aw_count; // writes that have begun
  reg [3:0]  r_open, w_open;
  reg [6:0]  rows = 0; // clocks with answers that may wait, at the most
  integer n;
  always @* begin
    r_open = ar_count;
    w_open = w_most;
    for (n = 0; n < MOST; n = n + 1) begin
      r_open = r_open - r_over[n];
      w_open = w_open - w_gone[n];
    end
  end
  reg        may_miss = 0, missed_some = 0, late_addr = 0;
  wire       missed = tx_valid && tx_kind == 2'd3;
  wire       told_r = tx_valid && !tx_kind[0] && tx_data == swap(TAG_R);
  wire       told_w = tx_valid && tx_kind == 2'd1 && tx_data == swap(TAG_W);

  always @(posedge clk) begin
    // the bus keeps to the protocol: sizes of the bus, bursts that there are, WRAP aligned and of 2, 4 or 8 beats, answers to what was asked
    assume (arsize != 3 && awsize != 3 && arburst != 3 && awburst != 3);
    if (arburst == 2) assume ((arlen == 1 || arlen == 3 || arlen == 7) && (araddr & ((16'd1 << arsize) - 1)) == 0);
    if (awburst == 2) assume ((awlen == 1 || awlen == 3 || awlen == 7) && (awaddr & ((16'd1 << awsize) - 1)) == 0);
    assume (ar_count < MOST && aw_count < MOST && w_count < MOST);
    if (reads) assume (r_some && rlast == (r_beat[r_of] == r_len[r_of]));
    if (answers) assume (b_some && b_of < w_count);
    if (gives && w_count < aw_count) assume (wlast == (w_beat == aw_len[w_count]));
    if (gives && w_beat == 7) assume (wlast);
    if (addresses && aw_count < w_count) assume (awlen == w_len[aw_count]);
    if (addresses && aw_count == w_count) assume (w_ends ? awlen == w_beat : awlen >= w_beats);
    // data tell my beats from all others
    if (reads) assume ((rdata == TAG_R) == r_tag && rdata != TAG_W);
    if (gives) assume ((wdata == TAG_W) == w_tag && wdata != TAG_R);

    if (!rst) begin
      if (asks) begin
        ar_count <= ar_count + 1;
        r_id[ar_count] <= arid;
        r_len[ar_count] <= arlen;
        r_beat[ar_count] <= 0;
        if (ar_count == my_read) {r_fetch, r_addr, r_all, r_size, r_burst} <= {arfetch, araddr, arlen, arsize, arburst};
      end
      if (reads) begin
        r_beat[r_of] <= r_beat[r_of] + 1;
        if (rlast) r_over[r_of] <= 1;
      end
      if (r_tag && !rresp[1]) r_done <= 1;
      if (addresses) begin
        aw_count <= aw_count + 1;
        w_id[aw_count] <= awid;
        aw_len[aw_count] <= awlen;
        if (aw_count == my_write) {w_lock, w_addr, w_all, w_size, w_burst} <= {awlock, awaddr, awlen, awsize, awburst};
      end
      if (gives) w_beat <= wlast ? 3'd0 : w_beat + 1;
      if (w_ends) begin
        w_count <= w_count + 1;
        w_len[w_count] <= w_beat;
      end
      if (answers) w_over[b_of] <= 1;
      if (w_tag) begin
        w_has <= 1;
        w_strb <= wstrb;
      end
      late_addr <= late_addr || w_has && aw_count <= my_write;
      if (w_mine) begin
        w_answered <= 1;
        w_made <= made;
      end
      if (r_done && !(&r_since)) r_since <= r_since + 1;
      if (w_answered && !(&w_since)) w_since <= w_since + 1;
      quiet <= reads || answers ? 5'd0 : quiet + !(&quiet);
      rows <= quiet >= SOON ? reads || answers : rows + (reads || answers);
      if (quiet >= SOON) w_gone <= w_over;
      may_miss <= may_miss || r_open > OUTSTANDING || w_open > OUTSTANDING || addresses && awlen >= BEATS || rows >= QUEUE - 1;
      missed_some <= missed_some || missed;
      if (told_r) r_told <= 1;
      if (told_w) w_told <= 1;

      // ---- what is told ----
      if (told_r) begin
        read_once: assert (r_done && !r_told);
        read_is: assert (tx_kind == (r_fetch ? 2'd2 : 2'd0) && tx_addr == {16'd0, r_at[15:2], 2'd0} && tx_lanes == bytes_of(r_at, r_size));
      end
      if (told_w) begin
        write_once: assert (w_answered && w_made && !w_told);
        write_is: assert (tx_addr == {16'd0, w_at[15:2], 2'd0} &&
                          tx_lanes == (BIG_ENDIAN != 0 ? {w_strb[0], w_strb[1], w_strb[2], w_strb[3]} : w_strb));
      end
      if (told_r && w_has && w_made && w_strb != 0 && w_since > r_since && !missed_some) write_first: assert (w_told);
      if (told_w && r_done && r_since >= w_since && !missed_some) read_first: assert (r_told);
      if (quiet >= SOON && !missed_some) begin
        read_told: assert (r_told || !r_done);
        write_told: assert (w_told || !w_answered || !w_made || w_strb == 0 || !w_has);
      end
      if (missed) a_mark: assert (tx_lanes == 4'd1 && may_miss);
    end
    wraps: cover (told_r && r_burst == 2 && r_at < r_addr && r_size == 1);
    both: cover (r_told && w_told && w_all == 1 && r_all == 1 && !missed_some);
    data_first: cover (told_w && late_addr);
    exclusive: cover (told_w && w_lock);
  end
endmodule

`resetall
