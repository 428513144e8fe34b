`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Execution follower: of what a tap tells of a processor that fetches one instruction ahead, the
// instructions that were executed, each before its accesses. Between the tap and es_probe, whose
// FETCHES is EXECUTED then. It drives no wire of the target, and tells at most one transaction in a
// clock. Instructions of 32 bits, one bus, no cache; made for PicoRV32 on its own bus.
//
// What the processor must do, and why that is enough. F(k) is the fetch of the k-th instruction.
// (1) While it executes k it fetches the word after it, F(k+1), whatever k is; only after a jump
//     (JAL, JALR, retirq) it fetches nothing before the jump's target. So F(k+1) begins only when k
//     is executed: when F(k+1) ends, k is told.
// (2) But where k-1 is a taken branch, F(k) was of no use and F(k+1) is at the branch's target. The
//     address does not always tell: a branch over one instruction goes to where its execution would
//     have gone on, too. The time does: a taken branch asks for its target REDIRECT clocks after
//     the clock in which it is decided and F(k) has ended; any other way takes at least one more,
//     as k has to be decoded first.
// (3) k's accesses come after the end of F(k+1), and before F(k+2) begins. They are passed on in
//     their own clocks, so all is told in order, with k before its access.
// (4) An interrupt is taken in place of k, which has been fetched: F(k+1) is at VECTOR then, and k
//     will be fetched again.
//
// A processor that does not keep to this is noticed: where the next fetch is not at the place that
// (1) to (4) say, or a load, a store and the accesses do not go together, a fetch is told as missed
// (KIND_MARK). So is one of which (4) does not tell whether it was interrupted (a jump by a register
// to VECTOR may look so), and the first one seen, unless the processor's reset is seen. Fetches are
// told again as soon as one of them took longer than (2) takes, and so was of use.
//
// Source: PicoRV32, picorv32.v, its memory interface and main state machine; tests/cores holds both
// against its retire port, instruction by instruction.
module es_follow #(
  parameter        ADDR_W   = 32, // bits of a byte address on the bus, 16 to 32
  // clocks from the first one of F(k) on until branch k-1 is decided, 0 to 7. PicoRV32: 0, and 1
  // more each for ENABLE_REGS_DUALPORT=0, TWO_CYCLE_COMPARE=1, TWO_CYCLE_ALU=1
  parameter        SETTLE   = 0,
  parameter        REDIRECT = 2,  // clocks from then on until it asks for its target, 1 to 7
  // clocks from F(k)'s end until it asks for VECTOR where an interrupt is taken right away: less than
  // a jump there by a register takes; 1 to 7
  parameter        INTERRUPTED = 4,
  // 1: there are interrupts, at VECTOR (PicoRV32's ENABLE_IRQ and PROGADDR_IRQ)
  parameter        IRQ      = 0,
  parameter [31:0] VECTOR   = 32'h00000010
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        target_rst, // the processor is in reset, in clk's domain; 0 if that is not known
  input  wire        bus_asks,   // from an access's first clock on the bus to its last one: valid
  // of the tap, which tells every access in its last clock
  input  wire        tx_valid,
  input  wire [1:0]  tx_kind,
  input  wire [31:0] tx_addr,
  input  wire [31:0] tx_data,
  input  wire [3:0]  tx_lanes,
  output wire        fl_valid,
  output wire [1:0]  fl_kind,
  output wire [31:0] fl_addr,
  output wire [31:0] fl_data,
  output wire [3:0]  fl_lanes
);
  initial begin
    if (ADDR_W < 16 || ADDR_W > 32) $error("es_follow: illegal ADDR_W");
    if (SETTLE < 0 || SETTLE > 7 || REDIRECT < 1 || REDIRECT > 7 ||
        INTERRUPTED < 1 || INTERRUPTED > 7) begin
      $error("es_follow: illegal SETTLE, REDIRECT or INTERRUPTED");
    end
  end

  localparam [31:0] KIND_READ = `ES_KIND_READ, KIND_WRITE = `ES_KIND_WRITE,
    KIND_FETCH = `ES_KIND_FETCH, KIND_MARK = `ES_KIND_MARK, MARK_MISSED = `ES_MARK_GAP_FIRST;
  localparam [31:0] SETTLE_CLOCKS = SETTLE;
  localparam WORD_W = ADDR_W - 2;

  wire fetch  = tx_valid && tx_kind == KIND_FETCH[1:0];
  wire access = tx_valid && (tx_kind == KIND_READ[1:0] || tx_kind == KIND_WRITE[1:0]);
  wire missed = tx_valid && tx_kind == KIND_MARK[1:0];

  // ---- the clock in which a branch asks for its target ----
  reg                under_way;  // an access has begun in a clock before
  reg                seen;       // ... and was seen to
  reg                ended;      // its fetch has, and a branch before it is not decided
  reg [2:0]          left;       // clocks until it is
  reg [6:0]          since;      // bit i: both were i + 1 clocks ago
  reg [6:0]          since_end;  // and here: the last access's end was
  reg                was_soon, was_early;
  wire               begins = bus_asks && !under_way;
  wire [2:0]         left_now = begins ? SETTLE_CLOCKS[2:0] : left;
  wire               both = (fetch || ended) && left_now == 3'd0;
  wire               soon = begins ? since[REDIRECT-1] : was_soon; // of the access on the bus
  wire               early = begins ? since_end[INTERRUPTED-1] : was_early;

  always @(posedge clk) begin
    under_way <= bus_asks && !tx_valid || rst;
    seen      <= (begins || seen) && !tx_valid && !rst;
    ended     <= (fetch || ended) && left_now != 3'd0 && !rst;
    left      <= left_now == 3'd0 ? 3'd0 : left_now - 3'd1;
    since     <= {since[5:0], both && !rst};
    since_end <= {since_end[5:0], tx_valid && !rst};
    was_soon  <= soon;
    was_early <= early;
  end

  // ---- the instruction that was fetched last ----
  reg              known;         // it will be executed, save for what follows
  reg              waits;         // there is one
  reg [WORD_W-1:0] at;
  reg [31:0]       insn;
  reg              after_branch;  // the one before it is a branch, to `target`
  reg [WORD_W-1:0] target;
  reg              reads, writes; // the one before it loads or stores, and has not yet

  wire is_jal    = insn[6:0] == 7'h6F;
  wire is_branch = insn[6:0] == 7'h63;
  wire is_far    = insn[6:0] == 7'h67 || IRQ != 0 && insn[6:0] == 7'h0B && insn[31:25] == 7'd2;
  wire is_load   = insn[6:3] == 4'd0 && insn[1:0] == 2'b11;     // LOAD, LOAD-FP
  wire is_store  = insn[6:3] == 4'b0100 && insn[1:0] == 2'b11;  // STORE, STORE-FP

  // where a jump or a branch goes; words, as the rest of an address does not matter
  wire [29:0] jump   = {{12{insn[31]}}, insn[19:12], insn[20], insn[30:22]};
  wire [29:0] branch = {{20{insn[31]}}, insn[7], insn[30:25], insn[11:9]};
  wire [29:0] offset = is_jal ? jump : branch;
  wire [WORD_W-1:0] there = at + offset[WORD_W-1:0];
  wire [WORD_W-1:0] next  = at + {{(WORD_W - 1){1'b0}}, 1'b1};

  // ---- where the next fetch shows what has become of it ----
  wire [WORD_W-1:0] to = tx_addr[ADDR_W-1:2];
  wire              left_out = soon && (after_branch || !known);
  wire              goes = is_far || to == (is_jal ? there : next);
  wire              vector = IRQ != 0 && !left_out && to == VECTOR[ADDR_W-1:2];
  wire              interrupted = vector && (is_far ? early : !goes);
  wire              passes = !left_out && goes && !vector;
  wire              explained = known && !reads && !writes &&
                                (left_out ? to == target : interrupted || passes);
  wire              found = passes || vector && (is_far || !goes); // the next one is executed
  wire              tells = fetch && waits && (!explained || passes);
  wire              accounted = tx_kind == KIND_WRITE[1:0] ? writes : reads;

  always @(posedge clk) begin
    if (fetch) begin
      known <= waits && !explained ? found : known;
      waits <= known || seen || begins;
      at    <= to;
      insn  <= tx_data;
      after_branch <= waits && passes && is_branch;
      target       <= there;
      reads        <= waits && passes && is_load;
      writes       <= waits && passes && is_store;
    end else if (access || missed) begin
      known  <= known && access && accounted;
      reads  <= 1'b0;
      writes <= 1'b0;
      after_branch <= 1'b0;
    end
    if (rst || target_rst) begin
      known  <= target_rst;
      waits  <= 1'b0;
      reads  <= 1'b0;
      writes <= 1'b0;
      after_branch <= 1'b0;
    end
  end

  assign fl_valid = (access || missed || tells) && !rst;
  assign fl_kind  = !fetch ? tx_kind : explained ? KIND_FETCH[1:0] : KIND_MARK[1:0];
  assign fl_addr  = !fetch ? tx_addr : {{(32 - ADDR_W){1'b0}}, at, 2'd0};
  assign fl_data  = !fetch ? tx_data : insn;
  assign fl_lanes = !fetch ? tx_lanes : explained ? 4'b1111 : MARK_MISSED[3:0];

  wire unused = &{1'b0, tx_addr, offset, since, since_end, early};
endmodule

`resetall
