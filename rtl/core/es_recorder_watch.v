`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// What of a record concerns the recorder (docs/replay.md): no clocks, only what hangs on the record,
// on phantom memory's word before it, and on the registers.
module es_recorder_watch #(
  parameter ADDR_W = 32
) (
  // as executed
  input  wire [1:0]        kind,
  input  wire [3:0]        lanes,
  input  wire [31:0]       data,
  input  wire [31:0]       insn,         // of a fetch, from its first byte on
  input  wire [31:0]       old,
  input  wire              known,
  output wire              differs,      // phantom memory had other bytes in these lanes, or knew none
  output wire              reads_clock,  // a fetch of an instruction that reads what changes by itself

  // a clock later
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

  wire [3:0]  other;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : lane
      assign other[g] = lanes[g] && data[8*g +: 8] != old[8*g +: 8];
    end
  endgenerate

  assign differs = !known || |other;

  // csrr* of mcycle, minstret and their upper halves (B00, B02, B80, B82), of cycle, time, instret
  // and theirs (C00 to C02, C80 to C82), of mip (344)
  wire        csr_access = insn[6:0] == 7'b1110011 && insn[13:12] != 2'b00;
  wire        counts_low = insn[26:22] == 5'd0; // but for the half
  wire        is_machine = insn[31:28] == 4'hB && counts_low && !insn[20];
  wire        is_user = insn[31:28] == 4'hC && counts_low && insn[21:20] != 2'b11;
  wire        is_pending = insn[31:20] == 12'h344;

  assign reads_clock = kind == KIND_FETCH[1:0] && csr_access && (is_machine || is_user || is_pending);

  assign in_vector[0] = !no_vector[0] && place[ADDR_W-1:8] == vector0[ADDR_W-1:8] &&
                        ((place[7:1] ^ vector0[7:1]) & mask0) == 0;
  assign in_vector[1] = !no_vector[1] && place[ADDR_W-1:8] == vector1[ADDR_W-1:8] &&
                        ((place[7:1] ^ vector1[7:1]) & mask1) == 0;
  assign in_quiet = !no_quiet[0] && ((place[ADDR_W-1:12] ^ quiet0) & quiet_mask0) == 0 ||
                    !no_quiet[1] && ((place[ADDR_W-1:12] ^ quiet1) & quiet_mask1) == 0;

  wire unused = &{1'b0, insn};
endmodule

`resetall
