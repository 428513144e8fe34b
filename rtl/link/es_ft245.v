`resetall
`timescale 1ns/1ps
`default_nettype none

// The byte port at the pins of an FT232H or FT2232H in synchronous FIFO mode (FT245).
//
// How the chip works. It gives a 60 MHz clock, and only once the host has switched the mode on;
// before that, nothing moves here and the byte port is not ready. All its pins are active low and
// change after that clock's rising edge; all of ours are sampled at it. Four of them make two
// valid/ready pairs that share eight data wires:
//
//   to the host    TXE# low: there is room.  WR# low: the data wires hold a byte. At an edge
//                  with both low the byte is taken.
//   from the host  RXF# low: there is a byte.  OE# low: the chip drives the data wires; a clock
//                  later they are valid.  At an edge with RXF# and RD# low the byte counts as
//                  taken, and the next one follows after that edge.
//
// Why a FIFO overruns by a clock. Our outputs are registers: what we decide at an edge is seen at
// the next. When the chip's buffer fills up, TXE# rises right after the edge that took the last
// byte, while our register already shows another byte with WR# low: at the edge where we can first
// see TXE# high, that byte is offered and *not* taken. It therefore stays in `out_data` until an
// edge with WR# and TXE# low takes it; WR# goes high meanwhile. In the same way a read goes on for
// one or two more bytes after we have decided to stop, and each has one more clock to go to the
// FIFO: reading stops while RX_MARGIN places are left.
//
// Why there is a second register. TXE# leaves the chip up to 9 ns after the edge, so less than half
// of the 16.7 ns is left. It must not reach the FIFO's pointers. What leaves the FIFO depends only
// on whether `skid_data` was free at the last edge; TXE# only steers the two byte registers.
//
// Turnaround. The wires are ours unless we read. To read, we let go of them first, pull OE# low a
// clock later, and RD# another clock later; afterwards RD# and OE# go high, and a clock passes
// before we drive again. So the two sides never drive at once, not even for the pads' delay.
// Reading goes first, or a flood of events would delay commands; it begins only when half of the
// receive FIFO is free, so when the probe takes commands slower than they come, events get their
// turn too.
//
// Latency. The chip sends a USB packet when 510 bytes are there, and otherwise not before its
// latency timer ends (1 to 255 ms). SIWU# low ("send immediate") sends what there is. We pulse it
// when nothing was written for 32 clocks after a byte, so a response is on its way within a
// microsecond, and a stream of events still travels in full packets.
//
// Prefixes: ft_ and all registers without a prefix are in ft_clk's domain, clk_ in clk's.
module es_ft245 #(
  parameter TX_LOG2 = 4, // FIFO to the host: log2 of bytes, 4 to 15
  parameter RX_LOG2 = 4  // FIFO from the host: log2 of bytes, 4 to 15
) (
  input  wire       clk,
  input  wire       rst,

  // byte port (clk)
  input  wire [7:0] tx_byte,
  input  wire       tx_byte_valid,
  output wire       tx_byte_ready,
  output wire [7:0] rx_byte,
  output wire       rx_byte_valid,
  input  wire       rx_byte_ready,

  // No byte is in here, in either direction. For simulation: it mixes the two clock domains.
  output wire       idle,

  // pins (ft_clk); all outputs are registers
  input  wire       ft_clk,
  input  wire       ft_rxf_n,
  input  wire       ft_txe_n,
  output reg        ft_rd_n,
  output reg        ft_wr_n,
  output reg        ft_oe_n,
  output reg        ft_siwu_n,
  input  wire [7:0] ft_data_i,
  output wire [7:0] ft_data_o,
  output reg        ft_data_oe   // high: we drive the data wires
);
  initial begin
    if (TX_LOG2 < 4 || TX_LOG2 > 15 || RX_LOG2 < 4 || RX_LOG2 > 15)
      $error("es_ft245: illegal parameter");
  end

  localparam [RX_LOG2:0] RX_MARGIN = 5; // at an edge, three bytes may be on their way
  localparam [RX_LOG2:0] RX_HALF = {2'b01, {(RX_LOG2 - 1){1'b0}}};
  localparam [5:0] FLUSH_END = 6'd47;  // SIWU# is low for the 16 clocks from 32 to here

  // ---- resets: each domain waits for the other one ----
  (* es_sync = "reset" *) reg [1:0] ft_rst_sync; // set at once, without a clock; let go by ft_clk

  initial ft_rst_sync = 2'b11;

  always @(posedge ft_clk or posedge rst) begin
    if (rst) ft_rst_sync <= 2'b11;
    else ft_rst_sync <= {ft_rst_sync[0], 1'b0};
  end

  wire ft_rst = ft_rst_sync[1];
  wire clk_rst;
  wire clk_rst_settled;

  es_sync #(.RESET(1)) clk_rst_sync (
    .clk(clk), .rst(1'b0), .in(ft_rst), .out(clk_rst), .settled(clk_rst_settled)
  );

  // ---- FIFOs ----
  wire [TX_LOG2:0] clk_tx_room;
  wire [7:0]       tx_data;
  wire             tx_valid;
  wire             tx_take;
  wire [RX_LOG2:0] rx_room;
  reg  [7:0]       in_data;
  reg              in_valid;
  wire [TX_LOG2:0] tx_level;
  wire [RX_LOG2:0] clk_rx_level;
  wire             tx_settled;
  wire             rx_settled;
  wire             tx_still;
  wire             rx_still;
  wire             unused = &{1'b0, tx_still, rx_still, clk_rst_settled};

  assign tx_byte_ready = clk_tx_room != 0;

  es_fifo_async #(.WIDTH(8), .LOG2(TX_LOG2)) tx_fifo (
    .wr_clk(clk), .wr_rst(clk_rst), .wr_en(tx_byte_valid), .wr_data(tx_byte),
    .wr_room(clk_tx_room),
    .rd_clk(ft_clk), .rd_rst(ft_rst), .rd_en(tx_take), .rd_data(tx_data), .rd_valid(tx_valid),
    .rd_level(tx_level), .rd_settled(tx_settled), .rd_still(tx_still)
  );

  es_fifo_async #(.WIDTH(8), .LOG2(RX_LOG2)) rx_fifo (
    .wr_clk(ft_clk), .wr_rst(ft_rst), .wr_en(in_valid), .wr_data(in_data), .wr_room(rx_room),
    .rd_clk(clk), .rd_rst(clk_rst), .rd_en(rx_byte_ready), .rd_data(rx_byte),
    .rd_valid(rx_byte_valid),
    .rd_level(clk_rx_level), .rd_settled(rx_settled), .rd_still(rx_still)
  );

  // The clock may not run for long after power-up; the pins have to be harmless until it does.
  initial begin
    ft_rd_n    = 1'b1;
    ft_wr_n    = 1'b1;
    ft_oe_n    = 1'b1;
    ft_siwu_n  = 1'b1;
    ft_data_oe = 1'b0;
  end

  // ---- who has the wires ----
  localparam [2:0] S_WRITE   = 3'd0; // ours, writing when there is something to write
  localparam [2:0] S_RELEASE = 3'd1; // nobody's
  localparam [2:0] S_ENABLE  = 3'd2; // OE# low: the chip's
  localparam [2:0] S_READ    = 3'd3;
  localparam [2:0] S_RETURN  = 3'd4; // nobody's

  reg [2:0] state;
  reg [2:0] state_next;
  reg       rx_wanted;   // a byte waits and half of the FIFO is free
  reg       rx_ends;     // no byte waits, or few places are left

  always @(*) begin
    state_next = state;
    case (state)
      S_WRITE:   if (rx_wanted) state_next = S_RELEASE;
      S_RELEASE: state_next = S_ENABLE;
      S_ENABLE:  state_next = S_READ;
      S_READ:    if (rx_ends) state_next = S_RETURN;
      default:   state_next = S_WRITE;
    endcase
    if (ft_rst) state_next = S_RETURN;
  end

  always @(posedge ft_clk) begin
    state      <= state_next;
    ft_data_oe <= state_next == S_WRITE;
    ft_oe_n    <= !(state_next == S_ENABLE || state_next == S_READ);
    ft_rd_n    <= state_next != S_READ;
    rx_wanted  <= !ft_rxf_n && rx_room >= RX_HALF && !ft_rst;
    rx_ends    <= ft_rxf_n || rx_room < RX_MARGIN;
    in_data    <= ft_data_i;
    in_valid   <= !ft_rd_n && !ft_rxf_n && !ft_rst;
  end

  // ---- writing ----
  reg  [7:0] out_data;
  reg        out_valid;
  reg  [7:0] skid_data;
  reg        skid_valid;
  wire       out_taken = !ft_wr_n && !ft_txe_n;
  wire       out_free = out_taken || !out_valid;
  wire       more = skid_valid || tx_valid;
  wire       flushing;

  assign ft_data_o = out_data;
  assign tx_take   = !skid_valid;

  always @(posedge ft_clk) begin
    if (out_free) begin
      out_data   <= skid_valid ? skid_data : tx_data;
      out_valid  <= more;
      skid_valid <= 1'b0;
    end else if (!skid_valid) begin
      skid_data  <= tx_data;
      skid_valid <= tx_valid;
    end
    // WR# only where TXE# was low and the wires are and stay ours
    ft_wr_n <= !(ft_data_oe && !rx_wanted && !ft_txe_n && !flushing && (more || !out_free));
    if (ft_rst) begin
      out_valid  <= 1'b0;
      skid_valid <= 1'b0;
      ft_wr_n    <= 1'b1;
    end
  end

  assign idle = tx_settled && rx_settled && tx_level == 0 && clk_rx_level == 0 && !in_valid &&
                ft_rd_n && !out_valid && !skid_valid;

  // ---- send immediate ----
  reg       unsent;  // a byte was handed over since the last SIWU#
  reg [5:0] quiet;

  // `quiet` counts clocks without anything to write, to 32; then through the pulse.
  assign flushing = quiet[5];

  always @(posedge ft_clk) begin
    ft_siwu_n <= !flushing;
    if (out_taken) unsent <= 1'b1;
    else if (flushing) unsent <= 1'b0;
    quiet <= quiet + 6'd1;
    if (!flushing && (out_valid || !unsent)) quiet <= 6'd0;
    if (quiet == FLUSH_END || ft_rst) quiet <= 6'd0;
    if (ft_rst) unsent <= 1'b0;
  end
endmodule

`resetall
