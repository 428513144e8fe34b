  // The probe's side of es_world_serial and of the worlds around it: clocks, pins, and the bytes of its line.
  input  wire        clk,
  input  wire        rst,
  input  wire        clk_pipe,   // of es_probe, like the next three: edges that change something
  input  wire        clk_soc,
  input  wire        clk_link,
  input  wire        clk_cpu,
  output wire [2:0]  calm,
  output wire [7:0]  trigger,
  output wire        halt,
  output wire        cpu_sleeping,
  output wire        cpu_wake,
  output wire        idle,
  output wire        recording,  // it records inputs
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire [7:0]  rx_byte,
  input  wire        rx_put,     // only while !rx_full: rx_byte goes to the serial line
  output wire        rx_full
