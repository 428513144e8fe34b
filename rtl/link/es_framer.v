`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Frames to bytes: holds the event frames that the soft core builds, and puts them and the loader's
// responses on the wire as COBS-encoded frames with CRC and delimiter (docs/link.md).
//
// Encoder. A COBS code byte says how far the next zero is, which is known only later. So a frame
// is encoded into one half of a buffer while the other half is sent: the place of the code byte is
// left open and filled in when the zero comes. As the zero itself is not stored, that costs no
// clock: one write per byte. The sender needs no length: it sends up to and including the first
// zero byte.
//
// A response waits for one frame being encoded and one being sent, never for the event queue.
//
// Rates: four clocks per word and seven per frame in, one clock per byte and one per frame out.
// Prefixes: ev_ event queue, rsp_ response from the loader, enc_ encoder, out_ sender.
module es_framer #(
  parameter EVQ_LOG2 = 9, // event queue depth: log2 of 32-bit words, 6 to 15 (a frame has up to 62)
  // 1: the word in hand is in a register; 0: at the output of the queue's block RAM (iCE40, to save
  // logic; it is late in the clock there). Both take the same clocks.
  parameter STEP     = 1
) (
  input  wire        clk,
  input  wire        rst,

  // Event frames, word by word; ev_push and ev_end never in the same clock.
  input  wire        ev_push,
  input  wire [31:0] ev_data,
  input  wire        ev_end,
  output wire [15:0] ev_room,        // words that surely can be pushed now

  // Response: a stream of bytes, in words of four, without CRC. Starts at a frame boundary, with
  // rsp_begin; from the next clock on rsp_valid says whether there is a byte.
  input  wire        rsp_begin,
  input  wire        rsp_valid,
  input  wire [7:0]  rsp_byte,
  input  wire        rsp_last,       // the response's last byte
  output wire        rsp_ready,

  // For who shares rsp_ with the loader. `ready`: a frame may start in this clock, and with
  // rsp_begin it is a response's. `events`: an event frame waits.
  output wire        ready,
  output wire        events,

  output wire        idle,           // no whole frame in here, and the last byte was handed over

  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready
);
  localparam [31:0] CRC_INIT = `ES_CRC_INIT;

  initial begin
    if (EVQ_LOG2 < 6 || EVQ_LOG2 > 15) $error("es_framer: EVQ_LOG2 must be 6 to 15");
  end

  // ---- event queue ----
  wire [31:0] ev_head;       // word at its head
  wire [31:0] ev_word;       // word in hand
  wire        ev_waiting;
  wire        ev_take;

  es_event_queue #(.LOG2(EVQ_LOG2)) event_queue (
    .clk(clk), .rst(rst),
    .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end), .ev_room(ev_room),
    .waiting(ev_waiting), .word(ev_head), .take(ev_take)
  );

  // ---- encoder ----
  localparam [2:0] ENC_IDLE = 3'd0; // waits for a frame and a free half
  localparam [2:0] ENC_BYTE = 3'd1; // content
  localparam [2:0] ENC_CRC1 = 3'd2;
  localparam [2:0] ENC_CRC2 = 3'd3;
  localparam [2:0] ENC_CODE = 3'd4; // the last code byte
  localparam [2:0] ENC_TAIL = 3'd5; // the delimiter

  reg  [2:0]  enc_state;
  reg         enc_half;      // half being filled
  reg         enc_rsp;       // the frame is a response
  reg         enc_first;     // the word in hand is the frame's first
  reg  [1:0]  enc_lane;      // byte within the word
  reg  [5:0]  enc_left;      // event words after the one in hand
  reg  [15:0] enc_crc;
  reg  [7:0]  enc_place;     // where the next byte goes
  reg  [7:0]  enc_code_at;   // where the open code byte is
  reg  [7:0]  enc_code;      // its value so far
  reg  [1:0]  out_full;      // halves that hold a frame to be sent

  wire [7:0]  ev_byte = enc_lane[1] ? (enc_lane[0] ? ev_word[31:24] : ev_word[23:16])
                                    : (enc_lane[0] ? ev_word[15:8] : ev_word[7:0]);
  wire        enc_is_crc = enc_state == ENC_CRC1 || enc_state == ENC_CRC2;
  wire        enc_is_byte = enc_state == ENC_BYTE;
  wire [7:0]  enc_byte = enc_is_crc ? enc_crc[15:8] : enc_rsp ? rsp_byte : ev_byte;
  wire        enc_step = enc_is_crc || (enc_is_byte && (!enc_rsp || rsp_valid));
  wire        enc_zero = enc_byte == 0;
  wire        enc_word_end = enc_is_byte && !enc_rsp && enc_lane == 2'd3;
  wire [5:0]  enc_left_next = enc_first ? ev_word[13:8] : enc_left - 6'd1;
  wire [15:0] enc_crc_next;

  es_crc16 crc16 (.crc(enc_crc), .data(enc_byte), .crc_next(enc_crc_next));

  wire        ev_starts = enc_state == ENC_IDLE && !out_full[enc_half] && !rsp_begin && ev_waiting;
  generate
    if (STEP != 0) begin : in_hand
      // The queue goes on to the next word while this one is encoded.
      reg [31:0] hand;
      always @(posedge clk) if (enc_state == ENC_IDLE || enc_word_end) hand <= ev_head;
      assign ev_word = hand;
      assign ev_take = ev_starts || enc_word_end && enc_left_next != 0;
    end else begin : at_head
      assign ev_word = ev_head;
      assign ev_take = enc_word_end;
      wire unused = &{1'b0, ev_starts};
    end
  endgenerate

  assign rsp_ready = enc_is_byte && enc_rsp;
  assign ready     = enc_state == ENC_IDLE && !out_full[enc_half];
  assign events    = ev_waiting;

  always @(posedge clk) begin
    case (enc_state)
      ENC_IDLE: begin
        enc_rsp <= rsp_begin;
        if (!out_full[enc_half] && (rsp_begin || ev_waiting))
          enc_state <= ENC_BYTE;
      end
      ENC_BYTE: begin
        if (enc_rsp && rsp_valid && rsp_last) enc_state <= ENC_CRC1;
        if (enc_word_end && enc_left_next == 0) enc_state <= ENC_CRC1;
      end
      ENC_CRC1: enc_state <= ENC_CRC2;
      ENC_CRC2: enc_state <= ENC_CODE;
      ENC_CODE: enc_state <= ENC_TAIL;
      default:  enc_state <= ENC_IDLE;
    endcase
    if (rst) enc_state <= ENC_IDLE;
  end

  always @(posedge clk) begin
    if (enc_state == ENC_IDLE) begin
      enc_first   <= 1'b1;
      enc_lane    <= 2'd0;
      enc_crc     <= CRC_INIT[15:0];
      enc_place   <= 8'd1;
      enc_code_at <= 8'd0;
      enc_code    <= 8'd1;
    end else if (enc_step) begin
      enc_lane  <= enc_lane + 2'd1;
      enc_crc   <= enc_crc_next;
      enc_place <= enc_place + 8'd1;
      enc_code  <= enc_zero ? 8'd1 : enc_code + 8'd1;
      if (enc_zero) enc_code_at <= enc_place;
      if (enc_word_end) begin
        enc_first <= 1'b0;
        enc_left  <= enc_left_next;
      end
    end
  end

  // ---- frame buffer, two halves ----
  (* no_rw_check *) // one half is written, the other one read
  reg  [7:0] buffer [0:511];
  wire       buffer_write = enc_step || enc_state == ENC_CODE || enc_state == ENC_TAIL;
  wire       buffer_code = enc_state == ENC_CODE || (enc_step && enc_zero);
  wire [7:0] buffer_place = buffer_code ? enc_code_at : enc_place;
  wire [7:0] buffer_data = buffer_code ? enc_code : enc_state == ENC_TAIL ? 8'd0 : enc_byte;

  always @(posedge clk) begin
    if (buffer_write) buffer[{enc_half, buffer_place}] <= buffer_data;
  end

  // ---- sender ----
  reg        out_half;      // half being sent
  reg  [7:0] out_place;
  reg  [7:0] out_byte;
  reg        out_valid;
  wire       out_take = out_valid && tx_byte_ready;
  wire       out_done = out_take && out_byte == 0;
  wire [7:0] out_place_next = out_take ? out_place + 8'd1 : out_place;

  assign tx_byte       = out_byte;
  assign tx_byte_valid = out_valid;

  always @(posedge clk) out_byte <= buffer[{out_half, out_place_next}];

  always @(posedge clk) begin
    out_place <= out_place_next;
    out_valid <= out_full[out_half];
    if (out_done) begin
      out_place <= 8'd0;
      out_valid <= 1'b0;
      out_half  <= !out_half;
      out_full[out_half] <= 1'b0;
    end
    if (enc_state == ENC_TAIL) begin
      enc_half <= !enc_half;
      out_full[enc_half] <= 1'b1;
    end
    if (rst) begin
      out_place <= 8'd0;
      out_valid <= 1'b0;
      out_half  <= 1'b0;
      enc_half  <= 1'b0;
      out_full  <= 2'b00;
    end
  end

  assign idle = enc_state == ENC_IDLE && !ev_waiting && out_full == 2'b00 && !rsp_begin;
endmodule

`resetall
