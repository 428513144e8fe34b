`resetall
`timescale 1ns/1ps
`default_nettype none

// The reads that are under way on an AXI4 bus, for es_tap_axi: each beat on R, with its place. A
// beat is of the oldest read of its ID. One that finds no room is not remembered, nor is any after
// it until all such have ended; their beats are not known.
module es_tap_axi_reads #(
  parameter ADDR_W      = 32,
  parameter ID_W        = 4,
  parameter OUTSTANDING = 4 // a power of 2
) (
  input  wire              clk,
  input  wire              rst,
  input  wire              asks,    // handshake on AR
  input  wire [ID_W-1:0]   arid,
  input  wire [ADDR_W-1:0] araddr,
  input  wire [7:0]        arlen,
  input  wire [1:0]        arsize,
  input  wire [1:0]        arburst,
  input  wire              arfetch,
  input  wire              answers, // handshake on R
  input  wire [ID_W-1:0]   rid,
  input  wire              rlast,
  output wire              beat,
  output wire              known,
  output wire              fetch,
  output wire [ADDR_W-3:0] at,      // the word
  output wire [3:0]        lanes
);
  initial begin
    if (OUTSTANDING < 2 || OUTSTANDING > 16 || (OUTSTANDING & (OUTSTANDING - 1)) != 0) begin
      $error("es_tap_axi: OUTSTANDING must be a power of 2, 2 to 16");
    end
  end

  localparam SLOT_W = $clog2(OUTSTANDING);
  localparam BEYOND_W = 8; // reads that are not remembered, at most; more of them stay missed for good

  localparam ROW_W = ID_W + 13 + ADDR_W;

  reg [OUTSTANDING-1:0] busy;                    // the oldest one in place 0, no gaps
  reg [ROW_W-1:0]       rows [0:OUTSTANDING-1];  // ID; fetch, len, size, burst; address of its next beat
  reg [BEYOND_W-1:0]    beyond;

  // ---- the oldest one of this ID ----
  reg              found;
  reg [SLOT_W-1:0] which;
  integer k;
  always @* begin
    found = 1'b0;
    which = {SLOT_W{1'b0}};
    for (k = OUTSTANDING - 1; k >= 0; k = k - 1) begin
      if (busy[k] && rows[k][ROW_W-1 -: ID_W] == rid) begin
        found = 1'b1;
        which = k[SLOT_W-1:0];
      end
    end
  end

  wire [ID_W-1:0]   its_id;
  wire [7:0]        len;
  wire [1:0]        size, burst;
  wire [ADDR_W-1:0] now, next;
  assign {its_id, fetch, len, size, burst, now} = rows[which];
  es_tap_axi_next #(.ADDR_W(ADDR_W)) walk (
    .addr(now), .size(size), .len(len), .burst(burst), .next(next), .lanes(lanes)
  );

  assign beat  = answers;
  assign known = found;
  assign at    = now[ADDR_W-1:2];

  // ---- they move up ----
  wire                   ends = answers && found && rlast;
  wire [OUTSTANDING-1:0] kept = ends ? busy >> 1 : busy;
  wire [OUTSTANDING-1:0] one = {{(OUTSTANDING - 1){1'b0}}, 1'b1};
  wire [OUTSTANDING-1:0] its = one << which;
  wire [OUTSTANDING-1:0] below = its - one; // which are older
  wire                   takes = asks && !kept[OUTSTANDING-1] && beyond == 0;
  wire                   over = asks && !takes;
  wire                   over_ends = answers && !found && rlast && beyond != 0;
  integer n;
  always @(posedge clk) begin
    busy <= takes ? kept << 1 | one : kept;
    for (n = 0; n < OUTSTANDING; n = n + 1) begin
      if (!kept[n]) rows[n] <= {arid, arfetch, arlen, arsize, arburst, araddr};
      else if (ends && !below[n]) rows[n] <= rows[(n + 1) % OUTSTANDING];
      else if (answers && found && its[n]) rows[n][ADDR_W-1:0] <= next;
    end
    if (over && !over_ends && !(&beyond)) beyond <= beyond + 1'b1;
    if (over_ends && !over && !(&beyond)) beyond <= beyond - 1'b1;
    if (rst) begin
      busy   <= {OUTSTANDING{1'b0}};
      beyond <= {BEYOND_W{1'b0}};
    end
  end

  wire unused = &{1'b0, its_id};
endmodule

`resetall
