  /* What the node of every foreign processor has around it: the target's memory, devices and marks on one valid/ready bus.
   * Before it the node declares and drives mem_valid, mem_fetch, mem_addr, mem_wdata, mem_wstrb, and after it goes on with
   * mem_error (with GUESSES: a fetch from nowhere, which may never be executed), mem_ready, mem_rdata, irq_timer and irq_external. TICK: the devices count 2^TICK clocks as one, as programs expect a processor that
   * is not much slower than the reference one. `memory` is where the shim loads programs. ES_CORE_COMPRESSED 1: the
   * processor executes instructions of 16 bits, and its retire port tells them as they are. */
`ifndef ES_CORE_COMPRESSED
  `define ES_CORE_COMPRESSED 0
`endif
  wire [31:0] mem_rdata, memory_rdata, device_rdata;
  wire        mem_ready, memory_here, device_here, irq_timer, irq_external, ended;
  wire [31:0] mark_offset = mem_addr - `ES_MARK_BASE;
  wire        mark_here = mark_offset < `ES_MARK_SIZE && mem_wstrb != 4'd0;
  wire        here = memory_here || device_here || mark_here;

  wire        mem_error = mem_fetch && !here && GUESSES != 0;

  assign mem_ready = mem_valid && (here || mem_error) && !ended;
  assign mem_rdata = device_here ? device_rdata : memory_rdata;
  assign fault     = mem_valid && !here && !mem_error && !ended;
  assign msg_req   = 1'b0;

  es_target_memory #(.ROM_SIZE(ROM_SIZE), .RAM_BASE(RAM_BASE), .RAM_SIZE(RAM_SIZE)) memory (
    .clk(clk), .en(mem_ready && here), .addr(mem_addr), .wdata(mem_wdata), .wstrb(mem_wstrb),
    .here(memory_here), .rdata(memory_rdata)
  );

  es_target_devices devices (
    .clk(clk), .rst(rst), .cycle(cycle >> TICK), .en(mem_ready && here), .addr(mem_addr), .wdata(mem_wdata),
    .wstrb(mem_wstrb), .here(device_here), .rdata(device_rdata), .seed(seed), .irq_timer(irq_timer),
    .irq_external(irq_external), .console_valid(console_valid), .console_byte(console_byte),
    .exited(ended), .exit_code(exit_code)
  );

  always @(posedge clk) begin
    if (mem_ready && mem_fetch)
      fetch_pc <= mem_addr;
    if (rst)
      fetch_pc <= 32'd0;
  end

  wire unused_system = &{1'b0, msg_ack, msg_none, msg_rdata, irq_timer, irq_external,
    mem_error, WAIT[0], COMPRESSED[0], MULDIV[0]};
