`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Carries out command frames (OP_WRITE, OP_READ: interface/probe.def) as a bus master in the soft
// core's memory map, and answers each with a RESPONSE frame that repeats its sequence number. Needs
// no firmware: it loads the firmware.
//
// A frame is read from the deframer's buffer four bytes at a time into `word`; the response's first
// word is made from the command's first word, read once more. Data that is read goes through `word`
// as well, so that the response needs no buffer.
//
// Bus: ld_req, ld_write, ld_addr and ld_wdata stay as they are until the clock with ld_ack; then
// ld_req is low for at least one clock.
module es_loader (
  input  wire        clk,
  input  wire        rst,

  input  wire        frame_valid,
  output wire        frame_done,
  output wire [7:0]  frame_place,   // byte wanted
  input  wire [7:0]  frame_byte,    // comes one clock later

  output wire        ld_req,
  output wire        ld_write,
  output wire [31:0] ld_addr,
  output wire [31:0] ld_wdata,
  input  wire        ld_ack,
  input  wire [31:0] ld_rdata,

  output wire        rsp_valid,
  output wire [7:0]  rsp_byte,
  output wire        rsp_last,
  input  wire        rsp_ready
);
  localparam [31:0] FRAME_MAX_WORDS = `ES_FRAME_MAX_WORDS;
  localparam [31:0] FRAME_RESPONSE = `ES_FRAME_RESPONSE;
  localparam [31:0] OP_READ = `ES_OP_READ;
  localparam [31:0] OP_WRITE = `ES_OP_WRITE;
  localparam [31:0] RESP_BAD_LENGTH = `ES_RESP_BAD_LENGTH;
  localparam [31:0] RESP_BAD_OP = `ES_RESP_BAD_OP;
  localparam [31:0] RESP_OK = `ES_RESP_OK;

  localparam [31:0] READ_MAX = FRAME_MAX_WORDS - 2; // words in a response, after the status

  localparam [3:0] S_IDLE   = 4'd0;
  localparam [3:0] S_HEAD   = 4'd1;  // the first four bytes come into `word`
  localparam [3:0] S_DECODE = 4'd2;
  localparam [3:0] S_ADDR   = 4'd3;  // address comes
  localparam [3:0] S_START  = 4'd4;
  localparam [3:0] S_COUNT  = 4'd5;  // number of words to read comes
  localparam [3:0] S_CHECK  = 4'd6;
  localparam [3:0] S_DATA   = 4'd7;  // a word to write comes
  localparam [3:0] S_WRITE  = 4'd8;
  localparam [3:0] S_REPLY  = 4'd9;  // response: header and status
  localparam [3:0] S_READ   = 4'd10;
  localparam [3:0] S_SEND   = 4'd11; // response: a word that was read
  localparam [3:0] S_DONE   = 4'd12;

  reg  [3:0]  state;
  reg  [31:0] word;
  reg  [29:0] addr;       // word address
  reg         is_read;
  reg  [1:0]  status;     // RESP_*
  reg  [5:0]  left;       // words still to be written or read
  reg  [7:0]  place;      // next byte of the frame; S_REPLY: byte of the response
  reg  [1:0]  lane;       // byte within `word`

  wire        getting = state == S_HEAD || state == S_ADDR || state == S_COUNT || state == S_DATA;
  wire        sending = state == S_REPLY || state == S_SEND;
  wire        step = getting || (sending && rsp_ready);
  wire        step_end = step && lane == 2'd3;
  wire        reply_end = step_end && place[2];
  wire        op_write = word[7:0] == OP_WRITE[7:0];
  wire        op_read = word[7:0] == OP_READ[7:0];
  wire        length_ok = op_write ? word[15:8] != 0 : word[15:8] == 8'd2;

  // `place` runs one byte ahead of what is taken, as the buffer answers a clock later.
  wire [7:0]  place_next = state == S_IDLE ? 8'd0 : step ? place + 8'd1 : place;
  assign frame_place = place_next;
  assign frame_done  = state == S_DONE;

  assign ld_req   = state == S_WRITE || state == S_READ;
  assign ld_write = state == S_WRITE;
  assign ld_addr  = {addr, 2'b00};
  assign ld_wdata = word;

  // Header: kind, count, and the command's sequence number. Then the status word.
  wire [7:0] reply_byte = place[2] ? {6'd0, place[1:0] == 0 ? status : 2'd0} :
                          place[1] ? frame_byte :
                          place[0] ? {2'd0, left} + 8'd1 : FRAME_RESPONSE[7:0];

  assign rsp_valid = sending;
  assign rsp_byte  = state == S_REPLY ? reply_byte : word[7:0];
  assign rsp_last  = lane == 2'd3 && (state == S_REPLY ? place[2] && left == 0 : left == 6'd1);

  always @(posedge clk) begin
    place <= place_next;
    if (step) lane <= lane + 2'd1;
    if (getting) word <= {frame_byte, word[31:8]};
    else if (state == S_READ) word <= ld_rdata;
    else if (state == S_SEND && rsp_ready) word <= {8'd0, word[31:8]};

    case (state)
      S_IDLE: begin
        lane <= 2'd0;
        if (frame_valid) state <= S_HEAD;
      end
      S_HEAD: if (step_end) state <= S_DECODE;
      S_DECODE: begin
        is_read <= op_read;
        left    <= word[13:8] - 6'd1;
        status  <= RESP_OK[1:0];
        state   <= S_ADDR;
        if (!(op_write || op_read) || !length_ok) begin
          left   <= 6'd0;
          status <= op_write || op_read ? RESP_BAD_LENGTH[1:0] : RESP_BAD_OP[1:0];
          place  <= 8'd0;
          state  <= S_REPLY;
        end
      end
      S_ADDR: if (step_end) state <= S_START;
      S_START: begin
        addr  <= word[31:2];
        state <= is_read ? S_COUNT : left == 0 ? S_REPLY : S_DATA;
        if (!is_read && left == 0) place <= 8'd0;
      end
      S_COUNT: if (step_end) state <= S_CHECK;
      S_CHECK: begin
        left  <= word[5:0];
        place <= 8'd0;
        state <= S_REPLY;
        if (word[31:6] != 0 || word[5:0] == 0 || word[5:0] > READ_MAX[5:0]) begin
          left   <= 6'd0;
          status <= RESP_BAD_LENGTH[1:0];
        end
      end
      S_DATA: if (step_end) state <= S_WRITE;
      S_WRITE: if (ld_ack) begin
        addr  <= addr + 30'd1;
        left  <= left - 6'd1;
        state <= S_DATA;
        if (left == 6'd1) begin
          place <= 8'd0;
          state <= S_REPLY;
        end
      end
      S_REPLY: if (reply_end) state <= left == 0 ? S_DONE : S_READ;
      S_READ: if (ld_ack) state <= S_SEND;
      S_SEND: if (step_end) begin
        addr  <= addr + 30'd1;
        left  <= left - 6'd1;
        state <= left == 6'd1 ? S_DONE : S_READ;
      end
      default: state <= S_IDLE;
    endcase
    if (rst) state <= S_IDLE;
  end
endmodule

`resetall
