`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_axi_lite, about any one read and any one write: in the clock of its answer it is told, once, with its address, kind and bytes,
// unless the answer is an error. In no other clock is anything told, and only beyond OUTSTANDING of them at a time is anything told as missed.
module axi_lite_proof #(
  parameter BIG_ENDIAN = 0
) (
  input wire        clk,
  input wire        arvalid, arready, arfetch, rvalid, rready, awvalid, awready, wvalid, wready, bvalid, bready,
  input wire [19:0] araddr, awaddr,
  input wire [31:0] rdata, wdata,
  input wire [3:0]  wstrb,
  input wire [1:0]  rresp, bresp,
  input wire [1:0]  at // any byte of the word
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [1:0]  tx_valid;
  wire [3:0]  tx_kind;
  wire [63:0] tx_addr, tx_data;
  wire [7:0]  tx_lanes;

  es_tap_axi_lite #(.ADDR_W(20), .BIG_ENDIAN(BIG_ENDIAN), .OUTSTANDING(2)) tap (
    .clk(clk), .rst(rst), .arvalid(arvalid), .arready(arready), .araddr(araddr), .arfetch(arfetch),
    .rvalid(rvalid), .rready(rready), .rdata(rdata), .rresp(rresp),
    .awvalid(awvalid), .awready(awready), .awaddr(awaddr), .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb),
    .bvalid(bvalid), .bready(bready), .bresp(bresp),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // ---- one of the reads and one of the writes, whichever ----
  (* anyconst *) reg [3:0] some;
  reg [3:0]  ar = 0, r = 0, aw = 0, w = 0, b = 0; // so many of each
  reg        reads_over = 0, writes_over = 0;    // there were more at a time than the tap remembers
  reg [20:0] read;
  reg [19:0] to;
  reg [35:0] what;
  wire asks = arvalid && arready, reads = rvalid && rready, addresses = awvalid && awready, gives = wvalid && wready, made = bvalid && bready;
  wire reads_none = reads && ar == r, made_none = made && (aw == b || w == b);
  wire my_read = reads && !reads_none && r == some, my_write = made && b == some;

  always @(posedge clk) begin
    assume (ar < 12 && aw < 12 && w < 12);
    assume (!made_none); // nobody answers what was not yet asked
    if (!rst) begin
      ar <= ar + asks;
      r  <= r + (reads && !reads_none);
      aw <= aw + addresses;
      w  <= w + gives;
      b  <= b + made;
      if (asks && ar == some) read <= {arfetch, araddr};
      if (addresses && aw == some) to <= awaddr;
      if (gives && w == some) what <= {wdata, wstrb};
      reads_over  <= (reads_over || ar - r + asks - reads > 2) && ar != r;
      writes_over <= (writes_over || aw - b + addresses - made > 2 || w - b + gives - made > 2) && (aw != b || w != b);
    end
  end

  wire [1:0] missed = {tx_valid[1] && tx_kind[3:2] == 2'd3, tx_valid[0] && tx_kind[1:0] == 2'd3};
  wire [1:0] lane = BIG_ENDIAN != 0 ? 2'd3 - at : at;

  always @(posedge clk) if (!rst) begin
    read_only_then: assert (!tx_valid[0] || reads);
    write_only_then: assert (!tx_valid[1] || made);
    read_missed_only: assert (!missed[0] || (reads_over || reads_none) && tx_lanes[3:0] == 4'd1);
    write_missed_only: assert (!missed[1] || writes_over && tx_lanes[7:4] == 4'd1);
    if (my_read && !missed[0]) begin
      read_told: assert (tx_valid[0] == !rresp[1]);
      if (tx_valid[0]) begin
        read_is: assert (tx_kind[1:0] == (read[20] ? 2'd2 : 2'd0) && tx_addr[31:0] == {12'd0, read[19:2], 2'd0} && tx_lanes[3:0] == 4'hF);
        read_byte: assert (tx_data[8*at +: 8] == rdata[8*lane +: 8]);
      end
    end
    if (my_write && !missed[1]) begin
      write_told: assert (tx_valid[1] == (!bresp[1] && what[3:0] != 0));
      if (tx_valid[1]) begin
        write_is: assert (tx_kind[3:2] == 2'd1 && tx_addr[63:32] == {12'd0, to[19:2], 2'd0});
        which: assert (tx_lanes[4 + at] == what[lane]);
        write_byte: assert (!what[lane] || tx_data[32 + 8*at +: 8] == what[4 + 8*lane +: 8]);
      end
    end
    third: cover (my_write && some == 2 && tx_valid == 2'b11 && missed == 0);
    failed: cover (my_write && bresp[1] && !tx_valid[1]);
    too_many: cover (missed == 2'b11);
    data_first: cover (my_write && tx_valid[1] && some == 3 && w > aw);
  end
endmodule

`resetall
