`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Proof of es_tracker, with any hits, cells and memory: a hit is dealt with, or left to the soft core, within ES_TRACK_CLOCKS after the
// soft core waits for it (one more where the cell says that the hit is the tracker's and it is not); what the soft core has not asked for is left alone; nothing but calls, returns, other fetches
// and writes is dealt with; and registers are written only while the soft core waits.
module tracker_proof (
  input wire        clk,
  input wire        on,
  input wire        nodes,
  input wire        comes,
  input wire [1:0]  kind,
  input wire [3:0]  lanes,
  input wire        old_known,
  input wire [31:0] old,
  input wire [31:0] new,
  input wire [30:0] addr,
  input wire [30:0] pc,
  input wire [31:0] hit_cell,
  input wire        hit_pop,
  input wire        may,
  input wire        reg_write,
  input wire [4:0]  reg_number,
  input wire [31:0] reg_value,
  input wire [31:0] rd_data,
  input wire [31:0] node_data
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH, TRACK = `ES_TRACK_CLOCKS, MRET = `ES_RV32_MRET,
    TOP = `ES_MI_REG_TOP, NP = `ES_MI_REG_NP, KNOWN = `ES_MI_REG_KNOWN;
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg         valid = 1'b0;
  wire        coming = !rst && comes && !valid;
  wire        drop, put, busy, ready, rd_en, wr_en;
  wire [4:0]  put_number;
  wire [31:0] put_value, wr_data;
  wire        at_work, node_near, node_en;
  wire [13:0] rd_index, wr_index, node_index;

  es_tracker tracker (
    .clk(clk), .rst(rst), .on(on), .nodes(nodes), .hit_valid(valid), .hit_kind(kind), .hit_lanes(lanes), .hit_old_known(old_known),
    .hit_old(old), .hit_new(new), .hit_addr(addr), .hit_pc(pc), .hit_cell(hit_cell), .hit_pop(hit_pop), .drop(drop),
    .coming(coming), .coming_kind(kind), .coming_old_known(old_known), .coming_old(old), .coming_cell(hit_cell),
    .may(may), .reg_write(reg_write), .reg_number(reg_number), .reg_value(reg_value),
    .put(put), .put_number(put_number), .put_value(put_value), .busy(busy), .at_work(at_work), .ready(ready),
    .rd_en(rd_en), .rd_index(rd_index), .rd_data(rd_data), .node_near(node_near), .node_en(node_en),
    .node_index(node_index), .node_data(node_data), .wr_en(wr_en), .wr_index(wr_index), .wr_data(wr_data)
  );

  // ---- what is around it ----
  reg         was = 1'b0, was_may, was_answered;     // a clock before; whether the soft core was answered in it
  reg  [1:0]  kind_was;
  reg  [3:0]  lanes_was;
  reg         known_was, on_was, nodes_was;
  reg  [31:0] old_was, new_was, cell_was;
  reg  [30:0] addr_was, pc_was;
  always @(posedge clk) begin
    was       <= !rst && (valid && !drop && !hit_pop || coming);
    was_may   <= may && !rst;
    was_answered <= !busy && !coming;
    kind_was  <= kind;
    lanes_was <= lanes;
    known_was <= old_known;
    old_was   <= old;
    new_was   <= new;
    cell_was  <= hit_cell;
    addr_was  <= addr;
    pc_was    <= pc;
    on_was    <= on;
    nodes_was <= nodes;
    valid <= !rst && (valid && !drop && !hit_pop || coming);
  end
  always @(*) begin
    // the hit at the head stays as it is
    assume (!was || kind == kind_was && lanes == lanes_was && old_known == known_was && old == old_was && new == new_was &&
                    hit_cell == cell_was && addr == addr_was && pc == pc_was);
    // the soft core waits until it is answered, and does nothing else meanwhile
    assume (!was_may || was_answered || may);
    assume (!may || !reg_write && !hit_pop);
    assume (!may && !was_may || rst || on == on_was && nodes == nodes_was);
    assume (!hit_pop || valid && ready);
    assume (!(rst && (reg_write || hit_pop || may)));
  end

  // ---- claims ----
  reg         near = 1'b0; // it might have read a node in the clock before, and might so again
  reg  [3:0]  taken = 0;   // clocks since the soft core waits for this hit
  reg         written = 0; // the soft core has said where its top is
  always @(posedge clk) begin
    taken <= rst || !may || !valid || ready || drop ? 4'd0 : taken + 1'b1;
    if (reg_write && reg_number == TOP[4:0]) written <= 1'b1;
    near <= !rst && may && node_near;
    if (!rst) begin
      near_says: assert (!node_en || may && node_near);
      works: assert (!at_work || busy && !node_near && !(valid && ready));
      near_once: assert (!(near && may && node_near && valid && was));
      soon: assert (!(may && valid && !ready) || taken < TRACK + 1);
      asked: assert (!drop || valid && on && !ready);
      kinds: assert (!drop || kind == KIND_WRITE[1:0] ||
                     kind == KIND_FETCH[1:0] && old_known && old != MRET);
      waits: assert (!put || may && (put_number == TOP[4:0] || put_number == NP[4:0] || put_number == KNOWN[4:0]));
    end
    dealt_with: cover (drop && written);
    given: cover (ready && valid && kind == KIND_FETCH[1:0] && old_known && taken == 0);
  end
endmodule

`resetall
