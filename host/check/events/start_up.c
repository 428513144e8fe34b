/* Start-up code. */
#include "image/tables/start_up.h"
#include "check/events/checker.h"

bool es_checker_is_start_up(const checker *c, size_t p)
{
    return p != CHECK_NONE && (p == c->program.entry || es_start_up_copies(c->program.procedures[p].procedure));
}
