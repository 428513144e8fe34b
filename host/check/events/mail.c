/* The host's mail: it may ask for the status, the path or the closing figures at any time. The firmware looks at it in
 * passes of its main loop without a hit, and a hit that comes meanwhile waits until the pass is over. */
#include "check/events/checker.h"

#include <image.h>

#define CLOSING_WORDS 6 /* of the frame DONE */

bool es_checker_find_idle(checker *c)
{
    c->idle = es_checker_cost(c, ES_CHECK_IDLE, 0, (es_check_situation){.depth = es_checker_depth(c, CHECK_NONE)});
    if (c->words) { /* of one pass; and of the others, as the link may have taken nothing since */
        int64_t figures = (int64_t)es_image_figures(c->statements);
        c->idle += figures + 2 * ((figures + ES_MI_FLUSH_FIGURES - 1) / ES_MI_FLUSH_FIGURES) + CLOSING_WORDS;
    }
    return !c->failed;
}

/* Let B be the greatest backlog of a soft core that has only a share of its clocks. Then in t soft core clocks there
 * comes work of share * t + B at most, and while there is no pass without a hit all of the t clocks are work: t is
 * B / (1 - share) at most. */
double es_checker_mail_waits(checker *c, const es_check_costs *costs)
{
    enum { WHOLE = 16 };
    static const int64_t shares[] = {8, 12, 14, 15};
    double least = -1;
    es_check_ratio ratio = c->options->ratio;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double backlog = es_checker_backlog(c, costs, (es_check_ratio){ratio.core * shares[i], ratio.bus * WHOLE});
        double clocks = (backlog + (double)c->idle) * WHOLE / (double)(WHOLE - shares[i]);
        if (backlog >= 0 && (least < 0 || clocks < least))
            least = clocks;
    }
    return least;
}
