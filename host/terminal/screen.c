#include "terminal/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define ERASE "\r\033[J"

/* Signal handlers look at these. */
static struct termios usual; /* as the user had it */
static volatile sig_atomic_t open_now, keys_on, drawn, continued;

bool es_screen_usable(void)
{
    const char *name = getenv("TERM");
    return isatty(STDOUT_FILENO) && name && *name && strcmp(name, "dumb") != 0;
}

static bool owns(int terminal)
{
    return tcgetpgrp(terminal) == getpgrp();
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* Not in the background, where setting the modes would stop the process. */
static void take_keys(void)
{
    if (!isatty(STDIN_FILENO) || !owns(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &usual) != 0)
        return;
    struct termios mode = usual;
    mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    keys_on = tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) == 0;
}

static void give_keys_back(void)
{
    if (keys_on && owns(STDIN_FILENO))
        tcsetattr(STDIN_FILENO, TCSANOW, &usual);
    keys_on = 0;
}

int es_screen_key(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char key;
    if (!keys_on || !owns(STDIN_FILENO) || poll(&in, 1, 0) <= 0 || !(in.revents & POLLIN))
        return -1;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
}

bool es_screen_in_front(void)
{
    if (!open_now || !owns(STDOUT_FILENO))
        return false;
    if (continued) {
        continued = 0;
        keys_on = 0; /* whatever the shell has made of them */
        take_keys();
    }
    return true;
}

/* --- the line ----------------------------------------------------------------------------------------------------- */

void es_screen_draw(const char *line)
{
    fprintf(stdout, ERASE "%s\r", line);
    fflush(stdout);
    drawn = 1;
}

void es_screen_erase(void)
{
    if (!drawn)
        return;
    drawn = 0;
    fputs(ERASE, stdout);
    fflush(stdout);
}

bool es_screen_drawn(void)
{
    return drawn;
}

/* --- stops and ends ----------------------------------------------------------------------------------------------- */

void es_screen_restore(void)
{
    if (!open_now)
        return;
    if (drawn && owns(STDOUT_FILENO) && write(STDOUT_FILENO, ERASE, strlen(ERASE)) < 0)
        return;
    drawn = 0;
    give_keys_back();
}

static void on_stop(int number)
{
    int error = errno;
    es_screen_restore();
    /* stops as without this handler, and comes back here when it is continued */
    struct sigaction usual_action = {.sa_handler = SIG_DFL}, ours;
    sigset_t stop;
    sigaction(number, &usual_action, &ours);
    sigemptyset(&stop);
    sigaddset(&stop, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
    sigaction(number, &ours, NULL);
    continued = 1;
    errno = error;
}

/* Also after SIGSTOP, which nobody can catch. */
static void on_continue(int number)
{
    (void)number;
    continued = 1;
}

void es_screen_open(void)
{
    struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    struct sigaction go_on = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
    static bool registered;
    if (open_now)
        return;
    open_now = 1;
    sigemptyset(&stop.sa_mask);
    sigemptyset(&go_on.sa_mask);
    sigaction(SIGTSTP, &stop, NULL);
    sigaction(SIGCONT, &go_on, NULL);
    if (!registered)
        atexit(es_screen_close);
    registered = true;
    take_keys();
    continued = !keys_on; /* in the background: when it comes to the front */
}

void es_screen_close(void)
{
    if (!open_now)
        return;
    es_screen_restore();
    signal(SIGTSTP, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
    open_now = 0;
}
