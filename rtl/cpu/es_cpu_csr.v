/* Machine-mode control and status registers, for TRAPS=1 only.
 *
 * mstatus (MIE, MPIE; MPP reads 3), mtvec (direct mode), mscratch, mepc, mcause, mtval (always 0),
 * mie and mip with MTI (bit 7) and MEI (bit 11), of which MEI goes first; misa and the identification
 * registers are read-only constants. Every other number is illegal.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_csr #(
  parameter COMPRESSED = 0,  // 1: mepc has a bit 1, and misa says C
  parameter MULDIV     = 0   // 1: misa says M
) (
  input  wire        clk,
  input  wire        rst,
  // CSR instruction; `illegal` and `rdata` are combinational
  input  wire        en,           // execute it at the end of this clock
  input  wire [11:0] addr,
  input  wire [1:0]  op,           // 1 write, 2 set, 3 clear
  input  wire        source_zero,  // set and clear with x0 or 0: no write
  input  wire [31:0] source,
  output reg  [31:0] rdata,
  output wire        illegal,
  // traps
  input  wire        trap,         // enter: keep pc and cause, disable interrupts
  input  wire [31:(COMPRESSED != 0 ? 1 : 2)] trap_pc,
  input  wire        trap_irq,     // the cause's top bit
  input  wire [3:0]  trap_code,
  input  wire        mret,
  input  wire        irq_timer,
  input  wire        irq_external,
  output wire        irq,          // an interrupt is pending and enabled
  output wire [3:0]  irq_code,     // its cause
  output wire        irq_wakes,    // ... whether or not mstatus.MIE is set
  output reg  [31:2] mtvec,
  output reg  [31:(COMPRESSED != 0 ? 1 : 2)] mepc
);

  localparam        LOW  = COMPRESSED != 0 ? 1 : 2;
  localparam [31:0] MISA = 32'h40000100 | (COMPRESSED != 0 ? 32'd1 << 2 : 32'd0)
                           | (MULDIV != 0 ? 32'd1 << 12 : 32'd0);

  reg        mie, mpie, mtie, meie, cause_irq;
  reg [3:0]  cause_code;
  reg [31:0] mscratch;

  reg known;

  always @* begin
    known = 1'b1;
    rdata = 32'd0;
    case (addr)
      12'h300: rdata = {19'd0, 2'b11, 3'd0, mpie, 3'd0, mie, 3'd0};
      12'h301: rdata = MISA;
      12'h304: rdata = {20'd0, meie, 3'd0, mtie, 7'd0};
      12'h305: rdata = {mtvec, 2'd0};
      12'h340: rdata = mscratch;
      12'h341: rdata = {mepc, {LOW{1'b0}}};
      12'h342: rdata = {cause_irq, 27'd0, cause_code};
      12'h344: rdata = {20'd0, irq_external, 3'd0, irq_timer, 7'd0};
      // mstatush, mtval, identification: 0
      12'h310, 12'h343, 12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'hf15: ;
      default: known = 1'b0;
    endcase
  end

  wire write = op == 2'd1 || !source_zero;

  assign illegal = !known || write && addr[11:10] == 2'b11;

  wire [31:0] wdata = op == 2'd1 ? source : op == 2'd2 ? rdata | source : rdata & ~source;

  always @(posedge clk) begin
    if (en && write)
      case (addr)
        12'h300: {mpie, mie} <= {wdata[7], wdata[3]};
        12'h304: {meie, mtie} <= {wdata[11], wdata[7]};
        12'h305: mtvec <= wdata[31:2];
        12'h340: mscratch <= wdata;
        12'h341: mepc <= wdata[31:LOW];
        12'h342: {cause_irq, cause_code} <= {wdata[31], wdata[3:0]};
        default: ;
      endcase
    if (mret)
      {mpie, mie} <= {1'b1, mpie};
    if (trap) begin
      {mpie, mie} <= {mie, 1'b0};
      mepc        <= trap_pc;
      cause_irq   <= trap_irq;
      cause_code  <= trap_code;
    end
    if (rst) begin
      mie        <= 1'b0;
      mpie       <= 1'b0;
      mtie       <= 1'b0;
      meie       <= 1'b0;
      mtvec      <= 30'd0;
      mepc       <= {32-LOW{1'b0}};
      mscratch   <= 32'd0;
      cause_irq  <= 1'b0;
      cause_code <= 4'd0;
    end
  end

  assign irq_wakes = irq_timer && mtie || irq_external && meie;
  assign irq_code  = irq_external && meie ? 4'd11 : 4'd7;
  assign irq       = irq_wakes && mie;

endmodule

`resetall
