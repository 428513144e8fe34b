/* The end of a run: the exit register stops the simulation; the loop is for the clocks until it has. */
#include "target.h"

void _exit(int code)
{
    for (;;)
        TARGET_REGISTER(ES_TARGET_IO_EXIT) = (uint32_t)code;
}
