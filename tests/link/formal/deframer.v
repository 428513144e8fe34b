`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_deframer: after each delimiter a frame is there if and only if the bytes since the delimiter before were the COBS of one: with a CRC
// that is right, as long as its first word says, of FRAME_MAX_WORDS words at most. All others are counted, and nothing else is. Meanwhile no byte is
// taken. PLACE: this byte of the content is read back as it came, for as long as the frame is there.
module deframer_proof #(
  parameter PLACE = 0,
  parameter CLAIM = 0 // 1: instead, that there is never a good frame after a bad one: to be refuted
) (
  input wire       clk,
  input wire [7:0] rx_byte,
  input wire       rx_byte_valid,
  input wire       frame_done
);
  localparam [31:0] MAX_BYTES = 32'd62 * 4 + 2; // docs/link.md: 1 to 62 words, then two bytes of CRC

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        rx_byte_ready, frame_valid;
  wire [7:0]  frame_byte;
  wire [31:0] bad;

  es_deframer deframer (
    .clk(clk), .rst(rst), .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready),
    .frame_valid(frame_valid), .frame_done(frame_done), .frame_place(PLACE[7:0]), .frame_byte(frame_byte), .bad(bad)
  );

  // ---- what the bytes mean: one bit of the CRC after the other, and counts that do not wrap where it matters ----
  function [15:0] crc_of(input [15:0] crc, input [7:0] data);
    integer i;
    begin
      crc_of = crc;
      for (i = 7; i >= 0; i = i - 1) crc_of = {crc_of[14:0], 1'b0} ^ (crc_of[15] ^ data[i] ? 16'h1021 : 16'h0000);
    end
  endfunction

  reg         any = 0;      // bytes since the delimiter
  reg  [7:0]  left = 0;     // bytes until the next code
  reg  [9:0]  count = 0;    // bytes of content; stops at 1023
  reg  [7:0]  words = 0;    // that follow the first one, as that says
  reg  [15:0] crc;
  reg  [7:0]  kept;
  reg         there = 0, there_before = 0, kept_before = 0;
  reg  [15:0] bads = 0;
  reg  [1:0]  good_ones = 0;

  wire        take = rx_byte_valid && rx_byte_ready && !rst;
  wire        code = left == 0;
  wire [7:0]  value = code ? 8'd0 : rx_byte;
  wire        content = take && rx_byte != 0 && any;
  wire        whole = code && crc == 0 && count <= MAX_BYTES && count == {words, 2'b00} + 6;

  always @(posedge clk) begin
    there_before <= there && frame_valid;
    if (frame_done) there <= 0;
    if (take && rx_byte == 0) begin
      any <= 0;
      left <= 0;
      there <= any && whole;
      if (any && whole && good_ones != 3) good_ones <= good_ones + 1'b1;
      if (any && !whole && bads != 16'hFFFF) bads <= bads + 1'b1;
    end else if (take) begin
      any <= 1;
      left <= (code ? rx_byte : left) - 8'd1;
      if (any) begin
        if (count != 10'd1023) count <= count + 1'b1;
        crc <= crc_of(crc, value);
        if (count == 1) words <= value;
        if (count == PLACE) kept <= value;
      end
    end
    if (!any) begin
      count <= 0;
      crc <= 16'hFFFF;
      words <= 0;
    end
    if (rst) begin
      any <= 0;
      left <= 0;
      there <= 0;
    end
  end

  always @(posedge clk) begin
    if (!rst) begin
      // frame_done comes while a frame is there
      if (PLACE == 0 && CLAIM == 0) begin
        a_frame: assert (frame_valid == there);
        all_counted: assert (bad == {16'd0, bads});
        none_taken: assert (rx_byte_ready == !frame_valid);
      end
      same_byte: assert (CLAIM == 1 || !(there_before && frame_valid) || PLACE >= count || frame_byte == kept);
    end
    if (CLAIM == 1) reached: assert (!(good_ones == 1 && bads == 1));
  end
  always @(*) assume (!frame_done || frame_valid);
endmodule

`resetall
