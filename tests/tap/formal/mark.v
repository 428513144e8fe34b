`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_mark: each mark of the program comes once, in order, with its id and value, and nothing else but what the tap has missed: in the clock of its store the
// store's own fetch (unless another mark ends there), at the next fetch or mark its end, with the clocks between them.
module mark_proof (
  input wire        clk,
  input wire        tx_valid,
  input wire [1:0]  tx_kind,
  input wire [31:0] tx_addr,
  input wire [31:0] tx_data,
  input wire [3:0]  tx_lanes
);
  localparam COUNT_W = 8;
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        mark, mk_valid;
  wire [15:0] mark_id;
  wire [31:0] mark_value, mark_pc, mk_addr, mk_data;
  wire [1:0]  mk_kind;
  wire [3:0]  mk_lanes;

  es_tap_mark #(.ADDR_W(24)) marks (
    .clk(clk), .rst(rst), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes),
    .mark(mark), .mark_id(mark_id), .mark_value(mark_value), .mark_pc(mark_pc),
    .mk_valid(mk_valid), .mk_kind(mk_kind), .mk_addr(mk_addr), .mk_data(mk_data), .mk_lanes(mk_lanes)
  );

  wire fetch = tx_valid && tx_kind == 2'd2;
  wire missed = tx_valid && tx_kind == 2'd3 && tx_lanes == 4'd1;
  wire store = tx_valid && tx_kind == 2'd1 && tx_lanes == 4'hF && tx_addr >= 32'hFFFFF800;

  // ---- what the program did ----
  reg        open = 0;          // a mark whose end was not seen
  reg [8:0]  id;
  reg [31:0] value, fetched, word;
  reg [15:0] of_store, of_fetch; // clocks that have passed since
  reg        was_fetch = 0;
  reg        within;             // the last fetch began in the middle of its word

  always @(posedge clk) begin
    if (rst) begin
      open <= 0;
      fetched <= 0;
      of_store <= 0;
      of_fetch <= 0;
      was_fetch <= 0;
    end else begin
      if (store) begin
        open  <= 1;
        id    <= (tx_addr - 32'hFFFFF800) >> 2;
        value <= tx_data;
      end else if (fetch || missed) open <= 0;
      if (fetch) begin
        fetched <= tx_addr;
        word <= tx_data;
        within <= tx_lanes == 4'b1100;
        was_fetch <= 1;
      end
      of_store <= store ? 16'd1 : of_store + (of_store < 16'd31);
      of_fetch <= fetch ? 16'd1 : of_fetch + (of_fetch < (1 << COUNT_W) - 1);
    end
  end

  wire ends = open && (fetch || store);

  always @(posedge clk) begin
    if (!rst) begin
      told: assert (mark == store);
      comes: assert (mk_valid == (store || ends || missed));
      if (missed) goes_on: assert (mk_kind == 2'd3 && mk_lanes == 4'd1);
      if (store) begin
        its_id: assert (mark_id == (tx_addr - 32'hFFFFF800) >> 2);
        its_value: assert (mark_value == tx_data);
        its_place: assert (!was_fetch || mark_pc == (within ? fetched | 32'd2 : fetched));
      end
      if (ends) begin
        end_kind: assert (mk_kind == 2'd3 && mk_lanes == 4'd3);
        end_id: assert (mk_addr[10:0] == {id, 2'd0});
        end_value: assert (mk_data == value);
        end_counts: assert (mk_addr[23:11] == (fetch ? {of_fetch[7:0], of_store[4:0]} : 13'd0) && mk_addr[31:24] == 0);
      end else if (mk_valid && was_fetch && !missed) begin
        fetch_first: assert (mk_kind == 2'd2 && mk_lanes == (within ? 4'b1100 : 4'hF) && mk_addr == fetched && mk_data == word);
      end
    end
    long: cover (ends && fetch && of_store == 9);
    two: cover (ends && store);
    forgotten: cover (open && missed);
  end
endmodule

`resetall
