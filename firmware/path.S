/* C: void send_path(void); docs/link.md has the frames. */
#include "path.inc"

    .section .text
    .option norelax
    .globl send_path
    .type send_path, @function
send_path:
    send_changed ret
