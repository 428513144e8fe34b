`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The tracker deals with hits that leave nothing to be done but to note them, beside the soft core
// and in four clocks each: plain calls and returns, which move the shadow stack's top and NP;
// return points that are come to otherwise; and writes whose value alone says that no statement is
// true. What it may deal with, bit 0 of the hit's cell says (interface/image.h: ES_MI_PLAIN,
// ES_MI_FILTERED). Everything else, and each of these that turns out to be more, stays at the head
// of the queue for the soft core, untouched.
//
// It works only while the soft core asks for a hit by HIT_NEXT, or sleeps after it has done so. So
// hits are dealt with one after the other, in their order, by one or the other. The monitor's state
// is in the soft core's registers (interface/image.h): the tracker has copies of those that it
// needs, keeps them up by listening to the soft core's writes, and writes what it has changed into
// the registers before the soft core is answered.
//
// clocks  0: the cell is asked for, and NP's node  1: what the cell leads to  2: and what that leads
// to  3: done
module es_tracker #(
  parameter ADDR_W   = 32, // bits of the target's byte address
  parameter MEM_LOG2 = 16  // soft core memory: log2 of bytes
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                on,           // firmware lets it work
  input  wire                nodes,        // NP 0 means that it is not known

  // hit at the head of the queue, with its cell
  input  wire                hit_valid,
  input  wire [1:0]          hit_kind,
  input  wire [3:0]          hit_lanes,
  input  wire                hit_old_known,
  input  wire [31:0]         hit_old,
  input  wire [31:0]         hit_new,
  input  wire [ADDR_W-2:0]   hit_addr,     // in halves of words
  input  wire [ADDR_W-2:0]   hit_pc,
  input  wire [31:0]         hit_cell,     // REG_HIT_CELL
  input  wire                hit_pop,      // by the soft core
  output wire                drop,         // the hit has been dealt with

  // one that comes to the head with this clock's end, where there is none
  input  wire                coming,
  input  wire [1:0]          coming_kind,
  input  wire                coming_old_known,
  input  wire [31:0]         coming_old,
  input  wire [31:0]         coming_cell,

  // soft core
  input  wire                may,          // it waits for a hit, and nothing else of it goes on
  input  wire                reg_write,    // it writes to a register
  input  wire [4:0]          reg_number,
  input  wire [31:0]         reg_value,
  output wire                put,          // the tracker does; only while `may`
  output wire [4:0]          put_number,
  output wire [31:0]         put_value,
  output wire                busy,         // there is something to do before the soft core is answered
  output wire                at_work,      // early: it is, and the soft core is not answered
  output wire                ready,        // the hit is for the soft core, which can be answered

  // memory, by two ports: data come in the clock after. Nobody else uses the second one in a clock
  // of `node_en` or `wr_en`.
  output reg                 rd_en,
  output reg  [MEM_LOG2-3:0] rd_index,
  input  wire [31:0]         rd_data,
  output wire                node_near, // early: node_en in this clock, if `may`; once only, then
  output wire                node_en,
  output wire [MEM_LOG2-3:0] node_index,
  input  wire [31:0]         node_data,
  output wire                wr_en,
  output wire [MEM_LOG2-3:0] wr_index,
  output wire [31:0]         wr_data
);
  localparam [31:0] KIND_WRITE = `ES_KIND_WRITE, KIND_FETCH = `ES_KIND_FETCH,
    IMAGE_BASE = `ES_IMAGE_BASE, RETURN = `ES_SITE_RETURN,
    MRET = `ES_RV32_MRET;
  localparam [31:0] CALL_MASK = `ES_RV32_CALL_MASK, CALL_BITS = `ES_RV32_CALL_BITS,
    RETURN_MASK = `ES_RV32_RETURN_MASK, RETURN_BITS = `ES_RV32_RETURN_BITS;
  localparam [31:0] S_TOP = `ES_MI_REG_TOP, S_KNOWN = `ES_MI_REG_KNOWN, S_END = `ES_MI_REG_END,
    S_NP = `ES_MI_REG_NP, S_DISTANCE = `ES_MI_REG_DISTANCE;

  initial begin
    if (ADDR_W < 10 || ADDR_W > 32 || MEM_LOG2 < 10 || MEM_LOG2 > 16) begin
      $error("es_tracker: illegal parameter");
    end
  end

  // ---- the soft core's registers ----
  // What it writes comes late in a clock: it is kept (heard), and copied in the next one.
  reg  [15:0] heard_value;
  reg  [4:0]  heard;     // one hot: which of the copies the value is for, if any
  localparam TOP = 0, KNOWN = 1, END = 2, NP = 3, DISTANCE = 4;
  reg  [15:0] top_copy, known_copy, end_copy, np_copy;
  reg  [2:0]  distance_copy;
  // of the shadow stack: address of its first free entry; below the second the host's copy of the
  // path is the same
  wire [15:0] top       = heard[TOP] ? heard_value : top_copy;
  wire [15:0] known     = heard[KNOWN] ? heard_value : known_copy;
  wire [15:0] stack_end = heard[END] ? heard_value : end_copy;
  wire [15:0] np        = heard[NP] ? heard_value : np_copy;       // es_mi_node, or 0
  wire [2:0]  register_distance = heard[DISTANCE] ? heard_value[2:0] : distance_copy;
  wire        plain = register_distance == RETURN[2:0]; // returns go to where calls say
  reg         top_new;   // not yet in the soft core's registers
  reg         known_new;
  reg         np_new;

  // ---- what the hit is ----
  localparam LOOK = 0, CELL = 1, FIRST = 2, SECOND = 3;
  reg  [3:0]  state;     // one hot
  reg         theirs;    // the hit is for the soft core
  reg         calls;     // what the cell has said: a call,
  reg         returns;   // a return,
  reg         narrow;    // a write, with lanes and width in its filter
  reg  [15:0] entry;     // es_mi_procedure of a call; where a write's code begins
  reg  [31:0] first;     // what was read in state FIRST
  reg         node_read; // np's words arrive
  reg         node_old;  // they have to be read
  reg  [15:0] row;       // of np
  reg  [15:0] other;

  wire        is_write   = hit_kind == KIND_WRITE[1:0];
  wire        is_fetch   = hit_kind == KIND_FETCH[1:0];
  wire        is_call    = (hit_old & CALL_MASK) == CALL_BITS;
  wire        is_return  = (hit_old & RETURN_MASK) == RETURN_BITS;
  wire [1:0]  look_kind  = hit_valid ? hit_kind : coming_kind;
  wire [31:0] look_cell  = hit_valid ? hit_cell : coming_cell;
  wire        evidence   = hit_valid ? hit_old_known && hit_old != MRET :
                                       coming_old_known && coming_old != MRET;
  wire        looks      = on && (look_kind == KIND_WRITE[1:0] ? !look_cell[31] :
                                  look_kind == KIND_FETCH[1:0] && evidence);
  wire [31:0] address    = {{(32 - ADDR_W){1'b0}}, hit_addr, 1'b0};
  wire [31:0] site       = {{(32 - ADDR_W){1'b0}}, hit_pc, 1'b0};

  // ---- cells ----
  wire [15:0] cell_first  = {rd_data[15:1], 1'b0};
  wire [15:0] cell_second = {rd_data[31:17], 1'b0};
  wire        begins      = cell_first >= IMAGE_BASE[15:0];  // a procedure begins there
  wire        comes_back  = cell_second >= IMAGE_BASE[15:0]; // it is a return point
  wire        marked      = is_write ? rd_data[0] : rd_data[16];

  // ---- writes in parts of words with a filter ----
  // What was begun may be pending in the image's memory, and a write of the whole word forgets it:
  // so such words' writes are the soft core's from then on, with all that share a bit with them.
  reg  [15:0] parts;
  wire [3:0]  part = address[5:2];

  // ---- filters: the value's distance from the lowest that counts (es_mi_filter) ----
  wire [31:0] distance_all = hit_new - first;
  wire [15:0] field        = first[25] ? hit_new[31:16] : hit_new[15:0];
  wire [7:0]  byte_field   = first[24] ? field[15:8] : field[7:0];
  wire [15:0] distance_two = field - first[15:0];
  wire [7:0]  distance_one = byte_field - first[7:0];
  // (chosen before it is compared, by one chain of carries: the span has just been read, and comes
  // later. Of a narrow field's span nothing is above 16 or 8 bits, or no value counts)
  wire [31:0] distance     = !narrow ? distance_all : first[26] ? {16'd0, distance_two} :
                             {24'd0, distance_one};
  wire        above        = distance > rd_data;
  wire [3:0]  lanes        = !narrow ? 4'hF : first[31:28];
  wire        whole        = (hit_lanes & lanes) == lanes;
  wire        untrue       = above && whole && !parts[part] && !(nodes && np == 0);

  // ---- returns: the innermost call's site ----
  reg  [31:0] awaited_site;
  wire        awaited = first == awaited_site;

  // ---- what happens ----
  wire        look    = state[LOOK] && may && (hit_valid ? !theirs : coming);
  wire        go      = look && looks;
  wire        no      = look && !looks;
  wire        called  = state[CELL] && marked && is_fetch && is_call && begins && top != stack_end;
  wire        back    = state[CELL] && marked && is_fetch && is_return && comes_back && plain;
  wire        wrote   = state[CELL] && marked && is_write;
  wire        nothing = state[CELL] && marked && is_fetch &&
                        (is_call ? !begins : is_return ? !comes_back : !begins);
  wire        gives_up = state[CELL] && !called && !back && !wrote && !nothing ||
                         state[SECOND] && !calls && (returns ? !awaited : !untrue);
  wire        moves   = state[SECOND] && (calls || returns && awaited);
  wire        done    = moves || state[SECOND] && !calls && !returns && untrue;

  wire [15:0] column  = first[15:0];       // of the procedure; in FIRST it arrives
  wire [15:0] moved   = np == 0 ? 16'd0 :
                        column == 0 || rd_data[15:0] != np ? other : rd_data[31:16];
  wire [15:0] np_next = calls ? moved : rd_data[31:16];
  wire [15:0] top_next = calls ? top + 16'd8 : top - 16'd8;

  assign drop  = nothing || done;
  assign ready = theirs;
  assign at_work = !state[LOOK];
  assign busy  = !state[LOOK] || top_new || known_new || np_new ||
                 hit_valid && !theirs;

  // ---- memory ----
  // An address is what is known early plus what has just been read: block RAM gives that late, and
  // the memory is wide. So it passes one choice and one adder, and nothing is chosen after that.
  wire        add_second = state[CELL] && is_write;
  wire        add_first  = state[CELL] && !is_write && is_call;
  wire        add_column = state[FIRST] && calls;
  wire [15:0] rd_added   = {16{add_second}} & cell_second | {16{add_first || add_column}} &
                           {rd_data[15:1], rd_data[0] && add_column};
  reg  [15:0] rd_base;
  wire [15:0] rd_address = rd_base + rd_added;
  always @* begin
    rd_en = 1'b1;
    case (1'b1)
      state[CELL]:   rd_base = is_write ? -16'd4 : is_call ? 16'd8 : top - 16'd8;
      state[FIRST]:  rd_base = calls ? row : returns ? top - 16'd4 : entry - 16'd8;
      default: begin
        rd_base = look_cell[15:0];
        rd_en   = go;
      end
    endcase
    rd_index = rd_address[MEM_LOG2-1:2];
  end

  wire [15:0] node_address = np + 16'd4;
  assign node_near  = on && state[LOOK] && node_old && (hit_valid ? !theirs : coming);
  assign node_en    = go && node_old;
  assign node_index = node_address[MEM_LOG2-1:2];

  assign wr_en    = (state[FIRST] || state[SECOND]) && calls;
  wire [15:0] wr_address = state[FIRST] ? top : top + 16'd4;
  assign wr_index = wr_address[MEM_LOG2-1:2];
  assign wr_data  = state[FIRST] ? site : {np, entry};

  // ---- the soft core's registers, written while it waits ----
  assign put        = may && (top_new || known_new || np_new);
  assign put_number = top_new ? S_TOP[4:0] : np_new ? S_NP[4:0] : S_KNOWN[4:0];
  assign put_value  = {16'd0, top_new ? top : np_new ? np : known};

  always @(posedge clk) begin
    node_read <= 1'b0;
    if (node_read) {other, row} <= node_data;
    if (put) begin
      if (top_new) top_new <= 1'b0;
      else if (np_new) np_new <= 1'b0;
      else known_new <= 1'b0;
    end

    state <= 0;
    state[LOOK] <= state[LOOK] && !go || nothing || gives_up || done;
    state[CELL] <= go;
    state[FIRST]  <= called || back || wrote;
    state[SECOND] <= state[FIRST];
    if (node_en) begin
      node_read <= 1'b1;
      node_old  <= 1'b0;
    end
    if (state[CELL]) begin
      calls   <= called;
      returns <= back;
      narrow  <= rd_data[16];
      awaited_site <= address - RETURN;
      entry   <= called ? cell_first + 16'd4 : cell_second;
    end
    if (state[FIRST]) first <= rd_data;
    if (state[SECOND] && !calls && !returns && !whole && |(hit_lanes & lanes)) parts[part] <= 1'b1;
    top_copy      <= top;
    known_copy    <= known;
    end_copy      <= stack_end;
    np_copy       <= np;
    distance_copy <= register_distance;
    if (moves) begin
      top_copy <= top_next;
      top_new <= 1'b1;
      np_copy <= np_next;
      np_new  <= 1'b1;
      node_old  <= 1'b1;
      if (returns && top_next < known) begin
        known_copy <= top_next;
        known_new  <= 1'b1;
      end
    end
    if (hit_pop || drop) theirs <= 1'b0;
    else if (no || gives_up) theirs <= 1'b1;

    heard_value <= reg_value[15:0];
    heard[TOP]      <= reg_write && reg_number == S_TOP[4:0];
    heard[KNOWN]    <= reg_write && reg_number == S_KNOWN[4:0];
    heard[END]      <= reg_write && reg_number == S_END[4:0];
    heard[NP]       <= reg_write && reg_number == S_NP[4:0];
    heard[DISTANCE] <= reg_write && reg_number == S_DISTANCE[4:0];
    if (reg_write && reg_number == S_NP[4:0]) node_old <= 1'b1;
    if (!on) parts <= 16'd0;
    if (rst) begin
      state     <= 1 << LOOK;
      theirs    <= 1'b0;
      node_read <= 1'b0;
      node_old  <= 1'b1;
      top_new   <= 1'b0;
      known_new <= 1'b0;
      np_new    <= 1'b0;
    end
  end

  wire unused = &{1'b0, look_cell[30:16], IMAGE_BASE[31:16], reg_value[31:16], rd_address,
                   wr_address, node_address};
endmodule

`resetall
