`resetall
`timescale 1ns/1ps
`default_nettype none

// The probe's end of the link: event frames of the soft core out, commands in, responses out, all
// over one byte port. docs/link.md describes the wire format, docs/rtl.md these ports.
//
// To send an event frame, push its first word (kind, number of words that follow, sequence number),
// then those words, then pulse ev_end. A frame whose words did not all find room, or that is not as
// long as its first word says, is dropped whole. Commands are carried out without any help.
module es_link #(
  parameter EVQ_LOG2 = 9, // event queue depth: log2 of 32-bit words, 6 to 15
  // 0: responses and events go from one block RAM to another in a clock (iCE40, to save logic)
  parameter STEP     = 1,
  parameter RECORDER = 0  // 1: there is rec_
) (
  input  wire        clk,
  input  wire        rst,

  // event frames
  input  wire        ev_push,
  input  wire [31:0] ev_data,
  input  wire        ev_end,         // never together with ev_push
  output wire [15:0] ev_room,        // words that surely can be pushed now

  // loader: bus master in the soft core's map; req is held until ack, then low for a clock
  output wire        ld_req,
  output wire        ld_write,
  output wire [31:0] ld_addr,
  output wire [31:0] ld_wdata,
  input  wire        ld_ack,
  input  wire [31:0] ld_rdata,

  output wire [31:0] rx_bad,         // command frames dropped, saturating at 65535
  // frames of the recorder, as bytes
  input  wire        rec_valid,
  input  wire [7:0]  rec_byte,
  input  wire        rec_last,
  output wire        rec_ready,

  output wire        idle,           // no whole frame anywhere, all bytes handed over, none offered

  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);
  wire       frame_valid;
  wire       frame_done;
  wire [7:0] frame_place;
  wire [7:0] frame_byte;
  wire       rsp_valid;
  wire       rsp_ready;
  wire       rsp_last;
  wire [7:0] rsp_byte;
  wire       framer_idle;

  wire       step_valid;
  wire       step_ready;
  wire       step_last;
  wire [7:0] step_byte;

  wire       framer_ready;
  wire       events;
  wire       out_begin;      // responses and the recorder's frames
  wire       out_valid;
  wire [7:0] out_byte;
  wire       out_last;
  wire       out_ready;

  assign idle = framer_idle && !frame_valid && !rx_byte_valid && !step_valid;

  generate
    if (STEP != 0) begin : steps
      es_link_step step (
        .clk(clk), .rst(rst),
        .in_valid(rsp_valid), .in_byte(rsp_byte), .in_last(rsp_last), .in_ready(rsp_ready),
        .out_valid(step_valid), .out_byte(step_byte), .out_last(step_last), .out_ready(step_ready)
      );
    end else begin : at_once
      assign step_valid = rsp_valid;
      assign step_byte  = rsp_byte;
      assign step_last  = rsp_last;
      assign rsp_ready  = step_ready;
    end
  endgenerate

  // Responses go first. The recorder's frames and event frames take turns where both wait.
  generate
    if (RECORDER != 0) begin : records
      wire       held_valid;
      wire [7:0] held_byte;
      wire       held_last;
      reg        under_way;   // a frame of the recorder
      reg        its_turn;
      wire       offered = held_valid && !step_valid && framer_ready && (its_turn || !events);

      es_link_step hold (
        .clk(clk), .rst(rst),
        .in_valid(rec_valid), .in_byte(rec_byte), .in_last(rec_last), .in_ready(rec_ready),
        .out_valid(held_valid), .out_byte(held_byte), .out_last(held_last),
        .out_ready(under_way && out_ready)
      );

      assign out_begin  = under_way ? held_valid : step_valid || offered;
      assign out_valid  = under_way ? held_valid : step_valid;
      assign out_byte   = under_way ? held_byte : step_byte;
      assign out_last   = under_way ? held_last : step_last;
      assign step_ready = !under_way && out_ready;

      always @(posedge clk) begin
        if (offered && !under_way) under_way <= 1'b1;
        else if (held_valid && held_last && out_ready) under_way <= 1'b0;
        if (offered) its_turn <= 1'b0;
        else if (framer_ready && events && !out_begin) its_turn <= 1'b1;
        if (rst) begin
          under_way <= 1'b0;
          its_turn  <= 1'b0;
        end
      end
    end else begin : no_records
      assign out_begin  = step_valid;
      assign out_valid  = step_valid;
      assign out_byte   = step_byte;
      assign out_last   = step_last;
      assign step_ready = out_ready;
      assign rec_ready  = 1'b0;
      wire unused = &{1'b0, rec_valid, rec_byte, rec_last, framer_ready, events};
    end
  endgenerate

  es_deframer deframer (
    .clk(clk), .rst(rst),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready),
    .frame_valid(frame_valid), .frame_done(frame_done),
    .frame_place(frame_place), .frame_byte(frame_byte),
    .bad(rx_bad)
  );

  es_loader loader (
    .clk(clk), .rst(rst),
    .frame_valid(frame_valid), .frame_done(frame_done),
    .frame_place(frame_place), .frame_byte(frame_byte),
    .ld_req(ld_req), .ld_write(ld_write), .ld_addr(ld_addr), .ld_wdata(ld_wdata),
    .ld_ack(ld_ack), .ld_rdata(ld_rdata),
    .rsp_valid(rsp_valid), .rsp_byte(rsp_byte), .rsp_last(rsp_last), .rsp_ready(rsp_ready)
  );

  es_framer #(.EVQ_LOG2(EVQ_LOG2), .STEP(STEP)) framer (
    .clk(clk), .rst(rst),
    .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end), .ev_room(ev_room),
    .rsp_begin(out_begin), .rsp_valid(out_valid), .rsp_byte(out_byte), .rsp_last(out_last), .rsp_ready(out_ready),
    .ready(framer_ready), .events(events), .idle(framer_idle),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready)
  );
endmodule

`resetall
