`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_ft245 at its pins, with a chip that may stall both directions at any clock. The data wires have never two drivers, nor change hands
// without a clock between; RD#, WR#, OE# and SIWU# keep the rules of the module's header. Each byte taken at the byte port is taken by the chip once, in
// order, and each byte that the chip gives comes out of the byte port once, in order; idle is said when none is in between.
//
// es_fifo_async has a proof of its own (tests/core/formal/fifo.v). Here a module of that name does whatever its header allows, in one clock: room
// and bytes show up at any time after they are there.
module es_fifo_async #(
  parameter WIDTH = 8,
  parameter LOG2  = 4
) (
  input  wire             wr_clk,
  input  wire             wr_rst,
  input  wire             wr_en,
  input  wire [WIDTH-1:0] wr_data,
  output reg  [LOG2:0]    wr_room,
  input  wire             rd_clk,
  input  wire             rd_rst,
  input  wire             rd_en,
  output wire [WIDTH-1:0] rd_data,
  output reg              rd_valid,
  output wire [LOG2:0]    rd_level,
  output wire             rd_settled,
  output wire             rd_still
);
  (* anyseq *) wire [LOG2:0]    room_next;
  (* anyseq *) wire             shows;
  (* anyseq *) wire [WIDTH-1:0] nothing;

  reg  [WIDTH-1:0] queue [0:(1 << LOG2)-1];
  reg  [LOG2:0]    written, taken;
  wire             write = wr_en && wr_room != 0;
  wire             take = rd_en && rd_valid;
  wire [LOG2:0]    written_next = written + write;
  wire [LOG2:0]    taken_next = taken + take;
  wire             unused = &{1'b0, rd_clk, rd_rst, wr_rst};

  assign rd_data = rd_valid ? queue[taken[LOG2-1:0]] : nothing;
  assign rd_level = written - taken;
  assign rd_settled = rd_level == 0;
  assign rd_still = 1'b0;

  always @(posedge wr_clk) begin
    if (write) queue[written[LOG2-1:0]] <= wr_data;
    written <= written_next;
    taken <= taken_next;
    wr_room <= room_next;
    rd_valid <= rd_valid && !take || written != taken_next && shows;
    if (!wr_rst) never_refused: assert (!wr_en || wr_room != 0);
    assume (room_next >= wr_room - write);
    assume (room_next <= (1 << LOG2) - (written_next - taken_next));
    if (wr_rst || rd_rst) begin
      written <= 0;
      taken <= 0;
      wr_room <= 0;
      rd_valid <= 1'b0;
    end
  end
endmodule

module ft245_proof #(
  parameter PART  = 0, // 0: the rules of the pins; 1: what becomes of the bytes
  parameter CLAIM = 0  // 1 to 3: instead, that something never happens (below): to be refuted
) (
  input wire       clk,
  input wire [7:0] tx_byte,
  input wire       tx_byte_valid,
  input wire       rx_byte_ready,
  input wire       rxf_n,
  input wire       txe_n,
  input wire [7:0] noise,      // what the data wires hold while no byte of the chip's is valid there
  input wire [7:0] chip_next   // the byte that follows in the chip
);
  reg [2:0] clocks = 0;
  wire      rst = clocks < 2;
  wire      running = clocks == 7; // both domains' resets are over
  always @(posedge clk) if (!running) clocks <= clocks + 1'b1;

  wire       tx_byte_ready, rx_byte_valid, idle, rd_n, wr_n, oe_n, siwu_n, driven;
  wire [7:0] rx_byte, data;
  reg  [7:0] chip_byte;
  reg        oe_before = 0, driven_before = 0, wr_before = 0, full_before = 1;
  wire       oe = !oe_n, rd = !rd_n, wr = !wr_n;

  es_ft245 ft245 (
    .clk(clk), .rst(rst), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready), .idle(idle), .ft_clk(clk), .ft_rxf_n(rxf_n), .ft_txe_n(txe_n),
    .ft_rd_n(rd_n), .ft_wr_n(wr_n), .ft_oe_n(oe_n), .ft_siwu_n(siwu_n), .ft_data_i(oe && oe_before ? chip_byte : noise), .ft_data_o(data),
    .ft_data_oe(driven)
  );

  // what passes at this edge
  wire given    = rd && !rxf_n;
  wire received = rx_byte_valid && rx_byte_ready && running;
  wire sent     = wr && !txe_n;
  wire accepted = tx_byte_valid && tx_byte_ready && running;

  always @(*) assume (running && tx_byte_ready || !tx_byte_valid); // offered bytes are taken
  always @(*) assume (running || !rx_byte_ready);

  // One byte of sixteen in each direction, whichever it is; never more than the FIFO's 16 and 2 on their way.
  (* anyconst *) reg [3:0] some;
  reg [5:0] numbers_given = 0, numbers_received = 0, numbers_accepted = 0, numbers_sent = 0;
  reg [7:0] value_given, value_accepted;
  wire [5:0] coming = numbers_given - numbers_received, going = numbers_accepted - numbers_sent;

  // for the claims
  reg [2:0] stalls = 0, turns = 0;
  reg       pulsed = 0;

  always @(posedge clk) begin
    oe_before <= oe;
    driven_before <= driven;
    wr_before <= wr;
    full_before <= txe_n;
    if (given) begin
      chip_byte <= chip_next;
      numbers_given <= numbers_given + 1'b1;
      if (numbers_given[3:0] == some) value_given <= chip_byte;
    end
    if (accepted) begin
      numbers_accepted <= numbers_accepted + 1'b1;
      if (numbers_accepted[3:0] == some) value_accepted <= tx_byte;
    end
    if (received) numbers_received <= numbers_received + 1'b1;
    if (sent) numbers_sent <= numbers_sent + 1'b1;

    if (CLAIM == 0 && PART == 0) begin
      one_driver: assert (!(oe && driven));
      released_before: assert (!(oe && driven_before));
      returned_before: assert (!(driven && oe_before));
      enabled_before_read: assert (!rd || oe && oe_before);
      driven_while_written: assert (!wr || driven);
      room_before_written: assert (!wr || !full_before);
      ends_when_full: assert (!(wr && wr_before && full_before));
      no_pulse_while_written: assert (!wr || siwu_n);
    end
    if (CLAIM == 0 && PART == 1) begin
      if (running) begin
        one_received: assert (!received || coming != 0);
        all_kept: assert (coming <= 17);  // the FIFO and one on its way there
        same_received: assert (!received || numbers_received[3:0] != some || coming > 16 || rx_byte == value_given);
        one_sent: assert (!sent || going != 0);
        same_sent: assert (!sent || numbers_sent[3:0] != some || going > 16 || data == value_accepted);
        idle_is_empty: assert (!idle || coming == 0 && going == 0);
      end else nothing_moves: assert (!given && !sent || clocks > 3);
    end

    if (wr_before && full_before && stalls != 7 && going != 0) stalls <= stalls + 1'b1;
    if (driven && !driven_before && numbers_received != 0 && turns != 7) turns <= turns + 1'b1;
    if (!siwu_n && running) pulsed <= 1;
    // bytes in both directions around a stall and two turns; a pulse after a byte, and another byte; a read that ends for want of room
    if (CLAIM == 1) both_ways: assert (!(idle && stalls != 0 && turns == 2 && numbers_received == 3 && numbers_sent == 2));
    if (CLAIM == 2) flushed: assert (!(pulsed && numbers_sent == 2 && idle));
    if (CLAIM == 3) held_up: assert (!(numbers_given == 12 && numbers_received == 0 && driven && !rxf_n));
  end
endmodule

`resetall
