`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_framer: what comes out are COBS frames, each with one zero after it, of just the content that went in and its CRC. Frames of each kind,
// events' and responses', come out once each and in order; a byte that waits stands. With a reader that is always ready, no byte is long in coming;
// idle is said when nothing is in between. EVENTS frames of WORDS words go in at most, and RESPONSES responses of BYTES bytes, at any clocks and with
// any content (of the first event, in some of its bits). (Which frames get into the event queue is event_queue.v's.)
module framer_proof #(
  parameter EVENTS    = 1,
  parameter WORDS     = 1,
  parameter RESPONSES = 1,
  parameter BYTES     = 4,
  parameter STALLS    = 1, // 0: the reader is always ready
  parameter STEP      = 1, // es_framer's
  parameter CLAIM     = 0  // 1: instead, that not all of it comes out: to be refuted
) (
  input wire clk,
  input wire pushes,
  input wire answers,
  input wire reads
);
  localparam EVENT_LENGTH = 4 * WORDS, LONGEST = EVENT_LENGTH > BYTES ? EVENT_LENGTH : BYTES;
  localparam SLOW = LONGEST + 12; // clocks, at most, in which a ready reader gets nothing of what is there

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  // ---- what goes in; the first byte says which kind it is ----
  (* anyconst *) reg [8*LONGEST-1:0] event_first, event_second, response_first, response_second;
  reg  [1:0] events = 0, responses = 0;  // that are in
  reg  [1:0] pushed = 0;                 // words of the frame being built
  reg  [3:0] answered = 0;               // bytes of the response
  reg        offered = 0;                // a byte of it that was not taken stands

  wire [8*LONGEST-1:0] event_in = events == 0 ? event_first : event_second;
  wire [8*LONGEST-1:0] response_in = responses == 0 ? response_first : response_second;
  wire       ev_push = !rst && pushes && events != EVENTS && pushed != WORDS;
  wire       ev_end = !rst && pushes && pushed == WORDS;
  wire       rsp_valid = !rst && (answers || offered) && responses != RESPONSES;
  wire       rsp_last = answered == BYTES - 1;
  wire       tx_byte_ready = reads || STALLS == 0;
  wire       rsp_ready, idle, tx_byte_valid;
  wire [7:0] tx_byte;
  wire [15:0] ev_room;

  always @(*) begin
    assume (!event_first[7] && !event_second[7] && response_first[7] && response_second[7]);
    // less of an event is free, for the solver's sake: the CRC of all is hard
    assume (event_first[6:1] == 0 && event_first[23:16] == 0);
    assume (event_first[15:8] == WORDS - 1 && event_second[15:8] == WORDS - 1);
  end

  es_framer #(.EVQ_LOG2(6), .STEP(STEP)) framer (
    .clk(clk), .rst(rst), .ev_push(ev_push), .ev_data(event_in[32*pushed[0] +: 32]), .ev_end(ev_end), .ev_room(ev_room),
    .rsp_begin(rsp_valid), .rsp_valid(rsp_valid), .rsp_byte(response_in[8*answered[2:0] +: 8]), .rsp_last(rsp_last), .rsp_ready(rsp_ready),
    .idle(idle), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready)
  );

  always @(posedge clk) begin
    if (ev_push) pushed <= pushed + 1'b1;
    if (ev_end) begin
      pushed <= 0;
      events <= events + 1'b1;
    end
    offered <= rsp_valid && !rsp_ready;
    if (rsp_valid && rsp_ready) begin
      answered <= rsp_last ? 4'd0 : answered + 1'b1;
      if (rsp_last) responses <= responses + 1'b1;
    end
  end

  // ---- what comes out: COBS, and the CRC one bit after the other ----
  function [15:0] crc_of(input [15:0] crc, input [7:0] data);
    integer i;
    begin
      crc_of = crc;
      for (i = 7; i >= 0; i = i - 1) crc_of = {crc_of[14:0], 1'b0} ^ (crc_of[15] ^ data[i] ? 16'h1021 : 16'h0000);
    end
  endfunction

  reg  [1:0]  events_out = 0, responses_out = 0;
  reg         any = 0;    // bytes since the delimiter
  reg  [7:0]  left = 0;   // bytes until the next code
  reg  [3:0]  count = 0;  // bytes of content
  reg         response = 0;
  reg  [15:0] crc;
  reg         waited = 0;
  reg  [7:0]  waiting_byte;
  reg  [5:0]  nothing = 0;

  wire        take = tx_byte_valid && tx_byte_ready && !rst;
  wire        code = left == 0;
  wire [7:0]  value = code ? 8'd0 : tx_byte;
  wire        content = take && tx_byte != 0 && any;
  wire        is_response = count == 0 ? value[7] : response;
  wire [3:0]  length = is_response ? BYTES : EVENT_LENGTH;
  wire [8*LONGEST-1:0] expected = is_response ? (responses_out == 0 ? response_first : response_second)
                                              : (events_out == 0 ? event_first : event_second);
  wire        there = events_out != events || responses_out != responses; // a whole frame, or a part of one that is out
  wire        all = events_out == EVENTS && responses_out == RESPONSES;

  always @(posedge clk) begin
    waited <= tx_byte_valid && !tx_byte_ready && !rst;
    waiting_byte <= tx_byte;
    nothing <= take || !there ? 6'd0 : nothing + 1'b1;
    if (take && tx_byte == 0) begin
      any <= 0;
      left <= 0;
      if (response) responses_out <= responses_out + 1'b1;
      else events_out <= events_out + 1'b1;
    end else if (take) begin
      any <= 1;
      left <= (code ? tx_byte : left) - 8'd1;
      if (any) begin
        count <= count + 1'b1;
        crc <= crc_of(crc, value);
        response <= is_response;
      end
    end
    if (!any) begin
      count <= 0;
      crc <= 16'hFFFF;
    end

    if (!rst && CLAIM == 0) begin
      stands: assert (!waited || tx_byte_valid && tx_byte == waiting_byte);
      if (content && count < length) begin
        went_in: assert (is_response ? responses_out != responses : events_out != events);
        same: assert (value == expected[8*count[2:0] +: 8]);
      end
      not_longer: assert (!content || count < length + 2);
      if (take && tx_byte == 0) begin
        not_shorter: assert (any && code && count == length + 2);
        same_crc: assert (crc == 0);
      end
      not_lost: assert (STALLS != 0 || nothing <= SLOW);
      idle_is_empty: assert (!idle || !there && answered == 0 && !any);
    end
    if (CLAIM == 1) all_out: assert (!all);
  end
endmodule

`resetall
