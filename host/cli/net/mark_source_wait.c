/* Waits for what a probe says. */
#include "cli/net/mark_source_inside.h"

bool es_mark_source_check_fault(const es_mark_source *s, es_error *err)
{
    return !s->faulted || es_fail(err, ES_PROBE, "the probe's firmware stopped: fault %u (0x%08x)", (unsigned)s->fault,
                                  (unsigned)s->fault_detail);
}

bool es_mark_source_wait_for(es_mark_source *s, const bool *flag, int ms, es_error *err)
{
    for (int waited = 0; !*flag && !s->faulted && waited < ms;) {
        int got = es_link_pump(s->link, 10, err);
        if (got < 0)
            return got == -2 ? es_fail(err, ES_PROBE, "the connection to the probe ended") : false;
        waited += got ? 0 : 10;
    }
    return es_mark_source_check_fault(s, err);
}
