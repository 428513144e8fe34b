`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// What of a record concerns the recorder (docs/replay.md): no clocks, only what hangs on the record,
// on phantom memory's word before it, and on the registers.
module es_recorder_watch #(
  parameter ADDR_W     = 32,
  parameter COMPRESSED = 0
) (
  // as executed
  input  wire [1:0]        kind,
  input  wire [3:0]        lanes,
  input  wire [31:0]       data,
  input  wire              upper,        // a fetch from the middle of a word
  input  wire [31:0]       old,
  input  wire              known,
  output wire [31:0]       told,         // the lanes' bytes; upper: all, as the rest is in the lower ones
  output wire              differs,      // phantom memory had other bytes in these lanes, or knew none
  output wire              reads_clock,  // a fetch of an instruction that reads what changes by itself

  // a clock later
  input  wire [ADDR_W-2:0] place,        // address in halves of words
  input  wire [ADDR_W-2:0] vector0,
  input  wire [ADDR_W-2:0] vector0_mask,
  input  wire              vector0_none,
  input  wire [ADDR_W-2:0] vector1,
  input  wire [ADDR_W-2:0] vector1_mask,
  input  wire              vector1_none,
  input  wire [ADDR_W-3:0] quiet0,
  input  wire [ADDR_W-3:0] quiet0_mask,
  input  wire              quiet0_none,
  input  wire [ADDR_W-3:0] quiet1,
  input  wire [ADDR_W-3:0] quiet1_mask,
  input  wire              quiet1_none,
  output wire [1:0]        in_vector,
  output wire              in_quiet
);
  localparam [31:0] KIND_FETCH = `ES_KIND_FETCH;

  wire [31:0] bits = {{8{lanes[3] || upper}}, {8{lanes[2] || upper}}, {8{lanes[1] || upper}},
                      {8{lanes[0] || upper}}};
  wire [3:0]  other;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : lane
      assign other[g] = lanes[g] && data[8*g +: 8] != old[8*g +: 8];
    end
  endgenerate

  assign told    = data & bits;
  assign differs = !known || |other;

  // csrr* of mcycle, minstret and their upper halves (B00, B02, B80, B82), of cycle, time, instret
  // and theirs (C00 to C02, C80 to C82), of mip (344)
  wire [31:0] insn = COMPRESSED != 0 && upper ? {data[15:0], data[31:16]} : data;
  wire        csr_access = insn[6:0] == 7'b1110011 && insn[13:12] != 2'b00;
  wire        counts_low = insn[26:22] == 5'd0; // but for the half
  wire        is_machine = insn[31:28] == 4'hB && counts_low && !insn[20];
  wire        is_user = insn[31:28] == 4'hC && counts_low && insn[21:20] != 2'b11;
  wire        is_pending = insn[31:20] == 12'h344;

  assign reads_clock = kind == KIND_FETCH[1:0] && csr_access && (is_machine || is_user || is_pending);

  assign in_vector[0] = !vector0_none && ((place ^ vector0) & vector0_mask) == 0;
  assign in_vector[1] = !vector1_none && ((place ^ vector1) & vector1_mask) == 0;
  assign in_quiet = !quiet0_none && ((place[ADDR_W-2:1] ^ quiet0) & quiet0_mask) == 0 ||
                    !quiet1_none && ((place[ADDR_W-2:1] ^ quiet1) & quiet1_mask) == 0;

  wire unused = &{1'b0, insn};
endmodule

`resetall
