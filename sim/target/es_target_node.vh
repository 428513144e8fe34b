/* Parameters and ports of es_target_node, the same whatever processor is in it (docs/attach-core.md):
 * included right after the module's name.
 */
#(
  parameter        WAIT     = 0,                     // wait states of every access, 0 to 255
  parameter [31:0] ROM_SIZE = `ES_TARGET_ROM_SIZE,  // as in es_target_memory
  parameter [31:0] RAM_BASE = `ES_TARGET_RAM_BASE,
  parameter [31:0] RAM_SIZE = `ES_TARGET_RAM_SIZE,
  parameter        COMPRESSED = 1,                   // as in es_cpu; not of others
  parameter        MULDIV     = 1
) (
  input  wire        clk,
  input  wire        rst,
  input  wire [31:0] seed,
  input  wire [63:0] cycle,     // clocks since reset

  output wire        msg_req,   // bus_addr, bus_wdata and bus_wstrb describe it
  input  wire        msg_ack,   // done; a read's data is valid
  input  wire        msg_none,  // there is no such register: the access is never answered
  input  wire [31:0] msg_rdata,

  output wire        bus_valid,
  output wire        bus_ready,
  output wire        bus_fetch,
  output wire [31:0] bus_addr,
  output wire [31:0] bus_wdata,
  output wire [3:0]  bus_wstrb,
  output wire [3:0]  bus_lanes,
  output wire [31:0] bus_rdata,

  output wire        console_valid,
  output wire [7:0]  console_byte,
  output wire        exited,
  output wire [31:0] exit_code,
  output wire        fault,
  output wire        trapped,
  output reg  [31:0] fetch_pc,  // address of the last instruction fetched

  output wire        rvfi_valid,
  output wire        rvfi_intr,
  output wire [31:0] rvfi_insn,
  output wire [31:0] rvfi_pc_rdata,
  output wire [31:0] rvfi_pc_wdata,
  output wire [4:0]  rvfi_rd_addr,
  output wire [31:0] rvfi_rd_wdata,
  output wire [31:0] rvfi_mem_addr,
  output wire [3:0]  rvfi_mem_rmask,
  output wire [3:0]  rvfi_mem_wmask,
  output wire [31:0] rvfi_mem_wdata
);
