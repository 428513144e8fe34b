`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// Registers of the soft core and the loader: the register map of interface/probe.def. A read's
// value is in `rdata` in the same clock; without `rd`, `rdata` is 0. A write has its effect
// at the clock's end.
// Reads with side effects (UNKNOWN, MAILBOX) have them only for the soft core.
module es_regs #(
  parameter        TAPS          = 1,
  parameter        FIFO_LOG2     = 8,
  parameter [31:0] WINDOW_BASE   = 0,
  parameter        WINDOW_LOG2   = 16,
  parameter        MEM_LOG2      = 16,
  parameter        TIME_W        = 32,
  parameter        TARGET_ADDR_W = 32,
  parameter        TARGET_DATA_W = 32,
  parameter        TARGET_BIG_ENDIAN = 0,
  parameter        FETCHES       = `ES_FETCHES_UNTOLD,
  parameter        COMPRESSED    = 0,
  parameter        MARKS         = 0,
  parameter        READ_HITS     = 1,
  parameter        OUTPUTS       = 0,
  parameter        TIME_NOW      = 1,
  parameter        TRACKER       = 0,
  parameter        RECORDER      = 0,
  parameter        MONITOR       = 1
) (
  input  wire                 clk,
  input  wire                 clk_fifo,     // clk; not one that stands still while the FIFO is read
  input  wire                 rst,

  // bus
  input  wire                 rd,
  input  wire                 wr,
  input  wire                 by_core,      // the soft core accesses, not the loader
  input  wire [6:0]           offset,       // bytes
  input  wire [31:0]          wdata,
  output reg  [31:0]          rdata,

  // hit at the head of the queue
  input  wire                 hit_valid,
  input  wire [1:0]           hit_kind,
  input  wire [3:0]           hit_lanes,
  input  wire                 hit_old_known,
  input  wire                 hit_locked,
  input  wire [2:0]           hit_core,
  input  wire [31:0]          hit_time,
  input  wire [31:0]          hit_addr,
  input  wire [31:0]          hit_new,
  input  wire [31:0]          hit_old,
  input  wire [31:0]          hit_pc,
  input  wire [31:0]          hit_cell,
  input  wire                 hit_drop,     // the tracker has dealt with it
  output wire                 hit_pop,      // by the soft core

  // pipeline and planes
  input  wire                 locked,
  output wire                 lock,         // pulses
  output wire                 unlock,
  output wire                 clear,
  output reg                  read_hits,
  output reg                  track,        // the tracker may work
  output reg                  track_nodes,
  input  wire                 clearing,
  input  wire                 unknown_read, // the soft core has read a word that is not known
  input  wire [31:0]          lost,
  input  wire [FIFO_LOG2:0]   fifo_level,

  // pins, and the tap's time
  output wire                 set_pulses,
  output wire                 set_halt,
  input  wire [31:0]          time_now,

  // event queue and link
  output wire                 ev_push,
  output wire [31:0]          ev_data,
  output wire                 ev_end,
  input  wire [15:0]          ev_room,
  input  wire [31:0]          rx_bad,

  // soft core
  output reg                  mail_full,
  output reg                  cpu_run,
  input  wire                 cpu_awake     // counted by REG_CYCLES
);
  localparam [31:0] AT_STATUS = `ES_REG_STATUS, AT_HIT_FLAGS = `ES_REG_HIT_FLAGS,
    AT_HIT_TIME = `ES_REG_HIT_TIME, AT_HIT_ADDR = `ES_REG_HIT_ADDR, AT_HIT_NEW = `ES_REG_HIT_NEW,
    AT_HIT_OLD = `ES_REG_HIT_OLD, AT_HIT_PC = `ES_REG_HIT_PC, AT_HIT_POP = `ES_REG_HIT_POP,
    AT_UNKNOWN = `ES_REG_UNKNOWN, AT_EV_DATA = `ES_REG_EV_DATA, AT_EV_END = `ES_REG_EV_END,
    AT_EV_ROOM = `ES_REG_EV_ROOM, AT_MAILBOX = `ES_REG_MAILBOX, AT_CTRL = `ES_REG_CTRL,
    AT_LOST = `ES_REG_LOST, AT_FIFO_LEVEL = `ES_REG_FIFO_LEVEL, AT_FIFO_MAX = `ES_REG_FIFO_MAX,
    AT_ID = `ES_REG_ID, AT_CONFIG = `ES_REG_CONFIG, AT_FIFO_DEPTH = `ES_REG_FIFO_DEPTH,
    AT_WINDOW_BASE = `ES_REG_WINDOW_BASE, AT_WINDOW_SIZE = `ES_REG_WINDOW_SIZE,
    AT_RX_BAD = `ES_REG_RX_BAD, AT_CPU_CTRL = `ES_REG_CPU_CTRL, AT_CYCLES = `ES_REG_CYCLES,
    AT_HIT_CELL = `ES_REG_HIT_CELL, AT_HIT_NEXT = `ES_REG_HIT_NEXT, AT_EV_HIT = `ES_REG_EV_HIT, AT_EV_HEAD = `ES_REG_EV_HEAD,
    AT_EV_LAST = `ES_REG_EV_LAST, AT_EV_FLAGS = `ES_REG_EV_FLAGS,
    AT_TIME_HIGH = `ES_REG_TIME_HIGH, AT_MEM_SIZE = `ES_REG_MEM_SIZE,
    AT_TIME_NOW = `ES_REG_TIME_NOW, AT_TRIGGER = `ES_REG_TRIGGER, AT_HALT = `ES_REG_HALT;
  localparam [31:0] CTRL_CLEAR = `ES_CTRL_CLEAR, CTRL_LOCK = `ES_CTRL_LOCK,
    CTRL_UNLOCK = `ES_CTRL_UNLOCK, CTRL_READS = `ES_CTRL_READS, CTRL_TRACK = `ES_CTRL_TRACK,
    CTRL_TRACK_NODES = `ES_CTRL_TRACK_NODES, CTRL_TRACK_OFF = `ES_CTRL_TRACK_OFF;
  localparam [31:0] STATUS_HIT = `ES_STATUS_HIT, STATUS_MAIL = `ES_STATUS_MAIL,
    STATUS_LOCKED = `ES_STATUS_LOCKED;
  localparam [31:0] KIND_MARK = `ES_KIND_MARK, MARK_EPOCH = `ES_MARK_EPOCH;
  localparam [31:0] OLD_KNOWN = `ES_HIT_OLD_KNOWN, LOCKED = `ES_HIT_LOCKED;
  localparam [31:0] CONFIG = TIME_W << 24 | TAPS << 20 | (TARGET_BIG_ENDIAN != 0 ? 1 << 16 : 0) |
                             TARGET_DATA_W << 8 | TARGET_ADDR_W |
                             FETCHES << `ES_CONFIG_FETCHES_SHIFT |
                             (COMPRESSED != 0 ? `ES_CONFIG_COMPRESSED : 0) |
                             (MARKS != 0 ? `ES_CONFIG_MARKS : 0) |
                             (TRACKER != 0 ? `ES_CONFIG_TRACKER : 0) |
                             (RECORDER != 0 ? `ES_CONFIG_RECORDER : 0) |
                             (READ_HITS != 0 ? `ES_CONFIG_READS : 0) |
                             (OUTPUTS != 0 ? `ES_CONFIG_OUTPUTS : 0) |
                             (TIME_NOW != 0 ? `ES_CONFIG_TIME_NOW : 0);

  wire wr_monitor = MONITOR != 0 && wr; // of what only the soft core is there for
  wire wr_ctrl = wr && offset == AT_CTRL[6:0];

  assign hit_pop = wr && offset == AT_HIT_POP[6:0];
  assign lock    = MONITOR != 0 && wr_ctrl && |(wdata & CTRL_LOCK);
  assign unlock  = wr_ctrl && |(wdata & CTRL_UNLOCK) ||
                   (hit_pop || hit_drop) && hit_valid && hit_locked;
  assign clear   = wr_ctrl && |(wdata & CTRL_CLEAR);

  assign set_pulses = OUTPUTS != 0 && wr && offset == AT_TRIGGER[6:0];
  assign set_halt   = OUTPUTS != 0 && wr && offset == AT_HALT[6:0];

  wire [15:0] ev_flags;
  reg  [23:0] time_high; // the tap's time has 56 bits

  es_event_port events (
    .clk(clk), .rst(rst), .run(cpu_run),
    .put(wr_monitor && offset == AT_EV_DATA[6:0]), .put_head(wr_monitor && offset == AT_EV_HEAD[6:0]),
    .put_hit(wr_monitor && offset == AT_EV_HIT[6:0]), .put_last(wr_monitor && offset == AT_EV_LAST[6:0]),
    .finish(wr_monitor && offset == AT_EV_END[6:0]), .set_flags(wr_monitor && offset == AT_EV_FLAGS[6:0]),
    .hit_pop(hit_pop), .wdata(wdata), .flags(ev_flags),
    .hit_time(hit_time), .time_high({8'd0, time_high}), .hit_pc(hit_pc),
    .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end)
  );

  reg [31:0]        mail;     // 0 while there is none
  reg               unknown;
  reg [FIFO_LOG2:0] fifo_max;
  reg [31:0]        cycles;

  always @(posedge clk) begin
    if (wr_monitor && offset == AT_MAILBOX[6:0]) begin
      mail <= wdata;
      mail_full <= 1'b1;
    end else if (rd && by_core && offset == AT_MAILBOX[6:0]) begin
      mail <= 0;
      mail_full <= 1'b0;
    end
    if (unknown_read) unknown <= 1'b1;
    else if (rd && by_core && offset == AT_UNKNOWN[6:0]) unknown <= 1'b0;
    if (wr_monitor && offset == AT_CPU_CTRL[6:0]) cpu_run <= wdata[0];
    if (READ_HITS != 0 && wr_ctrl && |(wdata & CTRL_READS)) read_hits <= 1'b1;
    if (clear) read_hits <= 1'b0;
    if (TRACKER != 0 && wr_ctrl && |(wdata & CTRL_TRACK)) begin
      track       <= 1'b1;
      track_nodes <= |(wdata & CTRL_TRACK_NODES);
    end
    if (!cpu_run || wr_ctrl && |(wdata & CTRL_TRACK_OFF)) track <= 1'b0;
    if (hit_pop && hit_valid && hit_kind == KIND_MARK[1:0] && hit_lanes == MARK_EPOCH[3:0]) begin
      time_high <= hit_new[23:0];
    end
    if (cpu_awake) cycles <= cycles + 1'b1;
    if (rst) begin
      mail      <= 0;
      mail_full <= 1'b0;
      unknown   <= 1'b0;
      cpu_run   <= 1'b0;
      read_hits <= 1'b0;
      track     <= 1'b0;
      track_nodes <= 1'b0;
      cycles    <= 0;
      time_high <= 0;
    end
  end

  always @(posedge clk_fifo) begin
    if (fifo_level > fifo_max) fifo_max <= fifo_level;
    if (rst) fifo_max <= 0;
  end

  always @* begin
    rdata = 0;
    if (rd) case (offset)
      AT_STATUS[6:0]: rdata = (hit_valid ? STATUS_HIT : 0) | (mail_full ? STATUS_MAIL : 0) |
                               (locked ? STATUS_LOCKED : 0);
      AT_HIT_FLAGS[6:0]: rdata = {17'd0, hit_core, 4'd0, hit_lanes, 2'd0, hit_kind} |
                                  (hit_old_known ? OLD_KNOWN : 0) | (hit_locked ? LOCKED : 0);
      AT_HIT_TIME[6:0]: rdata = hit_time;
      AT_HIT_ADDR[6:0]: rdata = hit_addr;
      AT_HIT_NEW[6:0]: rdata = hit_new;
      AT_HIT_OLD[6:0]: rdata = hit_old;
      AT_HIT_PC[6:0]: rdata = hit_pc;
      AT_UNKNOWN[6:0]: rdata = {31'd0, unknown};
      AT_EV_ROOM[6:0]: rdata = {16'd0, ev_room};
      AT_MAILBOX[6:0]: rdata = mail;
      AT_CTRL[6:0]: rdata = {31'd0, clearing};
      AT_LOST[6:0]: rdata = lost;
      AT_FIFO_LEVEL[6:0]: rdata = {{(31 - FIFO_LOG2){1'b0}}, fifo_level};
      AT_FIFO_MAX[6:0]: rdata = {{(31 - FIFO_LOG2){1'b0}}, fifo_max};
      AT_ID[6:0]: rdata = `ES_PROBE_ID;
      AT_CONFIG[6:0]: rdata = CONFIG;
      AT_FIFO_DEPTH[6:0]: rdata = 1 << FIFO_LOG2;
      AT_WINDOW_BASE[6:0]: rdata = WINDOW_BASE;
      AT_WINDOW_SIZE[6:0]: rdata = 1 << WINDOW_LOG2;
      AT_RX_BAD[6:0]: rdata = rx_bad;
      AT_CPU_CTRL[6:0]: rdata = {31'd0, cpu_run};
      AT_CYCLES[6:0]: rdata = cycles;
      AT_HIT_CELL[6:0], AT_HIT_NEXT[6:0]: rdata = hit_cell;
      AT_EV_FLAGS[6:0]: rdata = {16'd0, ev_flags};
      AT_TIME_HIGH[6:0]: rdata = {8'd0, time_high};
      AT_MEM_SIZE[6:0]: rdata = MONITOR != 0 ? 1 << MEM_LOG2 : 0;
      AT_TIME_NOW[6:0]: rdata = TIME_NOW != 0 ? time_now : 0;
      default: rdata = 0;
    endcase
  end

  wire unused = &{1'b0, AT_STATUS[31:7], AT_HIT_POP[31:7], AT_EV_DATA[31:7], AT_EV_END[31:7],
                   AT_EV_HIT[31:7], AT_EV_HEAD[31:7], AT_EV_LAST[31:7], AT_TRIGGER[31:7],
                   AT_HALT[31:7]};
endmodule

`resetall
