/* What comes, in the order of the events: of several probes, from whose turn it is. */
#include "session/groups.h"
#include "session/private.h"

int es_session_groups_pump(session *s, int timeout_ms, es_error *err)
{
    if (s->groups.count <= 1 || !s->group)
        return es_link_pump(s->link, timeout_ms, err);
    size_t next = s->probe.target->next(s->probe.target_context);
    return next < s->groups.count ? es_link_pump(s->group[next].link, 0, err) : 0;
}
