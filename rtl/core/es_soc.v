`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Soft core, its memory, and the address map shared by two masters: the soft core, whose requests
// are always served at once, and the loader, which gets clocks in which es_cpu never requests
// anything: in which an instruction arrives, or in which it sleeps, has stopped, or is in reset. So
// the loader waits for an instruction at most, and the soft core never does. Data and acknowledge
// come in the clock after the request.
//
// The soft core's address is late in a clock. So what needs it to be decoded happens in the clock
// after the request: registers, and its writes to the arrays (phantom memory and planes); reading
// reads all arrays, and what was meant is chosen then. The soft core asks for no data in the clock
// after a write (es_cpu never does), and the loader waits.
//
// While CPU_CTRL is 0 the soft core is in reset and only the loader accesses. Memory is repeated
// over its region; phantom and planes beyond the window read 0 (and as not known), and writes there
// are ignored; so are accesses to no region. Instructions come from the memory, whatever the region
// of their address.
//
// clk_cpu is clk, but may stand still while cpu_sleeping && !cpu_wake.
//
// With TRACKER the soft core's read of REG_HIT_NEXT is answered only when es_tracker has done what
// is its own (`answer`), with `hit_cell`; meanwhile the loader gets the clocks in which that is at
// work. es_tracker reads the memory through a port of its own, and writes to it when the soft core
// waits or sleeps.
//
// With MONITOR 0 there are neither soft core nor memory: the loader has registers and phantom memory.
module es_soc #(
  parameter MONITOR     = 1,
  parameter MEM_LOG2    = 16, // soft core memory: log2 of bytes
  parameter WINDOW_LOG2 = 16, // phantom window: log2 of bytes
  parameter SPRAM       = 0,  // 1: memory is UP5K SPRAM
  parameter TRACKER     = 0   // 1: there is es_tracker; not with SPRAM
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
  output wire                   reg_read,
  output wire                   reg_write,
  output wire                   by_core,      // the soft core accesses, not the loader
  output wire [6:0]             reg_offset,
  output wire                   reg_high,     // 0x80 and above: the recorder's
  output wire [31:0]            reg_wdata,
  input  wire [31:0]            reg_rdata,    // in the same clock; 0 without reg_read

  // rows of es_dispatch
  output wire                   row_write,
  output wire [7:0]             row_index,
  output wire [15:0]            row_data,

  // es_tracker
  output wire                   next_asked,   // the soft core reads HIT_NEXT, and waits for it
  output reg                    tracked,      // ... or did so when it read a hit's cell last
  input  wire                   answer,
  input  wire [31:0]            hit_cell,
  output wire                   may,          // the soft core waits for a hit, or sleeps
  output wire                   reg_written,  // a register of the soft core
  output wire [4:0]             reg_number,
  output wire [31:0]            reg_value,
  input  wire                   put,
  input  wire [4:0]             put_number,
  input  wire [31:0]            put_value,
  input  wire                   track_read,
  input  wire [MEM_LOG2-3:0]    track_index,
  output wire [31:0]            track_data,
  input  wire                   track_at_work,   // early: it is, and there is no `answer`
  input  wire                   track_node_near, // early: track_node in this clock, if `may`
  input  wire                   track_node,
  input  wire [MEM_LOG2-3:0]    track_node_index,
  output wire [31:0]            track_node_data,
  input  wire                   track_write,
  input  wire [MEM_LOG2-3:0]    track_write_index,
  input  wire [31:0]            track_write_data,

  // arrays: phantom memory and planes. Both are read, data in the clock after; one is written.
  output wire                   array_near,   // an access, or an address that traps the soft core
  output wire [WINDOW_LOG2-3:0] array_index,  // of it: word in the window; late in the clock
  output wire                   array_calm,   // surely no write; early; low without need at times
  output wire                   phantom_write,
  output wire                   data_write,   // data and lock plane
  output wire                   fetch_write,
  output wire [WINDOW_LOG2-3:0] array_write_index,
  output wire [3:0]             array_lanes,
  output wire [31:0]            array_wdata,
  output wire                   unknown_read, // the soft core's last read met an unknown word
  input  wire [31:0]            phantom_word,
  input  wire                   phantom_known,
  input  wire [3:0]             plane_bits    // fetch of the upper half, of the lower; lock, data
);
  localparam [31:0] MEM_BASE = `ES_MEM_BASE, REG_BASE = `ES_REG_BASE,
    PHANTOM_BASE = `ES_PHANTOM_BASE, PLANE_DATA_BASE = `ES_PLANE_DATA_BASE,
    PLANE_FETCH_BASE = `ES_PLANE_FETCH_BASE, ROWS_BASE = `ES_ROWS_BASE;
  localparam MEM_INDEX_W = MEM_LOG2 - 2;

  // ---- soft core ----
  reg         cpu_rst;
  reg         cpu_held;      // has been in reset for a clock
  wire        req;
  wire        req_fetch;
  wire        req_load;
  wire [31:0] req_addr;
  wire [31:0] req_wdata;
  wire [3:0]  req_wstrb;
  wire [3:0]  req_lanes;
  reg         ack;
  wire [31:0] rdata;
  wire [31:0] mem_rdata;
  wire        trapped;

  generate
    if (MONITOR != 0) begin : core
      es_cpu #(.LATE(TRACKER)) cpu (
        .clk(clk_cpu), .rst(cpu_rst),
        .req(req), .req_fetch(req_fetch), .req_load(req_load), .req_addr(req_addr),
        .req_wdata(req_wdata), .req_wstrb(req_wstrb), .req_lanes(req_lanes), .ack(core_ack),
        .rdata(core_late), .rdata_early(core_early),
        .insn(mem_rdata),
        .wake(wake), .sleeping(cpu_sleeping), .irq_timer(1'b0), .irq_external(1'b0), .trapped(trapped),
        .reg_write(reg_written), .reg_number(reg_number), .reg_value(reg_value),
        .put(put), .put_number(put_number), .put_value(put_value)
      );
    end else begin : no_core
      assign req = 1'b0;
      assign req_fetch = 1'b0;
      assign req_load = 1'b0;
      assign req_addr = 32'd0;
      assign req_wdata = 32'd0;
      assign req_wstrb = 4'd0;
      assign req_lanes = 4'd0;
      assign cpu_sleeping = 1'b1;
      assign trapped = 1'b0;
      assign reg_written = 1'b0;
      assign reg_number = 5'd0;
      assign reg_value = 32'd0;
      wire unused_core = &{1'b0, clk_cpu, core_ack, core_late, core_early, put_number, put_value};
    end
  endgenerate

  assign cpu_wake  = wake || cpu_rst || put;
  assign cpu_awake = !cpu_rst && (!cpu_sleeping || wake);

  always @(posedge clk) begin
    cpu_rst  <= rst || !run;
    cpu_held <= cpu_rst;
  end

  // ---- who accesses ----
  // What happened in the clock before. The loader's address and data stand in last_ whenever the
  // soft core did not load or store in the clock before; so also in the clock of its access.
  reg         read;
  reg         written;
  reg  [31:0] last_addr;
  reg  [31:0] last_data;
  reg  [3:0]  last_lanes;
  reg         last_by_core;
  wire        core_req = req && !cpu_rst;
  wire        core_writes = |req_wstrb;
  wire        core_stores = core_writes && !cpu_rst; // early, unlike core_req
  reg         fetched;       // an instruction arrives
  wire        core_ack;
  wire [31:0] core_late;
  wire [31:0] core_early;
  wire        waits;         // the soft core does, for HIT_NEXT, since an earlier clock
  wire        ld_slot = (fetched || cpu_sleeping || trapped || cpu_rst || waits && track_at_work) &&
                        !track_write && !(track_node_near && cpu_sleeping && tracked);
  reg         ld_waits;      // the loader's request has stood for a clock
  wire        ld_go = ld_waits && ld_slot && !written;
  wire        access = core_req || ld_go;
  wire        write = ld_go ? ld_write : core_writes;
  wire [31:0] addr = ld_slot ? ld_addr : req_addr;
  wire [31:0] wdata = core_writes ? req_wdata : ld_wdata;
  wire [3:0]  lanes = core_writes ? req_wstrb : 4'hF;
  wire        reads_data = ld_go ? !ld_write : core_req && !req_fetch && !core_writes;

  always @(posedge clk) begin
    ack     <= core_req;
    fetched <= core_req && req_fetch;
    ld_ack  <= ld_go;
    read    <= reads_data;
    written <= access && write;
    last_addr    <= req_load || core_writes ? req_addr : ld_addr;
    last_data    <= wdata;
    last_lanes   <= lanes;
    last_by_core <= MONITOR != 0 && !ld_go;
    ld_waits     <= ld_req && !ld_ack && !ld_go;
    if (rst) begin
      ack     <= 1'b0;
      fetched <= 1'b0;
      ld_ack  <= 1'b0;
      read    <= 1'b0;
      written <= 1'b0;
      ld_waits <= 1'b0;
    end
  end

  assign quiet = !ld_req && !ld_ack && !ack && !next_asked &&
                 (cpu_rst ? cpu_held && !run : run && cpu_sleeping && !wake);

  // ---- decoder, of the access of the clock before ----
  wire in_mem     = last_addr[31:28] == MEM_BASE[31:28];
  wire in_reg     = last_addr[31:28] == REG_BASE[31:28];
  wire in_phantom = last_addr[31:28] == PHANTOM_BASE[31:28];
  wire in_data    = last_addr[31:28] == PLANE_DATA_BASE[31:28];
  wire in_fetch   = last_addr[31:28] == PLANE_FETCH_BASE[31:28];
  wire in_window;
  generate
    if (WINDOW_LOG2 < 28) begin : beyond
      assign in_window = last_addr[27:WINDOW_LOG2] == 0;
    end else begin : all
      assign in_window = 1'b1;
    end
  endgenerate

  assign reg_read   = read && in_reg;
  assign reg_write  = written && in_reg;
  assign by_core    = last_by_core;
  assign reg_offset = {last_addr[6:2], 2'd0};
  assign reg_high   = last_addr[7];
  assign reg_wdata  = last_data;

  assign row_write = written && last_addr[31:28] == ROWS_BASE[31:28];
  assign row_index = last_addr[9:2];
  assign row_data  = last_data[15:0];

  // Writes to the arrays: the soft core's in the clock after, the loader's at once (the soft core
  // may ask for data in the clock after).
  wire core_wrote = written && last_by_core;
  wire writes_now = (core_wrote || ld_go && ld_write) && in_window;

  assign phantom_write = writes_now && in_phantom;
  assign data_write    = writes_now && in_data;
  assign fetch_write   = writes_now && in_fetch;
  assign array_calm    = !written && !ld_req;
  assign array_near    = phantom_write || data_write || fetch_write ||
                         (ld_go ? !ld_write : req_load);
  assign array_index   = req_load ? req_addr[WINDOW_LOG2-1:2] : last_addr[WINDOW_LOG2-1:2];
  assign array_write_index = last_addr[WINDOW_LOG2-1:2];
  assign array_lanes   = last_lanes;
  assign array_wdata   = last_data;

  // ---- read data ----
  // Each memory is chosen by a bit of its own, which is there before it. (The soft core's with
  // TRACKER: core_late.)
  wire        from_phantom = read && in_window && in_phantom;
  wire        from_data    = read && in_window && in_data;
  wire        from_fetch   = read && in_window && in_fetch;
  wire [31:0] from_memories;

  es_soc_late for_loader (
    .mem(in_mem), .mem_word(mem_rdata), .phantom(from_phantom), .phantom_word(phantom_word),
    .in_data(from_data), .in_fetch(from_fetch), .bits(plane_bits), .word(from_memories)
  );

  // ---- the tracker ----
  localparam [31:0] AT_NEXT = `ES_REG_HIT_NEXT, AT_CELL = `ES_REG_HIT_CELL;
  generate
    if (TRACKER != 0) begin : tracks
      reg  waiting;
      wire asks = read && last_by_core && in_reg && reg_offset == AT_NEXT[6:0];

      always @(posedge clk) begin
        waiting <= next_asked && !answer;
        if (asks) tracked <= 1'b1;
        else if (read && last_by_core && in_reg && reg_offset == AT_CELL[6:0]) tracked <= 1'b0;
        if (cpu_rst) begin
          waiting <= 1'b0;
          tracked <= 1'b0;
        end
      end

      assign waits      = waiting;
      assign next_asked = (asks || waiting) && !cpu_rst;
      assign core_ack   = next_asked ? answer : ack;
      // What next_asked is told is early; while the loader reads, it is not the soft core's. In the
      // clock in which it asks, the registers say the same when it is answered. (core_late is 0
      // whenever it asks or has asked: so it is in a clock of `put`, as es_cpu wants it.)
      es_soc_late for_core (
        .mem(!waiting && in_mem), .mem_word(mem_rdata), .phantom(!waiting && from_phantom),
        .phantom_word(phantom_word), .in_data(!waiting && from_data),
        .in_fetch(!waiting && from_fetch), .bits(plane_bits), .word(core_late)
      );
      assign core_early = waiting ? hit_cell : reg_rdata;
      assign rdata = from_memories | reg_rdata;
      assign may        = !cpu_rst && (next_asked || cpu_sleeping && tracked);
    end else begin : no_tracker
      assign waits      = 1'b0;
      assign next_asked = 1'b0;
      assign core_ack   = ack;
      assign core_late  = rdata;
      assign core_early = 32'd0;
      assign rdata = from_memories | reg_rdata;
      assign may        = 1'b0;
      always @* tracked = 1'b0;
      wire unused_tracker = &{1'b0, AT_NEXT, AT_CELL, answer, hit_cell, track_node, track_read,
                              track_index, track_node_index, track_write_index, track_write_data};
    end
  endgenerate

  // ---- memory ----
  wire        mem_write = ld_go ? ld_write && ld_addr[31:28] == MEM_BASE[31:28] :
                          core_stores && req_addr[31:28] == MEM_BASE[31:28];
  generate
    if (MONITOR == 0) begin : none
      assign mem_rdata  = 32'd0;
      assign track_data = 32'd0;
      wire unused_memory = &{1'b0, mem_write, lanes, addr, wdata};
    end else if (SPRAM != 0) begin : single
      es_spram #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .en(access), .write(mem_write), .lanes(lanes), .index(addr[MEM_LOG2-1:2]),
        .wr_data(wdata), .rd_data(mem_rdata)
      );
      assign track_data = 32'd0;
    end else if (TRACKER == 0) begin : double
      es_ram #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .rd_en(access && !write), .rd_index(addr[MEM_LOG2-1:2]), .rd_data(mem_rdata),
        .wr_en(mem_write), .wr_lanes(lanes), .wr_index(addr[MEM_LOG2-1:2]),
        .wr_data(wdata)
      );
      assign track_data = 32'd0;
    end else begin : shared
      // Nobody else accesses in the clock of the tracker's write, or of its reading a node: so one
      // port serves them all.
      wire [MEM_INDEX_W-1:0] own = track_write ? track_write_index : track_node_index;
      wire [MEM_INDEX_W-1:0] index = track_write || track_node ? own : addr[MEM_LOG2-1:2];
      es_ram_two #(.LOG2(MEM_INDEX_W)) memory (
        .clk(clk), .rd_en((access && !write || track_node) && !track_write), .index(index), .rd_data(mem_rdata),
        .wr_en(track_write || mem_write), .wr_lanes(track_write ? 4'hF : lanes),
        .wr_data(track_write ? track_write_data : wdata),
        .too_en(track_read), .too_index(track_index), .too_data(track_data)
      );
    end
  endgenerate

  assign unknown_read = read && last_by_core && in_phantom && !(in_window && phantom_known);
  assign ld_rdata = rdata;
  assign track_node_data = mem_rdata;

  wire unused = &{1'b0, req_lanes, addr, last_addr};
endmodule

`resetall
