`resetall
`timescale 1ns/1ps
`default_nettype none

// The address of a burst's next beat on an AXI4 bus of 32 bits, and which bytes a beat at `addr`
// may concern; bit i is the byte at address 4n + i.
//
// Source: AMBA AXI and ACE Protocol Specification (ARM IHI 0022E), A3.4.1.
module es_tap_axi_next #(
  parameter ADDR_W = 32
) (
  input  wire [ADDR_W-1:0] addr,  // of a beat; of the first one it need not be aligned
  input  wire [1:0]        size,  // AxSIZE: 2^size bytes a beat, 4 at most
  input  wire [7:0]        len,   // AxLEN: beats - 1
  input  wire [1:0]        burst, // AxBURST: 0 FIXED, 1 INCR, 2 WRAP
  output wire [ADDR_W-1:0] next,
  output wire [3:0]        lanes
);
  wire [1:0]        low     = {size[1], |size}; // bits of an address within a beat
  wire [ADDR_W-1:0] aligned = {addr[ADDR_W-1:2], addr[1:0] & ~low};
  wire [ADDR_W-1:0] after   = aligned + {{(ADDR_W - 3){1'b0}}, size[1], size[1:0] == 2'd1, size == 2'd0};
  // a WRAP burst has 2, 4, 8 or 16 beats, and stays within that many times its size
  wire [5:0]        all     = {len[3:0], 2'b11} >> (2'd2 - size);
  wire [5:0]        kept    = burst == 2'd2 ? ~all : 6'd0;

  assign next = burst == 2'd0 ? addr :
                {burst == 2'd2 ? addr[ADDR_W-1:6] : after[ADDR_W-1:6],
                 addr[5:0] & kept | after[5:0] & ~kept};
  assign lanes = (4'b1111 << addr[1:0]) & (size[1] ? 4'b1111 : size[0] ? 4'b0011 << {addr[1], 1'b0} :
                                           4'b0001 << addr[1:0]);

  wire unused = &{1'b0, len[7:4]};
endmodule

`resetall
