`resetall
`timescale 1ns/1ps
`default_nettype none

// CRC-16/CCITT-FALSE, one byte a step: polynomial 0x1021, most significant bit first, start value
// ES_CRC_INIT, no final XOR. Combinational.
//
// Sending: when the content has gone through, feed the CRC's own upper byte twice; each time, the
// upper byte is what to send (the step then shifts the lower byte up). Receiving: content and CRC
// together leave the remainder 0.
module es_crc16 (
  input  wire [15:0] crc,
  input  wire [7:0]  data,
  output wire [15:0] crc_next
);
  // x is what the polynomial is multiplied by: the usual closed form for eight steps of 0x1021.
  wire [7:0] t = crc[15:8] ^ data;
  wire [7:0] x = t ^ {4'b0000, t[7:4]};

  assign crc_next = {crc[7:0], 8'h00} ^ {x[3:0], 12'h000} ^ {3'b000, x, 5'b00000} ^ {8'h00, x};
endmodule

`resetall
