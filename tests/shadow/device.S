# The reference target's devices as plain memory, for programs that run in qemu.
  .section .device, "aw", @nobits
  .skip 4096
