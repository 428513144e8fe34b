`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Bytes to command frames: undoes COBS while the bytes come in, checks the CRC and the length, and
// keeps one good frame for the loader to read byte by byte. What is no good frame is counted and
// forgotten; the next delimiter starts anew. While a frame waits for the loader, no byte is taken.
module es_deframer (
  input  wire        clk,
  input  wire        rst,

  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready,

  output reg         frame_valid,   // a good frame is in the buffer
  input  wire        frame_done,    // gives the buffer back
  input  wire [7:0]  frame_place,   // byte to be read, counted from 0
  output reg  [7:0]  frame_byte,    // that byte, one clock later

  output wire [31:0] bad            // frames dropped, saturating at 65535
);
  localparam [31:0] CRC_INIT = `ES_CRC_INIT;
  localparam [31:0] FRAME_MAX_WORDS = `ES_FRAME_MAX_WORDS;

  localparam [7:0] SIZE_MAX = FRAME_MAX_WORDS[5:0] * 8'd4 + 8'd2; // bytes, CRC included

  (* no_rw_check *) // read only while nothing is written
  reg  [7:0]  buffer [0:255];
  reg         started;    // a code byte has come since the delimiter
  reg         broken;     // too long
  reg  [7:0]  run;        // bytes that come before the next code byte
  reg  [7:0]  size;       // bytes of content so far
  reg  [7:0]  words;      // words after the first, as the first says
  reg  [15:0] crc;
  reg  [15:0] bad_count;

  wire        take = rx_byte_valid && rx_byte_ready;
  wire        delimiter = rx_byte == 0;
  wire        is_code = run == 0;
  wire        store = take && !delimiter && started;      // each code byte but the first is a zero
  wire [7:0]  content = is_code ? 8'd0 : rx_byte;
  wire [15:0] crc_next;
  wire [8:0]  words_told = {1'b0, words} + 9'd1; // the first one included
  wire        good = !broken && is_code && crc == 0 && size[1:0] == 2'd2 &&
                     {3'd0, size[7:2]} == words_told;

  es_crc16 crc16 (.crc(crc), .data(content), .crc_next(crc_next));

  assign rx_byte_ready = !frame_valid;
  assign bad           = {16'd0, bad_count};

  always @(posedge clk) begin
    if (store) buffer[size] <= content;
    frame_byte <= buffer[frame_place];
  end

  always @(posedge clk) begin
    if (frame_done) frame_valid <= 1'b0;
    if (take) begin
      if (delimiter) begin
        started     <= 1'b0;
        frame_valid <= started && good;
        if (started && !good && bad_count != 16'hFFFF) bad_count <= bad_count + 16'd1;
      end else begin
        started <= 1'b1;
        run     <= (is_code ? rx_byte : run) - 8'd1;
      end
    end
    if (rst) begin
      frame_valid <= 1'b0;
      bad_count   <= 16'd0;
      started     <= 1'b0;
    end
    if (rst || (take && delimiter)) run <= 8'd0;
  end

  always @(posedge clk) begin
    if (store) begin
      size <= size + 8'd1;
      crc  <= crc_next;
      if (size == 8'd1) words <= content;
      if (size == SIZE_MAX) broken <= 1'b1;
    end
    if (!started) begin
      size   <= 8'd0;
      crc    <= CRC_INIT[15:0];
      words  <= 8'd0;
      broken <= 1'b0;
    end
  end
endmodule

`resetall
