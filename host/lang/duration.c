/* Lengths of time, as a clock counts them. */
#include "lang/statement.h"

uint64_t es_duration_cycles(es_duration duration, uint64_t hertz)
{
    if (duration.cycles)
        return duration.count;
    /* whole seconds and the rest apart, so that nothing is lost: the rest times hertz needs 94 bits at most */
    uint64_t seconds = duration.count / 1000000000u, rest = duration.count % 1000000000u;
    if (hertz && seconds > UINT64_MAX / hertz)
        return UINT64_MAX;
    uint64_t whole = seconds * hertz;
    unsigned __int128 part = ((unsigned __int128)rest * hertz + 999999999u) / 1000000000u;
    return part > UINT64_MAX - whole ? UINT64_MAX : whole + (uint64_t)part;
}
