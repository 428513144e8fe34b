/* Damaged programs: some thousand deterministic mutations of good ones. Each is either refused with a message or
 * answers all questions; none crashes or hangs. The mutations run in child processes, in batches, so that a crash is
 * seen as a failure with its number.
 */
#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "common.h"
#include "exercise.h"

enum { MUTATIONS = 2100, BATCH = 100 };

static uint32_t random_state;
static uint32_t next_random(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % below;
}

static uint8_t *original, *mutant;
static size_t size;

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert(file);
    original = malloc(1 << 20);
    mutant = malloc(1 << 20);
    size = fread(original, 1, 1 << 20, file);
    fclose(file);
}

/* A place in a region of interest: the header, program headers, section headers, or a debug or symbol section. */
static uint32_t interesting_offset(void)
{
    Elf32_Ehdr header;
    memcpy(&header, original, sizeof header);
    uint32_t which = next_random(10);
    if (which == 0)
        return next_random(sizeof header);
    if (which == 1)
        return header.e_phoff + next_random(header.e_phnum * header.e_phentsize);
    if (which == 2)
        return header.e_shoff + next_random(header.e_shnum * header.e_shentsize);
    for (;;) {
        Elf32_Shdr section;
        memcpy(&section, original + header.e_shoff + next_random(header.e_shnum) * sizeof section, sizeof section);
        if (section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS && section.sh_size &&
            !(section.sh_flags & SHF_WRITE))
            return section.sh_offset + next_random(section.sh_size);
    }
}

static void mutate(unsigned number)
{
    static const uint8_t favourites[] = {0x00, 0xFF, 0x7F, 0x80, 0x01};
    random_state = 0x9E3779B9u ^ (number + 1) * 2654435761u;
    memcpy(mutant, original, size);
    uint32_t changes = 1 + next_random(4);
    for (uint32_t i = 0; i < changes; i++) {
        uint32_t at = interesting_offset(), length = 1 + next_random(4);
        for (uint32_t k = 0; k < length && at + k < size; k++)
            switch (next_random(3)) {
            case 0: mutant[at + k] ^= (uint8_t)(1 << next_random(8)); break;
            case 1: mutant[at + k] = favourites[next_random(sizeof favourites)]; break;
            default: mutant[at + k] = (uint8_t)next_random(256); break;
            }
    }
}

static void try_mutation(unsigned number, const char *path)
{
    mutate(number);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(mutant, 1, size, file) != size)
        _exit(3);
    fclose(file);
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(path, &err);
    if (symbols)
        exercise(symbols);
    else if (err.code != ES_USAGE || !err.text[0])
        _exit(4);
    es_symbols_close(symbols);
}

START_TEST(damage_is_survived)
{
    load(test_programs[_i % TEST_PROGRAMS]);
    char path[512];
    snprintf(path, sizeof path, "%s/mutant-%ld.elf", TEST_DIR, (long)getpid());
    for (unsigned number = (unsigned)_i * BATCH; number < (unsigned)(_i + 1) * BATCH; number++) {
        int report[2];
        if (number % BATCH && number % 10)
            continue; /* ten a child */
        ck_assert_int_eq(pipe(report), 0);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            for (unsigned n = number; n < number + 10; n++) {
                if (write(report[1], &n, sizeof n) != (ssize_t)sizeof n)
                    _exit(5);
                try_mutation(n, path);
            }
            _exit(0);
        }
        close(report[1]);
        unsigned last = number, n;
        while (read(report[0], &n, sizeof n) == (ssize_t)sizeof n)
            last = n;
        close(report[0]);
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "mutation %u of %s: %s %d", last,
                      test_programs[_i % TEST_PROGRAMS], WIFSIGNALED(status) ? "signal" : "status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    unlink(path);
    free(original);
    free(mutant);
}
END_TEST

/* libdw keeps a rule for each register up to the one that a table names. */
START_TEST(registers_that_no_processor_has_cost_nothing)
{
    es_symbols *symbols = test_open(test_path("registers.elf"));
    exercise(symbols);
    es_symbols_close(symbols);
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    ck_assert_int_lt(usage.ru_maxrss, 400 * 1024); /* KiB */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mutation");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, damage_is_survived, 0, MUTATIONS / BATCH);
    tcase_add_test(all, registers_that_no_processor_has_cost_nothing);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
