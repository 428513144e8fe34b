`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Soft core, its memory, and the address map shared by two masters: the soft core, whose requests are
// always served at once, and the loader, which gets the clocks between them (es_cpu never requests
// in more than two clocks in a row, so the loader waits for a few clocks and the soft core never).
// Data and acknowledge come in the clock after the request.
//
// The soft core's address is late in a clock. So its writes to the arrays (phantom memory and planes)
// and to registers happen in the clock after the request; the soft core asks for no data then (it
// never does in the clock after a data access), and the loader waits.
//
// While CPU_CTRL is 0 the soft core is in reset and only the loader accesses. Memory is repeated
// over its region; phantom and planes beyond the window read 0 (and as not known), and writes there
// are ignored; so are accesses to no region. Instructions come from the memory only.
//
// clk_cpu is clk, but may stand still while cpu_sleeping && !cpu_wake.
module es_soc #(
  parameter MEM_LOG2    = 16, // soft core memory: log2 of bytes
  parameter WINDOW_LOG2 = 16, // phantom window: log2 of bytes
  parameter SPRAM       = 0   // 1: memory is UP5K SPRAM
) (
  input  wire                   clk,
  input  wire                   rst,
  input  wire                   clk_cpu,
  input  wire                   run,          // CPU_CTRL
  input  wire                   wake,         // something to do for the soft core
  output wire                   cpu_sleeping,
  output wire                   cpu_wake,
  output wire                   cpu_awake,    // counted by REG_CYCLES
  output wire                   quiet,        // soft core and bus do nothing

  // loader
  input  wire                   ld_req,
  input  wire                   ld_write,
  input  wire [31:0]            ld_addr,
  input  wire [31:0]            ld_wdata,
  output reg                    ld_ack,
  output wire [31:0]            ld_rdata,

  // registers
  output wire                   reg_en,
  output wire                   reg_write,
  output wire                   by_core,      // the soft core accesses, not the loader
  output wire [6:0]             reg_offset,
  output wire [31:0]            reg_wdata,
  input  wire [31:0]            reg_rdata,    // in the clock after

  // arrays: phantom memory and planes, read data in the clock after
  output wire                   array_near,   // maybe an access; early in the clock, the rest is late
  output wire                   phantom_en,
  output wire                   plane_en,
  output wire                   plane_fetch,
  output wire                   array_write,
  output wire [3:0]             array_lanes,
  output wire [31:0]            array_wdata,
  output wire [WINDOW_LOG2-3:0] array_index,  // word in the window
  output wire                   unknown_read, // the soft core's read in the last clock met an unknown word
  input  wire [31:0]            phantom_word,
  input  wire                   phantom_known,
  input  wire [2:0]             plane_bits    // fetch, lock, data
);
  localparam [31:0] MEM_BASE = `ES_MEM_BASE, REG_BASE = `ES_REG_BASE,
    PHANTOM_BASE = `ES_PHANTOM_BASE, PLANE_DATA_BASE = `ES_PLANE_DATA_BASE,
    PLANE_FETCH_BASE = `ES_PLANE_FETCH_BASE;
  localparam MEM_INDEX_W = MEM_LOG2 - 2;

  // ---- soft core ----
  reg         cpu_rst;
  reg         cpu_held;      // has been in reset for a clock
  wire        req;
  wire        req_fetch;
  wire [31:0] req_addr;
  wire [31:0] req_wdata;
  wire [3:0]  req_wstrb;
  wire [3:0]  req_lanes;
  reg         ack;
  wire [31:0] rdata;
  wire        trapped;

  es_cpu cpu (
    .clk(clk_cpu), .rst(cpu_rst),
    .req(req), .req_fetch(req_fetch), .req_addr(req_addr), .req_wdata(req_wdata),
    .req_wstrb(req_wstrb), .req_lanes(req_lanes), .ack(ack), .rdata(rdata),
    .wake(wake), .sleeping(cpu_sleeping), .irq_timer(1'b0), .trapped(trapped)
  );

  assign cpu_wake  = wake || cpu_rst;
  assign cpu_awake = !cpu_rst && (!cpu_sleeping || wake);

  always @(posedge clk) begin
    cpu_rst  <= rst || !run;
    cpu_held <= cpu_rst;
    if (rst) begin
      cpu_rst  <= 1'b1;
      cpu_held <= 1'b0;
    end
  end

  // ---- who accesses memory and registers ----
  reg         posted;        // the soft core wrote in the clock before: for the arrays that is now
  reg  [31:0] posted_addr;
  reg  [31:0] posted_data;
  reg  [3:0]  posted_lanes;
  wire        core_req = req && !cpu_rst;
  wire        core_writes = |req_wstrb;
  wire        ld_go = ld_req && !ld_ack && !core_req && !posted;
  wire        access = core_req || ld_go;
  wire        write = core_req ? core_writes : ld_write;
  wire [31:0] addr = core_req ? req_addr : ld_addr;
  wire [31:0] wdata = core_req ? req_wdata : ld_wdata;
  wire        mem_en = access && addr[31:28] == MEM_BASE[31:28];

  assign reg_en     = access && !(core_req && req_fetch) && addr[31:28] == REG_BASE[31:28];
  assign reg_write  = write;
  assign by_core    = core_req;
  assign reg_offset = {addr[6:2], 2'd0};
  assign reg_wdata  = wdata;

  always @(posedge clk) begin
    ack    <= core_req;
    ld_ack <= ld_go;
    posted <= core_req && core_writes;
    if (core_req && core_writes) begin
      posted_addr  <= req_addr;
      posted_data  <= req_wdata;
      posted_lanes <= req_wstrb;
    end
    if (rst) begin
      ack    <= 1'b0;
      ld_ack <= 1'b0;
      posted <= 1'b0;
    end
  end

  assign quiet = !ld_req && !ld_ack && !ack &&
                 (cpu_rst ? cpu_held && !run : run && cpu_sleeping && !wake);

  // ---- who accesses the arrays ----
  wire [31:0] array_addr = posted ? posted_addr : addr;
  wire        core_reads = core_req && !req_fetch && !core_writes;
  wire        in_window;
  generate
    if (WINDOW_LOG2 < 28) begin : beyond
      assign in_window = array_addr[27:WINDOW_LOG2] == 0;
    end else begin : all
      assign in_window = 1'b1;
    end
  endgenerate
  wire in_phantom = array_addr[31:28] == PHANTOM_BASE[31:28];
  wire in_data    = array_addr[31:28] == PLANE_DATA_BASE[31:28];
  wire in_fetch   = array_addr[31:28] == PLANE_FETCH_BASE[31:28];

  // Beyond the window nothing is written; what is read there is not used.
  wire allowed = !array_write || in_window;

  assign array_near  = posted && posted_addr[31:28] != MEM_BASE[31:28] || core_reads || ld_go;
  assign array_write = posted || !core_req && ld_write;
  assign array_lanes = posted ? posted_lanes : 4'hF;
  assign array_wdata = posted ? posted_data : ld_wdata;
  assign array_index = array_addr[WINDOW_LOG2-1:2];
  assign phantom_en  = array_near && in_phantom && allowed;
  assign plane_en    = array_near && (in_data || in_fetch) && allowed;
  assign plane_fetch = in_fetch;

  // ---- memory ----
  wire [3:0]  mem_lanes = core_req ? req_wstrb : 4'hF;
  wire [31:0] mem_rdata;
  generate
    if (SPRAM != 0) begin : single
      es_spram #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .en(mem_en), .write(write), .lanes(mem_lanes), .index(addr[MEM_LOG2-1:2]),
        .wr_data(wdata), .rd_data(mem_rdata)
      );
    end else begin : double
      es_ram #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .rd_en(mem_en && !write), .rd_index(addr[MEM_LOG2-1:2]), .rd_data(mem_rdata),
        .wr_en(mem_en && write), .wr_lanes(mem_lanes), .wr_index(addr[MEM_LOG2-1:2]), .wr_data(wdata)
      );
    end
  endgenerate

  // ---- read data ----
  reg from_mem, from_reg, from_phantom, from_data, from_fetch, from_window, core_reads_phantom;

  always @(posedge clk) begin
    if (access) begin
      from_mem     <= mem_en;
      from_reg     <= reg_en;
      from_phantom <= array_near && !array_write && in_phantom;
      from_data    <= array_near && !array_write && in_data;
      from_fetch   <= array_near && !array_write && in_fetch;
      from_window  <= in_window;
    end
    core_reads_phantom <= core_reads && in_phantom;
    if (rst) core_reads_phantom <= 1'b0;
  end

  assign unknown_read = core_reads_phantom && !(from_window && phantom_known);
  assign rdata = (from_mem ? mem_rdata : 32'd0) | (from_reg ? reg_rdata : 32'd0) |
                 (from_phantom && from_window ? phantom_word : 32'd0) |
                 {30'd0, from_data && from_window && plane_bits[1],
                  from_window && (from_data && plane_bits[0] || from_fetch && plane_bits[2])};
  assign ld_rdata = rdata;

  wire unused = &{1'b0, req_lanes, trapped, addr, array_addr};
endmodule

`resetall
