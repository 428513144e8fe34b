`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// What of a record concerns the recorder (docs/replay.md). What hangs on the record alone, on phantom
// memory's word before it and on the registers is told in pieces, each in a flip-flop, as it is
// executed; in the clock after that they are put together.
module es_recorder_watch #(
  parameter ADDR_W = 32
) (
  input  wire              clk,

  // as executed
  input  wire              take,
  input  wire [1:0]        kind,
  input  wire [3:0]        lanes,
  input  wire [ADDR_W-1:8] upper,        // of the address
  input  wire [31:0]       data,
  input  wire [31:0]       insn,         // of a fetch, from its first byte on
  input  wire [31:0]       old,
  input  wire              known,

  // a clock later
  output wire              reads_clock,  // a fetch of an instruction that reads what changes by itself
  output wire              differs,      // phantom memory had other bytes in these lanes, or knew none
  input  wire [ADDR_W-1:1] place,        // address
  input  wire [ADDR_W-1:1] vector0,
  input  wire [ADDR_W-1:1] vector1,
  input  wire [7:1]        mask0,        // bits of a vector's address that count; the upper ones all do
  input  wire [7:1]        mask1,
  input  wire [ADDR_W-1:12] quiet0,      // in units of 4 KiB
  input  wire [ADDR_W-1:12] quiet1,
  input  wire [ADDR_W-1:12] quiet_mask0,
  input  wire [ADDR_W-1:12] quiet_mask1,
  input  wire [1:0]        no_vector,
  input  wire [1:0]        no_quiet,
  output wire [1:0]        in_vector,
  output wire              in_quiet
);
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;
  localparam PAIRS = (ADDR_W - 7) / 2; // of upper bits

  // pairs of bits that are not the same (of vectors: or there is none)
  reg  [15:0]        other;
  reg                unknown;
  reg  [PAIRS-1:0]   beyond0, beyond1;
  wire [2*PAIRS-1:0] bits0 = upper ^ vector0[ADDR_W-1:8];
  wire [2*PAIRS-1:0] bits1 = upper ^ vector1[ADDR_W-1:8];
  integer            i;

  always @(posedge clk) begin
    if (take) begin
      for (i = 0; i < 16; i = i + 1) other[i] <= data[2*i +: 2] != old[2*i +: 2];
      for (i = 0; i < 4; i = i + 1) if (!lanes[i]) other[4*i +: 4] <= 4'd0;
      for (i = 0; i < PAIRS; i = i + 1) begin
        beyond0[i] <= |bits0[2*i +: 2];
        beyond1[i] <= |bits1[2*i +: 2];
      end
      if (no_vector[0]) beyond0[0] <= 1'b1;
      if (no_vector[1]) beyond1[0] <= 1'b1;
      unknown <= !known;
    end
  end

  assign differs = unknown || |other;

  // csrr* of mcycle, minstret and their upper halves (B00, B02, B80, B82), of cycle, time, instret
  // and theirs (C00 to C02, C80 to C82), of mip (344)
  reg csr_access, counts_low, is_machine, is_user, is_pending;

  always @(posedge clk) begin
    if (take) begin
      csr_access <= kind == KIND_FETCH[1:0] && insn[6:0] == 7'b1110011 && insn[13:12] != 2'b00;
      counts_low <= insn[26:22] == 5'd0; // but for the half
      is_machine <= insn[31:28] == 4'hB && !insn[20];
      is_user    <= insn[31:28] == 4'hC && insn[21:20] != 2'b11;
      is_pending <= insn[31:20] == 12'h344;
    end
  end

  assign reads_clock = csr_access && (counts_low && (is_machine || is_user) || is_pending);

  assign in_vector[0] = beyond0 == 0 && ((place[7:1] ^ vector0[7:1]) & mask0) == 0;
  assign in_vector[1] = beyond1 == 0 && ((place[7:1] ^ vector1[7:1]) & mask1) == 0;
  assign in_quiet = !no_quiet[0] && ((place[ADDR_W-1:12] ^ quiet0) & quiet_mask0) == 0 ||
                    !no_quiet[1] && ((place[ADDR_W-1:12] ^ quiet1) & quiet_mask1) == 0;

  wire unused = &{1'b0, insn, place[11:8]};
endmodule

`resetall
