`resetall
`timescale 1ns/1ps
`default_nettype none

// The byte port at a serial line: eight data bits, no parity, one stop bit, no flow control.
//
// The receiver looks at the middle of each bit, and drops a byte whose stop bit is low. The baud
// rates of the two sides may differ by 3 %. One received byte can wait. When another one
// comes before it was taken, the waiting one is kept and the new one is lost: the frame it belongs
// to then has a bad CRC. A host that sends one command at a time never meets that.
module es_uart #(
  parameter CLK_HZ = 12000000, // frequency of clk
  parameter BAUD   = 1000000,  // bits per second; CLK_HZ / BAUD must be 4 to 65535
  parameter PIN_REGISTERED = 0 // 1: rx comes from a register of clk in its pad
) (
  input  wire       clk,
  input  wire       rst,

  // byte port
  input  wire [7:0] tx_byte,
  input  wire       tx_byte_valid,
  output wire       tx_byte_ready,
  output reg  [7:0] rx_byte,
  output reg        rx_byte_valid,
  input  wire       rx_byte_ready,

  // pins; idle high
  input  wire       rx,
  output reg        tx
);
  localparam DIVIDER = (CLK_HZ + BAUD / 2) / BAUD;    // clocks per bit
  localparam CLOCKS_W = $clog2(DIVIDER);
  localparam [31:0] LAST32 = DIVIDER - 1;
  localparam [31:0] HALF32 = DIVIDER / 2 - 1;
  localparam [CLOCKS_W-1:0] LAST = LAST32[CLOCKS_W-1:0];
  localparam [CLOCKS_W-1:0] HALF = HALF32[CLOCKS_W-1:0];

  initial begin
    if (DIVIDER < 4 || DIVIDER > 65535) $error("es_uart: CLK_HZ / BAUD must be 4 to 65535");
  end

  // ---- sender: start bit, data from bit 0 up, stop bit ----
  reg [CLOCKS_W-1:0] tx_clocks; // left in this bit
  reg [3:0]          tx_bits;   // left, the one on the line included
  reg [8:0]          tx_shift;  // bits that follow the one on the line

  assign tx_byte_ready = tx_bits == 0;

  always @(posedge clk) begin
    if (tx_bits == 0) begin
      tx_clocks <= LAST;
      tx        <= 1'b1;
      if (tx_byte_valid) begin
        tx       <= 1'b0;
        tx_shift <= {1'b1, tx_byte};
        tx_bits  <= 4'd10;
      end
    end else if (tx_clocks != 0) begin
      tx_clocks <= tx_clocks - 1'b1;
    end else begin
      tx_clocks <= LAST;
      tx_bits   <= tx_bits - 4'd1;
      tx        <= tx_shift[0];
      tx_shift  <= {1'b1, tx_shift[8:1]};
    end
    if (rst) begin
      tx_bits <= 4'd0;
      tx      <= 1'b1;
    end
  end

  // ---- receiver ----
  wire               line;
  wire               line_settled;
  reg                line_before; // a clock before
  reg [CLOCKS_W-1:0] rx_clocks;   // until the middle of the bit
  reg [3:0]          rx_bits;     // left, start and stop bit included; 0: between bytes
  reg [7:0]          rx_shift;

  es_sync #(.STAGES(PIN_REGISTERED != 0 ? 1 : 2), .RESET(1)) rx_sync (
    .clk(clk), .rst(rst), .in(rx), .out(line), .settled(line_settled)
  );

  always @(posedge clk) begin
    line_before <= line;
    if (rx_byte_ready) rx_byte_valid <= 1'b0;
    if (rx_bits == 0) begin
      rx_clocks <= HALF;
      if (line_before && !line) rx_bits <= 4'd10;
    end else if (rx_clocks != 0) begin
      rx_clocks <= rx_clocks - 1'b1;
    end else begin
      rx_clocks <= LAST;
      rx_bits   <= rx_bits - 4'd1;
      rx_shift  <= {line, rx_shift[7:1]};
      if (rx_bits == 4'd10 && line) rx_bits <= 4'd0; // too short for a start bit
      if (rx_bits == 4'd1 && line && (!rx_byte_valid || rx_byte_ready)) begin
        rx_byte       <= rx_shift;
        rx_byte_valid <= 1'b1;
      end
    end
    if (rst) begin
      line_before   <= 1'b1;
      rx_bits       <= 4'd0;
      rx_byte_valid <= 1'b0;
    end
  end

  wire unused = &{1'b0, line_settled};
endmodule

`resetall
