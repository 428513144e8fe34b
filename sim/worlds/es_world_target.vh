  // The target in every simulated world; its bus goes on to the tap where there is one. A world may define other parameters of it.
`ifndef ES_WORLD_TARGET
  `define ES_WORLD_TARGET .CORES(1), .WAIT(0)
`endif
  reg rst_bus_now;
  always @(posedge clk_bus)
    rst_bus_now <= rst_bus;

  es_target #(`ES_WORLD_TARGET) target (
    .clk(clk_bus), .rst(rst_bus_now), .seed(seed),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_rdata(bus_rdata),
    .console_valid(console_valid), .console_byte(console_byte), .exited(exited), .exit_code(exit_code), .fault(fault),
    .trapped(trapped), .fetch_pc(fetch_pc), .attention(attention),
    .rvfi_valid(rvfi_valid), .rvfi_intr(rvfi_intr), .rvfi_insn(rvfi_insn), .rvfi_pc_rdata(rvfi_pc_rdata),
    .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
    .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
    .rvfi_mem_wdata(rvfi_mem_wdata)
  );
