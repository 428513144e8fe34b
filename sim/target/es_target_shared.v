/* es_target_shared: the target with 1 to 8 processors and one memory (docs/target.md), for simulation.
 *
 * Every access ends with `ready` 1 + wait_states clocks after it began, and it begins in its first clock
 * on the core's bus unless it has to wait for a port that is shared: the lock device has one, and so has
 * memory, for what `ports` says. All other accesses, to a core's own devices, bell, number and the marker
 * window, and to the DMA device, go through ports of their own.
 *
 * As in es_target_node, an access to nowhere is never answered. After one, after a write to an exit
 * register, and when a processor has stopped, nothing is answered any more: each ends the run of all.
 *
 * Needs RISCV_FORMAL defined. `cores`, `ports`, `wait_states`, `bell_latency`
 * and `seed` stand still. Vectors have core
 * 0 lowest. Prefixes: bus_ are the cores' buses, rvfi_ their retire ports.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_shared #(
  parameter CORES = `ES_TARGET_CORES  // processors there are, 2 to 8
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [31:0]         seed,          // core c's RANDOM register has seed + c
  input  wire [3:0]          cores,         // processors that run, 1 to CORES; others stay in reset
  input  wire [1:0]          ports,         // memory accesses that share one port: 0 none, 1 data, 2 all
  input  wire [7:0]          wait_states,   // of every access
  input  wire [7:0]          bell_latency,  // clocks that a ring is on its way

  output wire [CORES-1:0]    bus_valid,
  output wire [CORES-1:0]    bus_ready,
  output wire [CORES-1:0]    bus_fetch,
  output wire [32*CORES-1:0] bus_addr,
  output wire [32*CORES-1:0] bus_wdata,
  output wire [4*CORES-1:0]  bus_wstrb,     // 0: read
  output wire [4*CORES-1:0]  bus_lanes,
  output wire [32*CORES-1:0] bus_rdata,

  output wire [CORES-1:0]    console_valid,
  output wire [8*CORES-1:0]  console_byte,
  output wire [CORES-1:0]    exited,
  output wire [32*CORES-1:0] exit_code,
  output wire [CORES-1:0]    fault,
  output wire [CORES-1:0]    trapped,
  output wire [32*CORES-1:0] fetch_pc,
  output wire [CORES-1:0]    sleeping,
  output wire                attention,     // any of console_valid, exited, fault, trapped is high

  output wire [CORES-1:0]    rvfi_valid,
  output wire [CORES-1:0]    rvfi_intr,
  output wire [32*CORES-1:0] rvfi_insn,
  output wire [32*CORES-1:0] rvfi_pc_rdata,
  output wire [32*CORES-1:0] rvfi_pc_wdata,
  output wire [5*CORES-1:0]  rvfi_rd_addr,
  output wire [32*CORES-1:0] rvfi_rd_wdata,
  output wire [32*CORES-1:0] rvfi_mem_addr,
  output wire [4*CORES-1:0]  rvfi_mem_rmask,
  output wire [4*CORES-1:0]  rvfi_mem_wmask,
  output wire [32*CORES-1:0] rvfi_mem_wdata
);

  initial begin
    if (CORES < 2 || CORES > `ES_TARGET_CORES) begin
      $error("es_target_shared: CORES must be 2 to 8");
      $finish;
    end
  end

  localparam [1:0] PORTS_DATA = 2'd1, PORTS_ONE = 2'd2;

  reg [63:0] cycle;
  always @(posedge clk)
    cycle <= rst ? 64'd0 : cycle + 64'd1;

  assign attention = |{console_valid, exited, fault, trapped};

  reg  faulted;  // in a clock before
  wire ended = faulted || |{exited, trapped};
  always @(posedge clk)
    faulted <= !rst && (faulted || |fault);

  // --- where the accesses go ---

  wire [CORES-1:0]    memory_here, device_here, ask_memory, ask_locks, ask_own;
  wire [CORES-1:0]    memory_done, locks_done, own_done, bell_take, lock_writes;
  wire [5*CORES-1:0]  lock_number;
  wire [32*CORES-1:0] memory_rdata, device_rdata;
  wire [31:0]         locks_rdata;
  wire [CORES-1:0]    dma_here, dma_irq;
  wire [32*CORES-1:0] dma_rdata;
  wire [5*CORES-1:0]  dma_offset;
  wire [CORES-1:0]    listens, wake_sets, wake_stops, wakes, listening;
  wire [CORES*CORES-1:0] rings;  // CORES bits a core: whose bells it rings
  reg  [CORES-1:0]    bell;
  reg  [CORES-1:0]    bell_interrupts;  // a bell that has rung is an external interrupt

  genvar g;
  generate
    for (g = 0; g < CORES; g = g + 1) begin : g_core
      localparam [31:0] NUMBER = g;

      wire [31:0] at     = bus_addr[32*g +: 32];
      wire        writes = bus_wstrb[4*g +: 4] != 4'd0;
      wire        whole  = bus_wstrb[4*g +: 4] == 4'hF || !writes;

      wire [31:0] mark_offset   = at - `ES_MARK_BASE;
      wire [31:0] shared_offset = {at[31:2], 2'd0} - `ES_TARGET_SHARED_BASE;
      wire        shared  = !bus_fetch[g] && whole;
      wire        mark    = mark_offset < `ES_MARK_SIZE && writes;
      wire        self    = shared && shared_offset == `ES_TARGET_SHARED_SELF && !writes;
      wire        bells   = shared && shared_offset == `ES_TARGET_SHARED_BELL;
      wire        alerts  = shared && shared_offset == `ES_TARGET_SHARED_BELL_INTERRUPTS;
      wire        listen  = shared && shared_offset == `ES_TARGET_SHARED_LISTEN;
      wire        wake_at = shared && shared_offset == `ES_TARGET_SHARED_WAKE_AT && writes;
      wire        wake_no = shared && shared_offset == `ES_TARGET_SHARED_WAKE_NEVER && writes;
      wire        lock    = shared && shared_offset - `ES_TARGET_SHARED_LOCK < 4 * `ES_TARGET_LOCKS;
      wire [31:0] dma_at  = {at[31:2], 2'd0} - `ES_TARGET_DMA_BASE;
      wire        own     = device_here[g] || mark || self || bells || alerts || dma_here[g] ||
                            listen || wake_at || wake_no;
      wire        contend = ports == PORTS_ONE || ports == PORTS_DATA && !bus_fetch[g];
      wire        live    = bus_valid[g] && !ended;

      assign ask_memory[g] = live && memory_here[g] && contend;
      assign ask_locks[g]  = live && lock;
      assign ask_own[g]    = live && (own || memory_here[g] && !contend);
      assign fault[g]      = bus_valid[g] && !(|exited) && !(own || lock || memory_here[g]);
      assign bus_ready[g]  = memory_done[g] || locks_done[g] || own_done[g];
      assign lock_writes[g] = writes;
      assign lock_number[5*g +: 5] = at[6:2];
      assign dma_here[g]   = shared && dma_at <= `ES_TARGET_DMA_DONE;
      assign dma_offset[5*g +: 5] = dma_at[4:0];
      assign listens[g]    = listen && writes && own_done[g];
      assign wake_sets[g]  = wake_at && own_done[g];
      assign wake_stops[g] = wake_no && own_done[g];
      assign bell_take[g]  = bells && !writes && own_done[g];
      assign rings[CORES*g +: CORES] =
        bus_wdata[32*g +: CORES] & {CORES{bells && writes && own_done[g]}};

      assign bus_rdata[32*g +: 32] =
        device_here[g] ? device_rdata[32*g +: 32] :
        self           ? {20'd0, cores, NUMBER[7:0]} :
        bells          ? {31'd0, bell[g]} :
        alerts         ? {31'd0, bell_interrupts[g]} :
        listen         ? {{32 - CORES{1'b0}}, listening} :
        dma_here[g]    ? dma_rdata[32*g +: 32] :
        lock           ? locks_rdata : memory_rdata[32*g +: 32];

      es_target_shared_node #(.RESET_PC(g == 0 ? 32'd0 : `ES_TARGET_OTHERS_BASE)) node (
        .clk(clk), .rst(rst || NUMBER >= {28'd0, cores}), .seed(seed + NUMBER), .cycle(cycle),
        .wake(bell[g]), .irq_other(dma_irq[g] || bell[g] && bell_interrupts[g]),
        .bus_valid(bus_valid[g]), .bus_ready(bus_ready[g]), .bus_fetch(bus_fetch[g]),
        .bus_addr(bus_addr[32*g +: 32]), .bus_wdata(bus_wdata[32*g +: 32]),
        .bus_wstrb(bus_wstrb[4*g +: 4]), .bus_lanes(bus_lanes[4*g +: 4]),
        .bus_rdata(bus_rdata[32*g +: 32]),
        .device_here(device_here[g]), .device_rdata(device_rdata[32*g +: 32]),
        .console_valid(console_valid[g]), .console_byte(console_byte[8*g +: 8]),
        .exited(exited[g]), .exit_code(exit_code[32*g +: 32]), .trapped(trapped[g]),
        .fetch_pc(fetch_pc[32*g +: 32]), .sleeping(sleeping[g]),
        .rvfi_valid(rvfi_valid[g]), .rvfi_intr(rvfi_intr[g]), .rvfi_insn(rvfi_insn[32*g +: 32]),
        .rvfi_pc_rdata(rvfi_pc_rdata[32*g +: 32]), .rvfi_pc_wdata(rvfi_pc_wdata[32*g +: 32]),
        .rvfi_rd_addr(rvfi_rd_addr[5*g +: 5]), .rvfi_rd_wdata(rvfi_rd_wdata[32*g +: 32]),
        .rvfi_mem_addr(rvfi_mem_addr[32*g +: 32]), .rvfi_mem_rmask(rvfi_mem_rmask[4*g +: 4]),
        .rvfi_mem_wmask(rvfi_mem_wmask[4*g +: 4]), .rvfi_mem_wdata(rvfi_mem_wdata[32*g +: 32])
      );

      always @(posedge clk) begin
        if (alerts && writes && own_done[g])
          bell_interrupts[g] <= bus_wdata[32*g];
        if (rst)
          bell_interrupts[g] <= 1'b0;
      end

      wire own_grant;
      es_target_arbiter #(.CORES(1)) own_port (
        .clk(clk), .rst(rst), .wait_states(wait_states), .req(ask_own[g]), .grant(own_grant),
        .done(own_done[g])
      );
      wire unused = &{1'b0, own_grant};
    end
  endgenerate

  // --- memory and locks ---

  wire [CORES-1:0] memory_grant;
  wire             unused = &{1'b0, memory_grant};

  es_target_arbiter #(.CORES(CORES)) memory_port (
    .clk(clk), .rst(rst), .wait_states(wait_states), .req(ask_memory), .grant(memory_grant),
    .done(memory_done)
  );

  wire        dma_en, dma_memory;
  wire [31:0] dma_addr, dma_data, dma_word;
  wire [3:0]  dma_wstrb;

  es_target_shared_memory #(.PORTS(CORES + 1)) memory (
    .clk(clk), .en({dma_en, bus_valid & bus_ready}), .addr({dma_addr, bus_addr}),
    .wdata({dma_data, bus_wdata}), .wstrb({dma_wstrb, bus_wstrb}),
    .here({dma_memory, memory_here}), .rdata({dma_word, memory_rdata})
  );

  es_target_dma #(.CORES(CORES)) dma (
    .clk(clk), .rst(rst), .seed(seed ^ 32'h80000000), .req(dma_here & own_done), .write(lock_writes),
    .offset(dma_offset), .wdata(bus_wdata), .rdata(dma_rdata), .irq(dma_irq),
    .en(dma_en), .addr(dma_addr), .data(dma_data), .wstrb(dma_wstrb), .word(dma_word),
    .here(dma_memory)
  );

  es_target_locks #(.CORES(CORES)) locks (
    .clk(clk), .rst(rst), .wait_states(wait_states), .req(ask_locks), .write(lock_writes),
    .number(lock_number), .done(locks_done), .rdata(locks_rdata)
  );

  // --- bells: one that rings in the clock in which its core reads it stays rung; those on their way,
  //     by the clock in which they were rung ---

  reg [CORES-1:0] rung;
  integer         k;
  always @* begin
    rung = wakes;
    for (k = 0; k < CORES; k = k + 1)
      rung = rung | rings[CORES*k +: CORES];
  end

  es_target_waker #(.CORES(CORES)) waker (
    .clk(clk), .rst(rst), .cores(cores), .cycle(cycle[31:0]), .listens(listens), .sets(wake_sets),
    .stops(wake_stops), .wdata(bus_wdata), .rung(rung), .wakes(wakes), .listening(listening)
  );

  reg  [CORES-1:0] on_way [0:255];
  wire [7:0]       due     = cycle[7:0] - bell_latency;
  wire [CORES-1:0] arrived = bell_latency == 8'd0           ? rung :
                             cycle >= {56'd0, bell_latency} ? on_way[due] : {CORES{1'b0}};

  always @(posedge clk) begin
    on_way[cycle[7:0]] <= rung;
    bell               <= rst ? {CORES{1'b0}} : bell & ~bell_take | arrived;
  end

endmodule

`resetall
