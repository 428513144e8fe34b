`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Recognises marks (docs/marks.md) among a tap's transactions: whole-word writes to the marker
// window. `mark` is of the clock of the transaction, so its time is the tap's time of the store.
//
// mk_* is what goes on to the probe in place of the tap's transactions, in the same form: the marks
// alone, two records for each, so that several cores' marks fit one probe.
// - In the clock of the store its own fetch: KIND_FETCH, address and instruction. It leaves the
//   place of the mark in the pipeline (REG_HIT_PC).
// - In the clock of the fetch after it, which is the mark's end and so its time: KIND_MARK with
//   MARK_PROGRAM in the lanes. Data: the value. Address: id in bits 10:2, clocks since the store in
//   bits 15:11 and since the store's own fetch in the bits from 16 on; all ones: so many or more.
// A mark whose end cannot be seen, because the core stores another one before it fetches, comes in
// the clock of that store with 0 for both counts. What the tap has missed (MARK_GAP_FIRST) goes on,
// and a mark that waits then for its end is lost with it.
module es_tap_mark #(
  parameter [31:0] BASE = `ES_MARK_BASE, // the marker window, a multiple of its size
  parameter [31:0] SIZE = `ES_MARK_SIZE, // in bytes, a power of 2; 512 words at most go on in mk_
  parameter        ADDR_W = 32            // bits of an address that the probe stores, 24 to 32
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        tx_valid,
  input  wire [1:0]  tx_kind,
  input  wire [31:0] tx_addr,
  input  wire [31:0] tx_data,
  input  wire [3:0]  tx_lanes,
  output wire        mark,
  output wire [15:0] mark_id,    // word of the window
  output wire [31:0] mark_value, // what was stored
  output wire [31:0] mark_pc,    // address of the instruction that the core fetched last: of the store
  output wire        mk_valid,
  output wire [1:0]  mk_kind,
  output wire [31:0] mk_addr,
  output wire [31:0] mk_data,
  output wire [3:0]  mk_lanes
);
  initial begin
    if (SIZE < 4 || SIZE > 32'h40000 || (SIZE & (SIZE - 1)) != 0 || (BASE & (SIZE - 1)) != 0) begin
      $error("es_tap_mark: SIZE must be a power of 2 from 4 to 2^18, and BASE a multiple of it");
    end
    if (ADDR_W < 24 || ADDR_W > 32) $error("es_tap_mark: ADDR_W must be 24 to 32");
  end

  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE;
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;
  localparam [31:0] KIND_MARK = `ES_KIND_MARK;
  localparam [31:0] MARK_PROGRAM = `ES_MARK_PROGRAM;
  localparam [31:0] MARK_MISSED = `ES_MARK_GAP_FIRST;
  localparam COUNT_W = ADDR_W - 16; // bits of the clocks since the store's fetch

  wire [31:0] offset = tx_addr - BASE;
  wire        fetch = tx_valid && tx_kind == KIND_FETCH[1:0];
  wire        missed = tx_valid && tx_kind == KIND_MARK[1:0] && tx_lanes == MARK_MISSED[3:0];

  assign mark       = tx_valid && tx_kind == KIND_WRITE[1:0] && (&tx_lanes) && offset < SIZE;
  assign mark_id    = offset[17:2];
  assign mark_value = tx_data;

  reg  [31:0] word; // address of the core's last fetch, word aligned
  reg  [31:0] insn; // what it fetched
  reg         upper; // it began in the middle of the word

  assign mark_pc = word | {30'd0, upper, 1'b0};

  always @(posedge clk) begin
    if (fetch) begin
      word  <= tx_addr;
      insn  <= tx_data;
      upper <= tx_lanes == 4'b1100;
    end
    if (rst) begin
      word  <= 32'd0;
      upper <= 1'b0;
    end
  end

  // ---- the mark that waits for its end ----
  reg               waits;
  reg [8:0]         held_id;
  reg [31:0]        held_value;
  reg [4:0]         since_store; // of this clock
  reg [COUNT_W-1:0] since_fetch;

  always @(posedge clk) begin
    if (mark) begin
      waits      <= 1'b1;
      held_id    <= mark_id[8:0];
      held_value <= tx_data;
    end else if (fetch || missed) begin
      waits <= 1'b0;
    end
    since_store <= mark ? 5'd1 : since_store + {4'd0, ~(&since_store)};
    since_fetch <= fetch ? {{(COUNT_W - 1){1'b0}}, 1'b1} :
                   since_fetch + {{(COUNT_W - 1){1'b0}}, ~(&since_fetch)};
    if (rst) begin
      waits       <= 1'b0;
      since_store <= 5'd0;
      since_fetch <= {COUNT_W{1'b0}};
    end
  end

  // ---- what goes on ----
  wire        ends = waits && (fetch || mark);
  wire [20:0] counts = !fetch ? 21'd0 : {{(16 - COUNT_W){1'b0}}, since_fetch, since_store};

  assign mk_valid = mark || ends || missed;
  assign mk_kind  = ends || missed ? KIND_MARK[1:0] : KIND_FETCH[1:0];
  assign mk_addr  = ends ? {counts, held_id, 2'd0} : word;
  assign mk_data  = ends ? held_value : insn;
  assign mk_lanes = ends ? MARK_PROGRAM[3:0] : missed ? MARK_MISSED[3:0] :
                    upper ? 4'b1100 : 4'hF;

  wire unused = &{1'b0, offset[1:0]};
endmodule

`resetall
