`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_uart, DIVIDER clocks to a bit. Sender: each byte taken stands on the line as ten bits of DIVIDER clocks each, with nothing between but
// idle line. Receiver: each byte of a sender whose bits are up to 3 % too long or short comes out once, with its value and in order; a byte whose
// stop bit is low does not; a waiting byte stays until it is taken, and only then may one be lost; a start bit of half a bit or less is none.
module uart_proof #(
  parameter DIVIDER = 8,
  parameter CLAIM   = 0  // 1, 2: instead, that never a byte was received after a short moment, that none was sent: to be refuted
) (
  input wire       clk,
  input wire [7:0] tx_byte,
  input wire       tx_byte_valid,
  input wire       rx_byte_ready,
  // what the sender at the other end does
  input wire       begins,       // a byte, from the idle line or right after the one before
  input wire [7:0] value,
  input wire       stops,        // its stop bit is high
  input wire       disturbs,     // instead, the line is low for a moment
  input wire       next          // this bit, or the moment, ends
);
  reg [1:0] resets = 0;
  wire      rst = resets < 2;
  always @(posedge clk) if (rst) resets <= resets + 1'b1;

  wire       tx_byte_ready, rx_byte_valid, tx;
  wire [7:0] rx_byte;
  wire       rx;

  es_uart #(.CLK_HZ(DIVIDER), .BAUD(1)) uart (
    .clk(clk), .rst(rst), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready), .rx(rx), .tx(tx)
  );

  // ---- sending ----
  reg        sending = 0;
  reg [3:0]  bit_on_line;
  reg [7:0]  clocks_of_it;
  reg [9:0]  frame;

  always @(posedge clk) begin
    if (!rst) begin
      if (!sending || bit_on_line == 9 && clocks_of_it == DIVIDER) begin
        sending <= tx_byte_valid && tx_byte_ready;
        frame <= {1'b1, tx_byte, 1'b0};
        bit_on_line <= 0;
        clocks_of_it <= 1;
      end else if (clocks_of_it == DIVIDER) begin
        bit_on_line <= bit_on_line + 1'b1;
        clocks_of_it <= 1;
      end else clocks_of_it <= clocks_of_it + 1'b1;
      if (CLAIM == 0) begin
      line: assert (tx == (!sending || frame[bit_on_line] || bit_on_line == 9));
      not_while_sending: assert (!tx_byte_ready || !sending || bit_on_line == 9 && clocks_of_it == DIVIDER);
      when_idle: assert (tx_byte_ready || sending);
      end
    end
    if (CLAIM == 2) sent: assert (!(sending && bit_on_line == 9 && frame == 10'b1101001010));
  end

  // ---- the other end: a byte's bits, each with an end of its own; times count from the byte's first clock ----
  localparam [1:0] IDLE = 0, BYTE = 1, MOMENT = 2, REST = 3; // REST: high for as long as a moment would take to be told apart
  reg [1:0]  state = IDLE;
  reg [3:0]  number;
  reg [11:0] clocks;         // since its first one
  reg [9:0]  bits;
  wire [11:0] due = (number + 1) * DIVIDER;                       // when this bit should end
  wire [11:0] early = (number + 1) * DIVIDER * 3 / 100;           // and may
  wire [11:0] late = ((number + 1) * DIVIDER * 3 + 99) / 100;     // a clock more, as it is sampled
  wire       byte_ends = state == BYTE && number == 9 && next;
  wire       free = state == IDLE || byte_ends && bits[9];

  assign rx = state == BYTE ? bits[number] : state != MOMENT;

  always @(*) begin
    if (state == BYTE) begin
      assume (!next || clocks + 1 >= due - early);
      assume (next || clocks + 1 < due + late);
    end
    if (state == MOMENT) assume (next || clocks + 1 < DIVIDER / 2);
  end

  always @(posedge clk) begin
    clocks <= clocks + 1'b1;
    if (rst) state <= IDLE;
    else if (free) begin
      state <= begins ? BYTE : disturbs ? MOMENT : IDLE;
      number <= 0;
      clocks <= 0;
      bits <= {stops, value, 1'b0};
    end else if (state == BYTE && next) begin
      number <= number + 1'b1;
      if (number == 9) begin // a low stop bit
        state <= REST;
        clocks <= 0;
      end
    end else if (state == MOMENT && next) begin
      state <= REST;
      clocks <= 0;
    end else if (state == REST && clocks == DIVIDER / 2 + 1) state <= IDLE;
  end

  // ---- receiving ----
  reg        owed = 0;        // a byte with its stop bit on the line, or just over
  reg        held = 0;        // since that began, a byte waited that nobody took
  reg [7:0]  owed_value;
  reg        before = 0, before_ready = 0;
  reg [7:0]  before_value;
  reg [1:0]  came = 0;
  reg        disturbed = 0;
  wire       comes = rx_byte_valid && (!before || before_ready);
  wire       stop_begins = state == BYTE && number == 8 && next && bits[9];

  always @(posedge clk) begin
    if (state == MOMENT) disturbed <= 1;
    before <= rx_byte_valid && !rst;
    before_ready <= rx_byte_ready;
    before_value <= rx_byte;
    if (!rst) begin
      if (stop_begins) begin
        owed <= 1;
        owed_value <= bits[8:1];
        held <= 0;
      end else begin
        if (comes) owed <= 0;
        if (rx_byte_valid && !rx_byte_ready) held <= 1;
      end
      if (comes) came <= {came[0], 1'b1};
      if (CLAIM == 0) begin
      never_invented: assert (!comes || owed && rx_byte == owed_value);
      kept: assert (!(before && !before_ready) || rx_byte_valid && rx_byte == before_value);
      // looked at when the next byte's second bit is on the line
      not_lost: assert (!(state == BYTE && number == 2) || !owed || held);
      end
    end
    if (CLAIM == 1) received: assert (!(came == 1 && disturbed && owed_value == 8'hA5));
  end
endmodule

`resetall
