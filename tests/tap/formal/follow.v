`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_follow on any processor that fetches as es_follow.v asks in (1) to (4), whatever the instructions are, whichever branches are taken, and however
// long accesses, instructions and interrupts take: what is told was executed, in order and once, before its accesses and all that comes after it; and what
// was executed is told, or a fetch is told as missed in its place. With its reset seen (SEEN 1) that is only where an interrupt may look like a jump.
module follow_proof #(
  parameter SETTLE = 0,
  parameter SEEN   = 1, // 0: the follower starts at any time
  parameter IRQ    = 1
) (
  input wire        clk,
  input wire        starts,     // the follower, if not SEEN
  input wire        goes,       // the next access begins, if it may
  input wire        ends,       // the one on the bus
  input wire        interrupts, // the next fetch is of an interrupt
  input wire [31:0] word,       // what is fetched, read or written
  input wire [15:0] place       // where a jump by a register goes, or an access
);
  localparam [15:0] VECTOR = 16'h10;

  reg [1:0] clocks = 0;
  always @(posedge clk) clocks <= clocks + !(&clocks);
  wire core_rst = clocks < 2;
  reg  rst = 1;
  always @(posedge clk) rst <= SEEN != 0 ? clocks == 0 : rst && !starts;

  // ---- the processor ----
  reg         busy = 0, busy_fetch = 0;  // an access goes on
  reg  [15:0] busy_at = 0;
  reg         has = 0;                   // fetched, and not yet executed:
  reg  [15:0] at = 0;
  reg  [31:0] insn = 0;
  reg         branch = 0;                // the one before it is a branch
  reg  [15:0] target = 0;
  reg         loads = 0, stores_too = 0; // the one before it has an access to make
  reg  [2:0]  since_end = 0, since_both = 0; // clocks since the last access, and since the branch is decided, too: it has ended
  reg         both = 0;
  reg  [3:0]  age = 0;                   // of the fetch

  wire [31:0] jump = {16'd0, at} + {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};
  wire [31:0] branched = {16'd0, at} + {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
  wire        is_far = insn[6:0] == 7'h67 || IRQ != 0 && insn[6:0] == 7'h0B && insn[31:25] == 7'd2; // jalr, retirq
  wire        is_jal = insn[6:0] == 7'h6F, is_branch = insn[6:0] == 7'h63;

  wire        idle = !busy && !core_rst;
  wire        accesses = loads || stores_too;
  wire        over_one = branch && since_both == 2;                     // the fall-through is left, now or never
  wire        may_go_on = !branch || since_both > 2;
  wire        first = idle && goes && !has;
  wire        access = idle && goes && has && accesses;
  wire        taken = idle && goes && has && !accesses && over_one;
  wire        interrupt = idle && goes && has && !accesses && may_go_on && IRQ != 0 && interrupts;
  wire        executes = idle && goes && has && !accesses && may_go_on && !(IRQ != 0 && interrupts) && !(is_far && since_end < 5);
  wire        asks_fetch = first || taken || interrupt || executes;
  wire        asks = busy || asks_fetch || access;
  wire        is_fetch = busy ? busy_fetch : asks_fetch;
  wire [15:0] next = first ? 16'd0 : taken ? target : interrupt ? VECTOR : is_jal ? jump[15:0] : is_far ? place : at + 16'd4;
  wire [15:0] where = {busy ? busy_at[15:2] : access ? place[15:2] : next[15:2], 2'd0};
  wire        over = asks && ends;
  wire        fetched = over && is_fetch, accessed = over && !is_fetch;
  wire [3:0]  age_now = asks_fetch ? 4'd0 : age;
  wire        settles = (fetched || since_end != 0 && !asks && !both) && age_now >= SETTLE;

  // what was executed, and not yet told
  reg         out = 0;
  reg  [15:0] out_at = 0;
  reg  [31:0] out_insn = 0;
  wire        out_now = executes || out;
  wire [15:0] out_at_now = executes ? at : out_at;
  wire [31:0] out_insn_now = executes ? insn : out_insn;

  always @(posedge clk) begin
    busy <= asks && !over;
    busy_fetch <= is_fetch;
    busy_at <= where;
    age <= age_now + !(&age_now);
    since_end <= over ? 3'd1 : since_end + !(since_end == 0 || &since_end);
    both <= !(asks && !over) && (settles || both && !asks);
    since_both <= settles ? 3'd1 : asks_fetch ? 3'd0 : since_both + !(since_both == 0 || &since_both);
    if (executes || taken || interrupt) begin
      branch <= executes && is_branch;
      target <= branched[15:0];
      loads <= executes && {insn[6:3], insn[1:0]} == 6'b000011;
      stores_too <= executes && {insn[6:3], insn[1:0]} == 6'b010011;
    end
    if (fetched) begin
      has <= 1;
      at <= where;
      insn <= word;
    end
    if (accessed) begin
      loads <= 0;
      stores_too <= 0;
    end
    out <= out_now && !fetched;
    out_at <= out_at_now;
    out_insn <= out_insn_now;
    if (core_rst) begin
      out <= 0;
      since_end <= 0;
      both <= 0;
    end
  end

  // ---- the follower ----
  wire [1:0]  kind = is_fetch ? 2'd2 : stores_too ? 2'd1 : 2'd0; // ES_KIND_*
  wire        fl_valid;
  wire [1:0]  fl_kind;
  wire [31:0] fl_addr, fl_data;
  wire [3:0]  fl_lanes;
  es_follow #(.ADDR_W(16), .SETTLE(SETTLE), .IRQ(IRQ), .VECTOR({16'd0, VECTOR})) follow (
    .clk(clk), .rst(rst), .target_rst(core_rst && SEEN != 0), .bus_asks(asks), .tx_valid(over && !rst), .tx_kind(kind),
    .tx_addr({16'd0, where}), .tx_data(word), .tx_lanes(4'hF), .fl_valid(fl_valid), .fl_kind(fl_kind), .fl_addr(fl_addr),
    .fl_data(fl_data), .fl_lanes(fl_lanes)
  );
  wire tells = fl_valid && fl_kind == 2'd2, missed = fl_valid && fl_kind == 2'd3;

  reg [1:0] seen = 0; // fetches whose end the follower has seen
  reg [2:0] told = 0;
  reg       skipped = 0, unsure = 0;
  always @(posedge clk) begin
    if (!rst) begin
      if (fetched && !(&seen)) seen <= seen + 1;
      if (tells && !(&told)) told <= told + 1;
      unsure <= (unsure || missed) && !tells;
      only_then: assert (!fl_valid || over);
      if (tells) it_is: assert (fetched && out_now && fl_addr == {16'd0, out_at_now} && fl_data == out_insn_now && fl_lanes == 4'hF);
      if (missed) a_mark: assert (fetched && fl_lanes == 4'd1);
      if (fetched && out_now && (SEEN != 0 || seen > 1)) in_time: assert (fl_valid);
      if (SEEN != 0) none: assert (!missed || IRQ != 0 && (where == VECTOR || unsure));
      if (accessed) access_is: assert (fl_valid && fl_kind == kind && fl_addr == {16'd0, where} && fl_data == word && fl_lanes == 4'hF);
    end
    skipped <= skipped || taken && target == at + 16'd4; // over one instruction
    long: cover (told == 6);
    over_it: cover (skipped && told == 3);
    by_register: cover (told == 2 && tells && out_insn_now[6:0] == 7'h67);
    stored: cover (told == 2 && accessed && stores_too);
    interrupted: cover (IRQ == 0 || told == 2 && fetched && where == VECTOR && !fl_valid);
    alike: cover (IRQ == 0 || missed && told == 2);
    late: cover (SEEN != 0 || told == 3 && seen == 3);
  end
endmodule

`resetall
