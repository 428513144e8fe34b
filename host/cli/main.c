/* earshot: finds the subcommand and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* clang-format off */
static const es_command *const commands[] = {
    &es_command_watch,
    &es_command_test,
    &es_command_top,
    &es_command_stats,
    &es_command_list,
    &es_command_record,
    &es_command_runs,
    &es_command_read,
    &es_command_export,
    &es_command_probes,
    &es_command_report,
    &es_command_gdb,
    &es_command_why,
    &es_command_check,
    &es_command_net,
    &es_command_infer,
    &es_command_predict,
};
/* clang-format on */

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const es_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_usage(FILE *out)
{
    fputs("usage: earshot COMMAND [OPTION]...\n\n"
          "Listens on a target's memory bus and reports when predicates over its program's variables become true.\n\n"
          "commands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    fputs("  help     shows how to use a command: earshot help COMMAND\n\n"
          "options:\n"
          "  --help     this text\n"
          "  --version  the version\n\n"
          "exit status: 0 done, 1 an expectation failed or the program crashed, 2 usage error, 3 probe error, "
          "4 data lost where forbidden,\n"
          "5 results or a recording cannot be written\n",
          out);
}

static int help(int argc, char *const *argv)
{
    if (argc < 2) {
        print_usage(stdout);
        return ES_OK;
    }
    const es_command *command = find_command(argv[1]);
    if (command && !command->usage)
        return command->run(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
    if (command) {
        fputs(command->usage, stdout);
        return ES_OK;
    }
    fprintf(stderr, "earshot: there is no command '%s'; `earshot help` lists them\n", argv[1]);
    return ES_USAGE;
}

/* Files opened later must not take the place of a standard stream that the caller has closed. Writing to such a one
 * fails. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(ES_OUTPUT);
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return ES_USAGE;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(1, argv);
    if (strcmp(argv[1], "--version") == 0) {
        puts("earshot " ES_VERSION);
        return ES_OK;
    }
    const es_command *command = find_command(argv[1]);
    if (command && argc == 3 && strcmp(argv[2], "-h") == 0) /* what many type; not among what commands' letters mean */
        return help(2, (char *[]){"help", argv[1], NULL});
    if (command)
        return command->run(argc - 1, argv + 1);
    if (argv[1][0] == '-') {
        fprintf(stderr, "earshot: there is no option '%s' before a command; see `earshot --help`\n", argv[1]);
        return ES_USAGE;
    }
    fprintf(stderr, "earshot: there is no command '%s'; `earshot help` lists them\n", argv[1]);
    return ES_USAGE;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    setlocale(LC_CTYPE, "");  /* only to learn whether the terminal takes UTF-8 */
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as a failed write */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow any more */
    int code = run(argc, argv);
    /* An earlier write that failed has left nothing to flush, but its mark. */
    bool failed_before = ferror(stdout);
    errno = 0;
    bool flushed = fflush(stdout) == 0;
    if (code != ES_OK || (flushed && !failed_before) || (!flushed && errno == EPIPE) || es_cli_has_reader_left())
        return code;
    es_error err;
    es_fail(&err, ES_OUTPUT, "results cannot be written: %s",
            flushed ? "standard output does not accept more" : strerror(errno));
    return es_cli_fail(&err);
}
