`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Soft core, its memory, and the address map shared by two masters: the soft core, whose requests are
// always served at once, and the loader, which gets the clocks between them (es_cpu never requests
// in more than two clocks in a row, so the loader waits for two clocks at most and the soft core
// never). Every access takes a clock; data and acknowledge come in the next.
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

  // slaves: one access at a time, read data in the next clock
  output wire                   by_core,      // the soft core accesses, not the loader
  output wire                   write,
  output wire [3:0]             lanes,
  output wire [31:0]            wdata,
  output wire [6:0]             reg_offset,
  output wire [WINDOW_LOG2-3:0] index,        // word in the window
  output wire                   reg_en,
  output wire                   data_access,  // any access but a fetch, known without the address
  output wire                   phantom_en,
  output wire                   plane_en,
  output wire                   plane_fetch,
  output wire                   unknown_read, // the soft core's read in the last clock met an unknown word
  input  wire [31:0]            reg_rdata,
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

  // ---- who accesses ----
  wire        core_req = req && !cpu_rst;
  wire        ld_go = ld_req && !ld_ack && !core_req;
  wire [31:0] addr = core_req ? req_addr : ld_addr;

  assign by_core = core_req;
  assign write   = core_req ? |req_wstrb : ld_write;
  assign lanes   = core_req ? req_wstrb : 4'hF;
  assign wdata   = core_req ? req_wdata : ld_wdata;

  always @(posedge clk) begin
    ack    <= core_req;
    ld_ack <= ld_go;
    if (rst) begin
      ack    <= 1'b0;
      ld_ack <= 1'b0;
    end
  end

  assign quiet = !ld_req && !ld_ack && !ack &&
                 (cpu_rst ? cpu_held && !run : run && cpu_sleeping && !wake);

  // ---- decoder ----
  wire access = core_req || ld_go;
  assign data_access = core_req ? !req_fetch : ld_go;
  wire in_window;
  generate
    if (WINDOW_LOG2 < 28) begin : beyond
      assign in_window = addr[27:WINDOW_LOG2] == 0;
    end else begin : all
      assign in_window = 1'b1;
    end
  endgenerate
  wire mem_en = access && addr[31:28] == MEM_BASE[31:28];
  wire in_phantom = data_access && addr[31:28] == PHANTOM_BASE[31:28];

  assign reg_en      = data_access && addr[31:28] == REG_BASE[31:28];
  assign phantom_en  = in_phantom && in_window;
  assign plane_fetch = addr[31:28] == PLANE_FETCH_BASE[31:28];
  assign plane_en    = data_access && in_window &&
                       (plane_fetch || addr[31:28] == PLANE_DATA_BASE[31:28]);
  assign reg_offset  = {addr[6:2], 2'd0};
  assign index       = addr[WINDOW_LOG2-1:2];

  // ---- memory ----
  wire [31:0] mem_rdata;
  generate
    if (SPRAM != 0) begin : single
      es_spram #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .en(mem_en), .write(write), .lanes(lanes), .index(addr[MEM_LOG2-1:2]),
        .wr_data(wdata), .rd_data(mem_rdata)
      );
    end else begin : double
      es_ram #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .rd_en(mem_en && !write), .rd_index(addr[MEM_LOG2-1:2]), .rd_data(mem_rdata),
        .wr_en(mem_en && write), .wr_lanes(lanes), .wr_index(addr[MEM_LOG2-1:2]), .wr_data(wdata)
      );
    end
  endgenerate

  // ---- read data ----
  reg from_mem, from_reg, from_phantom, from_data, from_fetch, core_reads_phantom;

  always @(posedge clk) begin
    if (access) begin
      from_mem     <= mem_en;
      from_reg     <= reg_en;
      from_phantom <= phantom_en;
      from_data    <= plane_en && !plane_fetch;
      from_fetch   <= plane_en && plane_fetch;
    end
    core_reads_phantom <= in_phantom && by_core && !write;
    if (rst) core_reads_phantom <= 1'b0;
  end

  assign unknown_read = core_reads_phantom && !(from_phantom && phantom_known);
  assign rdata = (from_mem ? mem_rdata : 32'd0) | (from_reg ? reg_rdata : 32'd0) |
                 (from_phantom ? phantom_word : 32'd0) |
                 {30'd0, from_data && plane_bits[1],
                  from_data && plane_bits[0] || from_fetch && plane_bits[2]};
  assign ld_rdata = rdata;

  wire unused = &{1'b0, req_lanes, trapped, addr};
endmodule

`resetall
