`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// The reference target (docs/target.md) for FPGAs: processor, bus and devices are those of the
// simulation, memory is block RAM with the program in it. Lower half of the memory: ROM; upper
// half: RAM. Its programs are RV32I. An access takes 1 + WAIT clocks; one to nowhere is never
// answered: the target stands still, and `stuck` is high. `hold` stops it at its next access.
module ulx3s_target #(
  parameter MEM_LOG2 = 16, // log2 of the memory's bytes
  parameter WAIT     = 3,  // wait states, 1 to 255: block RAM answers a clock later
  parameter PROGRAM  = ""  // words in hexadecimal, for $readmemh; none: memory reads 0
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        hold,

  output wire        bus_valid,
  output wire        bus_ready,
  output wire        bus_fetch,
  output wire [31:0] bus_addr,
  output wire [31:0] bus_wdata,
  output wire [3:0]  bus_wstrb,
  output wire [3:0]  bus_lanes,
  output wire [31:0] bus_rdata,

  output wire        console_valid, // for one clock: console_byte was written
  output wire [7:0]  console_byte,
  output wire        exited,
  output wire        failed,        // ... with another exit code than 0
  output wire        stuck
);
  initial begin
    if (WAIT < 1 || WAIT > 255) $error("ulx3s_target: illegal parameter");
  end

  // ---- processor and bus ----
  wire        req, req_fetch, req_load, ack, bus_due, irq_timer, irq_external, sleeping, trapped;
  wire [31:0] req_addr, req_wdata;
  wire [3:0]  req_wstrb, req_lanes;
  wire        reg_write;
  wire [4:0]  reg_number;
  wire [31:0] reg_value;

  es_cpu #(.RESET_PC(32'd0), .TRAPS(1)) cpu (
    .clk(clk), .rst(rst),
    .req(req), .req_fetch(req_fetch), .req_load(req_load), .req_addr(req_addr),
    .req_wdata(req_wdata), .req_wstrb(req_wstrb), .req_lanes(req_lanes), .ack(ack),
    .rdata(bus_rdata), .rdata_early(32'd0), .insn(bus_rdata),
    .wake(1'b0), .sleeping(sleeping), .irq_timer(irq_timer), .irq_external(irq_external),
    .trapped(trapped), .reg_write(reg_write), .reg_number(reg_number), .reg_value(reg_value),
    .put(1'b0), .put_number(5'd0), .put_value(32'd0)
  );

  es_target_bus #(.WAIT(WAIT)) adapter (
    .clk(clk), .rst(rst),
    .req(req), .req_fetch(req_fetch), .req_addr(req_addr), .req_wdata(req_wdata),
    .req_wstrb(req_wstrb), .req_lanes(req_lanes), .ack(ack),
    .bus_valid(bus_valid), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_ready(bus_ready), .bus_due(bus_due)
  );

  wire unused_registers = &{1'b0, reg_write, reg_number, reg_value};

  // ---- who answers ----
  wire        access = bus_valid && bus_ready;
  wire        writes = bus_wstrb != 4'd0;
  wire        in_memory = bus_addr[31:MEM_LOG2] == 0;
  wire        memory_here = in_memory && (bus_addr[MEM_LOG2-1] || !writes);
  wire [31:0] mark_offset = bus_addr - `ES_MARK_BASE;
  wire        mark_here = mark_offset < `ES_MARK_SIZE && writes;
  wire        device_here;
  wire [31:0] device_rdata;
  wire        here = memory_here || device_here || mark_here;

  assign bus_ready = bus_due && here && !exited && !hold;
  assign stuck     = bus_valid && !here && !exited || trapped;

  // ---- memory ----
  (* no_rw_check *) reg [31:0] words [0:(1 << (MEM_LOG2 - 2))-1];
  reg [31:0] word;
  wire [MEM_LOG2-3:0] index = bus_addr[MEM_LOG2-1:2];
  wire [3:0] stores = bus_wstrb & {4{access && memory_here}};

  generate
    if (PROGRAM != "") begin : loaded
      initial $readmemh(PROGRAM, words);
    end
  endgenerate

  always @(posedge clk) begin
    if (stores[0]) words[index][7:0]   <= bus_wdata[7:0];
    if (stores[1]) words[index][15:8]  <= bus_wdata[15:8];
    if (stores[2]) words[index][23:16] <= bus_wdata[23:16];
    if (stores[3]) words[index][31:24] <= bus_wdata[31:24];
  end

  always @(posedge clk) word <= words[index];

  assign bus_rdata = device_here ? device_rdata : word;

  // ---- devices ----
  assign failed = exited && exit_code != 0;

  reg  [63:0] cycle;
  wire [31:0] exit_code;

  always @(posedge clk) begin
    cycle <= cycle + 64'd1;
    if (rst) cycle <= 64'd0;
  end

  es_target_devices devices (
    .clk(clk), .rst(rst), .cycle(cycle), .en(access), .addr(bus_addr), .wdata(bus_wdata),
    .wstrb(bus_wstrb), .here(device_here), .rdata(device_rdata), .seed(32'd0),
    .irq_timer(irq_timer), .irq_external(irq_external), .console_valid(console_valid),
    .console_byte(console_byte), .exited(exited), .exit_code(exit_code)
  );

  wire unused = &{1'b0, req_load, sleeping};
endmodule

`resetall
