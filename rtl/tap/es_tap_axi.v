`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Tap of an AXI4 bus with 32 bits of data: bursts of all kinds, narrow and unaligned transfers, IDs
// whose answers come in any order. Each beat that is done is told once: of a read when it has come
// on R, of a write when B has answered the burst, as only then it is known to be made. What ends
// with SLVERR or DECERR is not told, nor is a beat of no byte, nor an exclusive write that failed
// (any answer but EXOKAY).
//
// Order is that of the handshakes on R and B, the read of a clock first: so a master that waits for
// an answer before what must come after it has its accesses told in its order, and those of one ID
// are in their order. One beat is told in a clock, one or two clocks after its answer when nothing
// waits; a burst's beats follow each other.
//
// What it cannot remember is told as missed, in its place: beats of reads, and writes, beyond
// OUTSTANDING at a time, each write of more beats than BEATS, and the answers of a clock when
// QUEUE such clocks wait. All others stay exact, as what comes later than a read or write that is
// not remembered is not remembered either until all such have ended: so an answer belongs to the
// oldest one of its ID that is remembered, or else to one that is not.
//
// Source: AMBA AXI and ACE Protocol Specification (ARM IHI 0022E), A3, A5, A7.2.
module es_tap_axi #(
  parameter ADDR_W      = 32, // bits of the byte address, 16 to 32
  parameter ID_W        = 4,  // bits of an ID, 1 to 16
  parameter BIG_ENDIAN  = 0,  // 1: the byte at the lowest address is in bits 31..24
  parameter OUTSTANDING = 4,  // reads at a time, and writes: a power of 2, 2 to 16
  parameter BEATS       = 16, // of a write, a power of 2, 2 to 256
  parameter QUEUE       = 8   // clocks with answers that wait, a power of 2, 2 to 256
) (
  input  wire              clk,
  input  wire              rst, // of the probe, and of the bus (docs/taps.md)
  input  wire              arvalid,
  input  wire              arready,
  input  wire [ID_W-1:0]   arid,
  input  wire [ADDR_W-1:0] araddr,
  input  wire [7:0]        arlen,
  input  wire [2:0]        arsize,  // 2 at most
  input  wire [1:0]        arburst,
  input  wire              arfetch, // instruction fetch: ARPROT[2], or 1 on an instruction bus
  input  wire              rvalid,
  input  wire              rready,
  input  wire [ID_W-1:0]   rid,
  input  wire [31:0]       rdata,
  input  wire [1:0]        rresp,
  input  wire              rlast,
  input  wire              awvalid,
  input  wire              awready,
  input  wire [ID_W-1:0]   awid,
  input  wire [ADDR_W-1:0] awaddr,
  input  wire [7:0]        awlen,
  input  wire [2:0]        awsize,  // 2 at most
  input  wire [1:0]        awburst,
  input  wire              awlock,  // exclusive
  input  wire              wvalid,
  input  wire              wready,
  input  wire [31:0]       wdata,
  input  wire [3:0]        wstrb,
  input  wire              wlast,
  input  wire              bvalid,
  input  wire              bready,
  input  wire [ID_W-1:0]   bid,
  input  wire [1:0]        bresp,
  output wire              tx_valid,
  output wire [1:0]        tx_kind,
  output wire [31:0]       tx_addr,
  output wire [31:0]       tx_data,
  output wire [3:0]        tx_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32 || ID_W < 1 || ID_W > 16) begin
      $error("es_tap_axi: illegal ADDR_W or ID_W");
    end
    if (QUEUE < 2 || QUEUE > 256 || (QUEUE & (QUEUE - 1)) != 0) begin
      $error("es_tap_axi: QUEUE must be a power of 2, 2 to 256");
    end
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK, MARK_MISSED = `ES_MARK_GAP_FIRST;
  localparam WORD_W = ADDR_W - 2;
  localparam SLOT_W = $clog2(OUTSTANDING);

  // ---- reads: a beat of them is told, with its place, or missed ----
  wire              beat, beat_known, beat_fetch;
  wire [WORD_W-1:0] beat_at;
  wire [3:0]        beat_lanes;
  es_tap_axi_reads #(.ADDR_W(ADDR_W), .ID_W(ID_W), .OUTSTANDING(OUTSTANDING)) reads (
    .clk(clk), .rst(rst), .asks(arvalid && arready), .arid(arid), .araddr(araddr), .arlen(arlen),
    .arsize(arsize[1:0]), .arburst(arburst), .arfetch(arfetch), .answers(rvalid && rready),
    .rid(rid), .rlast(rlast), .beat(beat), .known(beat_known), .fetch(beat_fetch), .at(beat_at),
    .lanes(beat_lanes)
  );
  wire        read_told = beat && (!beat_known || !rresp[1]);
  wire [31:0] read_data;
  wire [3:0]  read_whole;
  es_tap_lanes #(.DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) read_order (
    .address(2'd0), .data(rdata), .lanes(4'b1111), .word(read_data), .word_lanes(read_whole)
  );

  // ---- writes: one of them is told, by its place in memory, or missed ----
  wire              write_told, write_known, taken, step;
  wire [SLOT_W-1:0] write_slot, write_next;
  wire              write_last;
  wire [WORD_W-1:0] write_at;
  wire [35:0]       written;
  es_tap_axi_writes #(
    .ADDR_W(ADDR_W), .ID_W(ID_W), .OUTSTANDING(OUTSTANDING), .BEATS(BEATS)
  ) writes (
    .clk(clk), .rst(rst), .asks(awvalid && awready), .awid(awid), .awaddr(awaddr), .awlen(awlen),
    .awsize(awsize[1:0]), .awburst(awburst), .awlock(awlock), .gives(wvalid && wready),
    .wdata(wdata), .wstrb(wstrb), .wlast(wlast), .answers(bvalid && bready), .bid(bid),
    .bresp(bresp), .told(write_told), .known(write_known), .slot(write_slot), .taken(taken),
    .step(step), .of(head_slot), .following(write_next), .last(write_last), .at(write_at),
    .data(written)
  );

  // ---- what is to be told waits, a row for a clock ----
  localparam PLACE_W = $clog2(QUEUE);
  localparam ROW_W = 1 + 1 + 2 + WORD_W + 36 + 2 + SLOT_W;
  reg  [ROW_W-1:0]   rows [0:QUEUE-1];
  reg  [PLACE_W-1:0] first, past;
  reg                lost; // a row found no place
  wire [PLACE_W-1:0] second = first + 1'b1, past_next = past + 1'b1;
  wire               some = first != past;
  wire               comes = read_told || write_told;
  wire               room = past_next != first;
  wire               push = room && (comes || lost);
  assign taken = room; // the write waits in its own place

  wire              head_lost, head_read, head_write, head_known;
  wire [1:0]        head_kind;
  wire [WORD_W-1:0] head_at;
  wire [31:0]       head_data;
  wire [3:0]        head_lanes;
  wire [SLOT_W-1:0] head_slot;
  assign {head_lost, head_read, head_kind, head_at, head_data, head_lanes, head_write, head_known,
          head_slot} = rows[first];
  wire [ROW_W-1:0]  following = rows[second];

  // the parts of the row at the head, one after the other
  reg  past_lost, past_read; // have been told
  reg  ready;                // `written` is the first beat of the row's write, or the next one
  wire tells_lost  = some && head_lost && !past_lost;
  wire tells_read  = some && !tells_lost && head_read && !past_read;
  wire at_write    = some && !tells_lost && !tells_read && head_write;
  assign step      = at_write && head_known && ready;
  wire done_write  = !head_write || at_write && (!head_known || step && write_last);
  wire pop         = some && (tells_lost ? !head_read && !head_write :
                              tells_read ? !head_write : done_write);
  wire next_here   = pop ? second != past : some;
  assign write_next = pop ? following[SLOT_W-1:0] : head_slot;

  always @(posedge clk) begin
    if (push) begin
      rows[past] <= {lost, read_told, !beat_known ? KIND_MARK[1:0] : beat_fetch ? KIND_FETCH[1:0] :
                     KIND_READ[1:0], beat_at, read_data, beat_known ? beat_lanes : MARK_MISSED[3:0],
                     write_told, write_known, write_slot};
      past <= past_next;
    end
    lost      <= lost && !push || comes && !room;
    past_lost <= !pop && (past_lost || tells_lost);
    past_read <= !pop && (past_read || tells_read);
    ready     <= next_here;
    if (pop) first <= second;
    if (rst) begin
      first     <= {PLACE_W{1'b0}};
      past      <= {PLACE_W{1'b0}};
      lost      <= 1'b0;
      past_lost <= 1'b0;
      past_read <= 1'b0;
      ready     <= 1'b0;
    end
  end

  // ---- out ----
  wire [31:0] write_data;
  wire [3:0]  write_lanes;
  es_tap_lanes #(.DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) write_order (
    .address(2'd0), .data(written[31:0]), .lanes(written[35:32]), .word(write_data),
    .word_lanes(write_lanes)
  );
  wire        missed = tells_lost || at_write && !head_known;
  localparam PAD = 32 - ADDR_W;
  assign tx_valid = !rst && (missed || tells_read || step && |write_lanes);
  assign tx_kind  = missed ? KIND_MARK[1:0] : tells_read ? head_kind : KIND_WRITE[1:0];
  assign tx_addr  = {{PAD{1'b0}}, tells_read ? head_at : write_at, 2'd0};
  assign tx_data  = tells_read ? head_data : write_data;
  assign tx_lanes = missed ? MARK_MISSED[3:0] : tells_read ? head_lanes : write_lanes;

  wire unused = &{1'b0, arsize[2], awsize[2], rresp[0], following, read_whole};
endmodule

`resetall
