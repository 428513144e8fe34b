`resetall
`timescale 1ns/1ps
`default_nettype none

// The number of the last fetch, in halves of 16 bits that go round: one more takes two clocks. To be
// sent it goes round as well, two bytes of each half, and one is added or taken away meanwhile: what
// was sent is what it is then.
module es_recorder_fetches (
  input  wire       clk,
  input  wire       rst,
  input  wire       clear,      // there was none: the next one is number 0
  input  wire       add,        // one more; neither in the clock before this, nor while it is sent
  input  wire       start,      // it is going to be sent
  input  wire       more,       // ... as one more,
  input  wire       less,       // or as one less
  input  wire       send,       // its four bytes
  input  wire       odd,        // the second byte of a half
  output reg  [7:0] out         // a clock later; else 0
);
  reg  [15:0] low, high;
  reg         late;             // the second clock of `add`
  reg         carry;
  reg         minus;
  wire [16:0] next = {1'b0, low} + {1'b0, {16{minus}}} + {16'd0, add || carry};

  always @(posedge clk) begin
    late  <= add;
    carry <= start ? more : add || send && odd ? next[16] : send && carry;
    minus <= start ? less : send && minus;
    if (add || late || send && odd) {high, low} <= {next[15:0], high};
    out <= odd ? next[15:8] : next[7:0];
    if (!send) out <= 8'd0;
    if (clear) {high, low} <= 32'hFFFFFFFF;
    if (rst) begin
      late  <= 1'b0;
      carry <= 1'b0;
      minus <= 1'b0;
    end
  end
endmodule

`resetall
