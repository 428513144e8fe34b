/* Runs graphviz: the text goes through a file to its standard input, and the picture comes back through a pipe. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/formats/show.h"

static bool start(FILE *input, int output, pid_t *child, es_error *err)
{
    static char name[] = "dot", format[] = "-Tsvg";
    static char *const arguments[] = {name, format, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    int problem = posix_spawnp(child, "dot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem == 0)
        return true;
    return es_fail(err, ES_OUTPUT, "dot, of the package graphviz, cannot be started: %s", strerror(problem));
}

/* Reads all that the child writes, and waits for its end. */
static bool collect(int from, pid_t child, es_text_buffer *svg, es_error *err)
{
    char chunk[8192];
    ssize_t got;
    while ((got = read(from, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            es_text_add(svg, chunk, (size_t)got);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (got == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return es_fail(err, ES_OUTPUT, "dot could not draw the net; `earshot net show --dot` prints what it was given");
}

bool es_net_show_svg(const es_text_buffer *dot, es_text_buffer *svg, es_error *err)
{
    int ends[2];
    FILE *input = tmpfile();
    if (!input || fwrite(dot->text, 1, dot->length, input) != dot->length || fflush(input) != 0 ||
        fseek(input, 0, SEEK_SET) != 0 || pipe2(ends, O_CLOEXEC) != 0) {
        es_fail(err, ES_OUTPUT, "a temporary file for dot cannot be written: %s", strerror(errno));
        if (input)
            fclose(input);
        return false;
    }
    pid_t child;
    bool good = start(input, ends[1], &child, err);
    close(ends[1]);
    good = good && collect(ends[0], child, svg, err);
    close(ends[0]);
    fclose(input);
    return good;
}
