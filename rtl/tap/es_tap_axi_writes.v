`resetall
`timescale 1ns/1ps
`default_nettype none

// The writes that are under way on an AXI4 bus, for es_tap_axi: addresses (AW) and data (W), which
// come in any order but each in that of the writes, until B has answered. An answer is of the
// oldest write of its ID. A write that finds no room is not remembered, nor is any after it
// until all such have been answered; their answers are not known.
//
// `told` is in the clock of the answer, for what is to be told; with `known` the write keeps its
// place `slot`, if it is `taken`, and its beats are read by `step`, one by one: `at` and `data` are
// those of write `of`, or in the clock after `last`, or after one without `step`, the first ones of
// what was `following`.
module es_tap_axi_writes #(
  parameter ADDR_W      = 32,
  parameter ID_W        = 4,
  parameter OUTSTANDING = 4,  // a power of 2
  parameter BEATS       = 16, // of a write, a power of 2
  parameter SLOT_W      = $clog2(OUTSTANDING) // derived
) (
  input  wire              clk,
  input  wire              rst,
  input  wire              asks,    // handshake on AW
  input  wire [ID_W-1:0]   awid,
  input  wire [ADDR_W-1:0] awaddr,
  input  wire [7:0]        awlen,
  input  wire [1:0]        awsize,
  input  wire [1:0]        awburst,
  input  wire              awlock,
  input  wire              gives,   // handshake on W
  input  wire [31:0]       wdata,
  input  wire [3:0]        wstrb,
  input  wire              wlast,
  input  wire              answers, // handshake on B
  input  wire [ID_W-1:0]   bid,
  input  wire [1:0]        bresp,
  output wire              told,
  output wire              known,   // else it is told as missed
  output wire [SLOT_W-1:0] slot,
  input  wire              taken,
  input  wire              step,
  input  wire [SLOT_W-1:0] of,
  input  wire [SLOT_W-1:0] following,
  output wire              last,
  output wire [ADDR_W-3:0] at,      // the word
  output reg  [35:0]       data     // strobes, data
);
  initial begin
    if (BEATS < 2 || BEATS > 256 || (BEATS & (BEATS - 1)) != 0) begin
      $error("es_tap_axi: BEATS must be a power of 2, 2 to 256");
    end
  end

  localparam BEAT_W = $clog2(BEATS);
  localparam [31:0] MOST = BEATS;
  localparam BEYOND_W = 8; // writes that are not remembered, at most; more of them stay missed for good

  reg [OUTSTANDING-1:0] busy;                    // places; until its beats have been read
  reg [ID_W-1:0]        id    [0:OUTSTANDING-1];
  reg [ADDR_W-1:0]      addr  [0:OUTSTANDING-1];
  reg [12:0]            shape [0:OUTSTANDING-1]; // exclusive, len, size, burst
  reg [35:0]            beats [0:OUTSTANDING*BEATS-1];

  // those that are not answered, the oldest one first, no gaps: where each is, and what has come
  reg [OUTSTANDING-1:0] listed, has_addr, has_data;
  reg [SLOT_W-1:0]      list [0:OUTSTANDING-1];

  reg  [BEYOND_W-1:0] over_data, over_addr; // not remembered, and whose data, or address, is to come
  reg  [BEYOND_W-1:0] beyond;               // and whose answer is
  reg                 midway, left_out;     // a burst's data goes on, and is not remembered
  reg  [BEAT_W-1:0]   w_beat;
  reg  [SLOT_W-1:0]   w_now;

  // ---- whose address, data and answer is next; and a place that is free ----
  reg               addr_due, data_due, found, space;
  reg  [SLOT_W-1:0] addr_row, data_row, which_row, free;
  integer k;
  always @* begin
    addr_due = 1'b0;
    data_due = 1'b0;
    found = 1'b0;
    space = 1'b0;
    addr_row = {SLOT_W{1'b0}};
    data_row = {SLOT_W{1'b0}};
    which_row = {SLOT_W{1'b0}};
    free = {SLOT_W{1'b0}};
    for (k = OUTSTANDING - 1; k >= 0; k = k - 1) begin
      if (listed[k] && !has_addr[k]) begin
        addr_due = 1'b1;
        addr_row = k[SLOT_W-1:0];
      end
      if (listed[k] && !has_data[k]) begin
        data_due = 1'b1;
        data_row = k[SLOT_W-1:0];
      end
      if (listed[k] && has_addr[k] && id[list[k]] == bid) begin
        found = 1'b1;
        which_row = k[SLOT_W-1:0];
      end
      if (!busy[k]) begin
        space = 1'b1;
        free = k[SLOT_W-1:0];
      end
    end
  end
  wire [SLOT_W-1:0] which = list[which_row];

  // a write is new where its address or its data comes first, or both
  wire room      = space && beyond == 0;
  wire new_addr  = asks && !addr_due && over_addr == 0;
  wire begins    = gives && !midway;
  wire new_data  = begins && !data_due && over_data == 0;
  wire new_one   = (new_addr || new_data) && room;
  wire new_over  = (new_addr || new_data) && !room;
  wire addr_here = asks && addr_due || new_addr && room;
  wire data_here = begins && data_due || new_data && room;
  wire stored    = begins ? data_here : gives && !left_out;
  wire [SLOT_W-1:0] addr_to = addr_due ? list[addr_row] : free;
  wire [SLOT_W-1:0] data_to = !begins ? w_now : data_due ? list[data_row] : free;
  wire [BEAT_W-1:0] beat = begins ? {BEAT_W{1'b0}} : w_beat;

  // ---- the answer ----
  wire              exclusive;
  wire [7:0]        len;
  wire [3:0]        unused_shape;
  assign {exclusive, len, unused_shape} = shape[which];
  wire              none = answers && !found;
  wire              made = !bresp[1] && !(exclusive && bresp == 2'd0);
  assign told  = none || answers && made;
  assign known = found && {24'd0, len} < MOST;
  assign slot  = which;
  wire              over_ends = none && beyond != 0;

  // ---- its beats ----
  reg  [BEAT_W-1:0] told_beat;
  reg  [ADDR_W-1:0] told_addr; // of it, but for the first one
  wire              told_exclusive;
  wire [7:0]        told_len;
  wire [1:0]        size, burst;
  wire [3:0]        lanes;
  wire [ADDR_W-1:0] now = told_beat == 0 ? addr[of] : told_addr, next;
  assign {told_exclusive, told_len, size, burst} = shape[of];
  es_tap_axi_next #(.ADDR_W(ADDR_W)) walk (
    .addr(now), .size(size), .len(told_len), .burst(burst), .next(next), .lanes(lanes)
  );
  assign at   = now[ADDR_W-1:2];
  assign last = told_beat == told_len[BEAT_W-1:0];
  wire                     goes_on = step && !last;
  wire [SLOT_W+BEAT_W-1:0] read_at = goes_on ? {of, told_beat + 1'b1} : {following, {BEAT_W{1'b0}}};

  always @(posedge clk) begin
    if (stored) beats[{data_to, beat}] <= {wstrb, wdata};
    data <= beats[read_at];
  end

  // ---- they move up ----
  wire                   ends = answers && found;
  wire [OUTSTANDING-1:0] one = {{(OUTSTANDING - 1){1'b0}}, 1'b1};
  wire [OUTSTANDING-1:0] below = (one << which_row) - one; // which are older
  wire [OUTSTANDING-1:0] addr_now = has_addr | (asks && addr_due ? one << addr_row : {OUTSTANDING{1'b0}});
  wire [OUTSTANDING-1:0] data_now = has_data | (begins && data_due ? one << data_row : {OUTSTANDING{1'b0}});
  wire [OUTSTANDING-1:0] kept = ends ? listed >> 1 : listed;
  wire [OUTSTANDING-1:0] kept_addr = ends ? addr_now & below | addr_now >> 1 & ~below : addr_now;
  wire [OUTSTANDING-1:0] kept_data = ends ? data_now & below | data_now >> 1 & ~below : data_now;
  wire [OUTSTANDING-1:0] tail = ~kept & (kept << 1 | one);

  integer n;
  always @(posedge clk) begin
    listed   <= new_one ? kept | tail : kept;
    has_addr <= (kept_addr & ~tail) | (new_one && new_addr ? tail : {OUTSTANDING{1'b0}});
    has_data <= (kept_data & ~tail) | (new_one && new_data ? tail : {OUTSTANDING{1'b0}});
    for (n = 0; n < OUTSTANDING; n = n + 1) begin
      if (tail[n]) list[n] <= free;
      else if (ends && !below[n]) list[n] <= list[(n + 1) % OUTSTANDING];
    end
    if (new_one) busy[free] <= 1'b1;
    if (step) begin
      told_addr <= next;
      told_beat <= last ? {BEAT_W{1'b0}} : told_beat + 1'b1;
      if (last) busy[of] <= 1'b0;
    end
    if (ends && (!made || !known || !taken)) busy[which] <= 1'b0;
    if (addr_here) begin
      id[addr_to]    <= awid;
      addr[addr_to]  <= awaddr;
      shape[addr_to] <= {awlock, awlen, awsize, awburst};
    end
    if (gives) begin
      midway   <= !wlast;
      left_out <= !stored;
      w_now    <= data_to;
      // what a write has more of than there is room for goes to its last place, and is not told
      w_beat   <= &beat ? beat : beat + 1'b1;
    end
    over_data <= over_data + {{(BEYOND_W - 1){1'b0}}, new_over && new_addr && !new_data} -
                 {{(BEYOND_W - 1){1'b0}}, begins && !data_due && over_data != 0};
    over_addr <= over_addr + {{(BEYOND_W - 1){1'b0}}, new_over && new_data && !new_addr} -
                 {{(BEYOND_W - 1){1'b0}}, asks && !addr_due && over_addr != 0};
    if (new_over && !over_ends && !(&beyond)) beyond <= beyond + 1'b1;
    if (over_ends && !new_over && !(&beyond)) beyond <= beyond - 1'b1;
    if (rst) begin
      busy      <= {OUTSTANDING{1'b0}};
      listed    <= {OUTSTANDING{1'b0}};
      over_data <= {BEYOND_W{1'b0}};
      over_addr <= {BEYOND_W{1'b0}};
      beyond    <= {BEYOND_W{1'b0}};
      midway    <= 1'b0;
      told_beat <= {BEAT_W{1'b0}};
    end
  end

  wire unused = &{1'b0, lanes, told_exclusive, told_len, unused_shape};
endmodule

`resetall
