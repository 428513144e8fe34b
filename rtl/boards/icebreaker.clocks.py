# Read by nextpnr before packing: the clocks' frequencies in MHz.
ctx.addClock("clk", 24)
ctx.addClock("clk_tap", 48)
