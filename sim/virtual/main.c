/* virtual-probe: simulated probes at virtual USB devices, for the commands that run in its environment. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "virtual/probes.h"
#include "vusb/usb_model.h"

#define RATIO 4 /* probe clocks per bus clock */
#define FAULTS_MAX 32

static const char usage[] =
    "usage: scripts/virtual-probe [OPTION]... PROGRAM.elf [-- COMMAND...]\n"
    "       scripts/virtual-probe --tell COMMAND...\n\n"
    "Runs COMMAND (default: a shell) where `earshot --probe ftdi` finds a simulated probe, whose target has "
    "PROGRAM.elf "
    "in its\nmemory, at a virtual FT2232H: unmodified libusb and libftdi1 talk to it. Ends when COMMAND does, with "
    "its exit code.\n\n"
    "      --serial TEXT    a probe with this serial number; several times: several probes (default: SIM1)\n"
    "      --kind KIND      ft2232h (default), or bulk: a vendor-class device, for --probe usb\n"
    "      --kernel-driver  the kernel's serial driver is bound to the probes, as where ftdi_sio is loaded\n"
    "      --start WHEN     when the target's reset button is pressed: each (default: for each monitor that is loaded, "
    "with its\n"
    "                       memory as the program file has it), once (for the first), now (it runs from the start), "
    "asked (only\n"
    "                       with the command `reset`)\n"
    "      --power FROM     usb (default: an unplugged probe has forgotten all when it is plugged in again), or own: "
    "it "
    "goes on\n"
    "                       and counts what it loses. The target has its own power and goes on anyway\n"
    "      --ratio N        probe clocks per bus clock (default 4)\n"
    "      --pace HZ        the probe's clock makes so many in a second of this computer's, once a monitor runs "
    "(several "
    "times: of\n"
    "                       the first probe, the second, and so on); without it, time is as fast as it can be "
    "simulated\n"
    "      --log FILE       gets a line for each hit that a probe sends: docs/virtual-probe.md\n"
    "      --gateware ID    the identification that the probes answer with, as 0x45530002: that of other gateware\n"
    "      --no-clock       the probes say that they cannot tell their time, as gateware built with TIME_NOW(0)\n"
    "      --seed N         of the target's random numbers (default 1; of the second probe's one more, and so on)\n"
    "      --fault-seed N   of what is random in faults (default 1)\n"
    "      --fault COMMAND  told to the probes before COMMAND starts (several times)\n"
    "      --interrupt      sends SIGINT to COMMAND when a target has ended and its probe has nothing left to do\n"
    "      --serve          runs no COMMAND: prints the environment for others, and ends with SIGINT or SIGTERM\n"
    "      --tell           hands a command to the virtual probes in whose environment it runs\n"
    "      --help           this text\n\n"
    "Commands (also a line each to the Unix socket $" CONTROL_VARIABLE "):\n";

enum {
    OPT_SERIAL = 256,
    OPT_KIND,
    OPT_KERNEL,
    OPT_START,
    OPT_POWER,
    OPT_RATIO,
    OPT_PACE,
    OPT_LOG,
    OPT_GATEWARE,
    OPT_NO_CLOCK,
    OPT_SEED,
    OPT_FAULT_SEED,
    OPT_FAULT,
    OPT_INTERRUPT,
    OPT_SERVE,
    OPT_TELL,
    OPT_HELP
};

static const struct option long_options[] = {
    {"serial", required_argument, NULL, OPT_SERIAL},
    {"kind", required_argument, NULL, OPT_KIND},
    {"kernel-driver", no_argument, NULL, OPT_KERNEL},
    {"start", required_argument, NULL, OPT_START},
    {"power", required_argument, NULL, OPT_POWER},
    {"ratio", required_argument, NULL, OPT_RATIO},
    {"pace", required_argument, NULL, OPT_PACE},
    {"log", required_argument, NULL, OPT_LOG},
    {"gateware", required_argument, NULL, OPT_GATEWARE},
    {"no-clock", no_argument, NULL, OPT_NO_CLOCK},
    {"seed", required_argument, NULL, OPT_SEED},
    {"fault-seed", required_argument, NULL, OPT_FAULT_SEED},
    {"fault", required_argument, NULL, OPT_FAULT},
    {"interrupt", no_argument, NULL, OPT_INTERRUPT},
    {"serve", no_argument, NULL, OPT_SERVE},
    {"tell", no_argument, NULL, OPT_TELL},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

typedef struct settings {
    const char *serials[PROBES_MAX], *faults[FAULTS_MAX];
    unsigned paces[PROBES_MAX];
    size_t serial_count, fault_count, pace_count;
    es_board_config board;
    es_vusb_config usb;
    bool interrupt, serve, tell, help;
} settings;

/* --- options ---------------------------------------------------------------------------------------------- */

static bool take_word(const char *what, const char *const *words, unsigned *place, es_error *err)
{
    for (*place = 0; words[*place]; ++*place)
        if (strcmp(words[*place], optarg) == 0)
            return true;
    return es_fail(err, ES_USAGE, "%s cannot be '%s': --help says what it can be", what, optarg);
}

static bool take_number(const char *what, unsigned long most, unsigned long *number, es_error *err)
{
    char *end;
    *number = strtoul(optarg, &end, 10);
    return (*optarg >= '0' && *optarg <= '9' && !*end && *number <= most) ||
           es_fail(err, ES_USAGE, "%s takes a number up to %lu, not '%s'", what, most, optarg);
}

static bool take_text(const char *what, const char **texts, size_t *count, size_t most, es_error *err)
{
    if (*count == most)
        return es_fail(err, ES_USAGE, "%s can be given %zu times", what, most);
    texts[(*count)++] = optarg;
    return true;
}

static bool parse_option(int option, settings *s, es_error *err)
{
    static const char *const kinds[] = {"ft2232h", "bulk", NULL}, *const powers[] = {"usb", "own", NULL};
    static const char *const starts[] = {"each", "once", "now", "asked", NULL};
    unsigned place;
    unsigned long number;
    switch (option) {
    case OPT_SERIAL: return take_text("--serial", s->serials, &s->serial_count, PROBES_MAX, err);
    case OPT_FAULT: return take_text("--fault", s->faults, &s->fault_count, FAULTS_MAX, err);
    case OPT_KIND:
        if (!take_word("--kind", kinds, &place, err))
            return false;
        s->usb.kind = place ? &es_usb_bulk : &es_usb_ft2232h;
        return true;
    case OPT_START:
        if (!take_word("--start", starts, &place, err))
            return false;
        s->board.start = (enum es_board_start)place;
        return true;
    case OPT_POWER:
        if (!take_word("--power", powers, &place, err))
            return false;
        s->board.own_power = place == 1;
        return true;
    case OPT_RATIO:
        if (!take_number("--ratio", 1000, &number, err))
            return false;
        s->board.ratio = (unsigned)number;
        return number != 0 || es_fail(err, ES_USAGE, "--ratio cannot be 0");
    case OPT_PACE:
        if (!take_number("--pace", 10000000, &number, err))
            return false;
        if (s->pace_count == PROBES_MAX)
            return es_fail(err, ES_USAGE, "--pace can be given %d times", PROBES_MAX);
        s->paces[s->pace_count++] = (unsigned)number;
        return true;
    case OPT_LOG:
        s->board.log = fopen(optarg, "we");
        return s->board.log || es_fail(err, ES_USAGE, "--log: %s cannot be written", optarg);
    case OPT_GATEWARE: {
        char *end;
        number = strtoul(optarg, &end, 16);
        s->board.gateware = (uint32_t)number;
        return (strncmp(optarg, "0x", 2) == 0 && !*end && number && number <= UINT32_MAX) ||
               es_fail(err, ES_USAGE, "--gateware takes an identification as 0x45530002, not '%s'", optarg);
    }
    case OPT_NO_CLOCK: s->board.no_clock = true; return true;
    case OPT_SEED:
        if (!take_number("--seed", UINT32_MAX, &number, err))
            return false;
        s->board.seed = (uint32_t)number;
        return true;
    case OPT_FAULT_SEED:
        if (!take_number("--fault-seed", UINT32_MAX, &number, err))
            return false;
        s->usb.seed = number;
        return true;
    case OPT_KERNEL: s->usb.kernel_bound = true; return true;
    case OPT_INTERRUPT: s->interrupt = true; return true;
    case OPT_SERVE: s->serve = true; return true;
    case OPT_TELL: s->tell = true; return true;
    case OPT_HELP: s->help = true; return true;
    default: return es_fail(err, ES_USAGE, "--help says what can be asked for");
    }
}

/* --- starting --------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t command_process;

static void on_end(void *context)
{
    (void)context;
    if (command_process)
        kill(command_process, SIGINT);
}

static bool add_probe(virtual_probes *all, const settings *s, const char *serial, es_error *err)
{
    virtual_probe *probe = &all->probes[all->count++];
    es_board_config board = s->board;
    es_vusb_config usb = s->usb;
    snprintf(probe->serial, sizeof probe->serial, "%s", serial);
    board.name = probe->serial;
    board.on_end = s->interrupt ? on_end : NULL;
    board.seed += (uint32_t)(all->count - 1);
    if (s->pace_count)
        board.pace_hz = s->paces[all->count <= s->pace_count ? all->count - 1 : s->pace_count - 1];
    usb.seed += all->count - 1;
    probe->board = es_board_new(&board, err);
    usb.port = &es_board_port;
    usb.context = probe->board;
    usb.serial = probe->serial;
    probe->usb = probe->board ? es_vusb_open(&usb, err) : NULL;
    return probe->usb != NULL;
}

static void remove_probes(virtual_probes *all)
{
    for (size_t i = 0; i < all->count; i++) {
        es_vusb_stop(all->probes[i].usb);
        es_board_free(all->probes[i].board);
    }
    if (all->control_path[0])
        unlink(all->control_path);
}

static bool add_all(virtual_probes *all, const settings *s, es_error *err)
{
    for (size_t i = 0; i < s->serial_count; i++)
        if (!add_probe(all, s, s->serials[i], err))
            return false;
    char *folder = es_vusb_folder();
    snprintf(all->control_path, sizeof all->control_path, "%s/control", folder ? folder : "");
    free(folder);
    if (!virtual_listen(all, err))
        return false;
    setenv(CONTROL_VARIABLE, all->control_path, 1);
    for (size_t i = 0; i < s->fault_count; i++) {
        es_text_buffer reply = {0};
        bool good = virtual_tell(all, s->faults[i], &reply);
        if (!good)
            es_fail(err, ES_USAGE, "--fault '%s': %s", s->faults[i], reply.text);
        es_text_free(&reply);
        if (!good)
            return false;
    }
    return true;
}

/* The command's process. */
static int start_command(char **command)
{
    static char *shell[] = {NULL, NULL};
    sigset_t none;
    pid_t server = getpid();
    if (!command[0]) {
        const char *wanted = getenv("SHELL");
        shell[0] = strdup(wanted && *wanted ? wanted : "/bin/sh");
        command = shell;
    }
    pid_t process = fork();
    if (process != 0)
        return process;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* without its devices it could only fail */
    if (getppid() != server)
        _exit(ES_PROBE);
    execvp(command[0], command);
    fprintf(stderr, "virtual-probe: %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

static int run(const settings *s, char **command, int signals)
{
    virtual_probes all = {.control = -1};
    es_error err = {0};
    int code = ES_PROBE;
    if (!add_all(&all, s, &err)) {
        fprintf(stderr, "virtual-probe: %s\n", err.text);
        code = (int)err.code;
    } else if (s->serve) {
        printf("export UMOCKDEV_DIR=%s LD_PRELOAD='%s' " CONTROL_VARIABLE "=%s\n", getenv("UMOCKDEV_DIR"),
               getenv("LD_PRELOAD"), all.control_path);
        fflush(stdout);
        code = virtual_serve(&all, signals, 0);
    } else {
        command_process = start_command(command);
        code = command_process > 0 ? virtual_serve(&all, signals, command_process) : ES_PROBE;
    }
    remove_probes(&all);
    return code;
}

static int tell(char **words)
{
    char line[LINE_MAX_SIZE] = "";
    size_t used = 0;
    for (; *words && used < sizeof line; words++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", used ? " " : "", *words);
    return virtual_send(line);
}

/* Before there is a second thread: all of them are to leave these signals alone. */
static int take_signals(void)
{
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, SIGCHLD);
    sigaddset(&mine, SIGINT);
    sigaddset(&mine, SIGTERM);
    sigprocmask(SIG_BLOCK, &mine, NULL);
    return signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(int argc, char **argv)
{
    settings s = {.board = {.ratio = RATIO, .seed = 1}, .usb = {.seed = 1}};
    es_error err = {0};
    int option;
    while ((option = getopt_long(argc, argv, "+", long_options, NULL)) != -1) {
        if (!parse_option(option, &s, &err)) {
            fprintf(stderr, "virtual-probe: %s\n", err.text);
            return ES_USAGE;
        }
    }
    if (s.help) {
        printf("%s%s", usage, virtual_commands);
        return ES_OK;
    }
    if (s.tell)
        return tell(argv + optind);
    if (optind == argc) {
        fputs("virtual-probe: which program is on the target? --help says more\n", stderr);
        return ES_USAGE;
    }
    s.board.program = argv[optind++];
    if (optind < argc && strcmp(argv[optind], "--") == 0)
        optind++;
    if (!s.serial_count)
        s.serials[s.serial_count++] = "SIM1";
    return run(&s, argv + optind, take_signals());
}
