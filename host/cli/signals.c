/* SIGINT, SIGTERM and SIGHUP: the first ends the run, with its summary. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/signals.h"

/* The end of a run takes no longer, with a probe that answers. `timeout` and shells often send a signal twice, to the
 * process and to its group; and people press ^C again when nothing seems to happen. Neither may cost the summary. */
#define PATIENCE_S 3
#define AT_ONCE 3 /* so many signals end it at once */

static volatile sig_atomic_t signals;
static struct timespec first;
static void (*before_exit)(void);

static void on_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!signals)
        first = now;
    signals = signals + 1;
    bool waited = now.tv_sec - first.tv_sec - (now.tv_nsec < first.tv_nsec) >= PATIENCE_S;
    if (signals < AT_ONCE && !(signals > 1 && waited))
        return;
    if (before_exit)
        before_exit();
    _exit(128 + number); /* the user does not want to wait for the summary */
}

void es_cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* not under nohup */
        sigaction(SIGHUP, &action, NULL);
}

void es_cli_before_exit(void (*function)(void))
{
    before_exit = function;
}

bool es_cli_stop_asked(void)
{
    return signals != 0;
}
