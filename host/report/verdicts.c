#include "report/verdicts.h"

#include <string.h>

#include "base/times.h"

#define CONSOLE_LINES 20 /* of a run that did not go well: the last ones */

enum style { RED, GREEN, YELLOW, DIM };

static void add_styled(es_text_buffer *out, const es_verdicts_config *config, enum style style, const char *text)
{
    static const char *const codes[] = {
        [RED] = "\033[1;31m", [GREEN] = "\033[32m", [YELLOW] = "\033[1;33m", [DIM] = "\033[2m"};
    es_text_format(out, "%s%s%s", config->color ? codes[style] : "", text, config->color ? "\033[0m" : "");
}

/* Lines with something before each. What a target wrote must not steer the terminal. */
static void add_lines(es_text_buffer *out, const char *before, const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        if (begins)
            es_text_format(out, "%s", before);
        begins = *text == '\n';
        bool control = (unsigned char)*text < ' ' && *text != '\n' && *text != '\t';
        es_text_add(out, control ? "?" : text, 1);
    }
    if (!begins)
        es_text_format(out, "\n");
}

/* Where the last `count` lines of a text begin. */
static const char *last_lines(const char *text, size_t count)
{
    const char *at = text + strlen(text);
    for (; at > text; at--)
        if (at[-1] == '\n' && *at && count-- == 1)
            break;
    return at;
}

static void add_result(es_text_buffer *out, const es_result *result, const es_verdicts_config *config)
{
    static const char *const words[] = {
        [ES_VERDICT_MET] = "met    ", [ES_VERDICT_FAILED] = "FAILED ", [ES_VERDICT_UNKNOWN] = "unknown"};
    static const enum style styles[] = {
        [ES_VERDICT_MET] = GREEN, [ES_VERDICT_FAILED] = RED, [ES_VERDICT_UNKNOWN] = YELLOW};
    es_text_format(out, "  ");
    add_styled(out, config, styles[result->verdict], words[result->verdict]);
    es_text_format(out, "  %s", result->name);
    if (result->verdict == ES_VERDICT_MET) {
        es_text_format(out, "\n");
        return;
    }
    es_text_format(out, ": %s  ", result->why);
    es_text_buffer place = {0};
    es_text_format(&place, "%s:%u", result->file, result->line);
    add_styled(out, config, DIM, place.text);
    es_text_free(&place);
    es_text_format(out, "\n");
    add_lines(out, "             ", result->told);
}

void es_verdicts_text(es_text_buffer *out, const es_results *results, const es_run_results *run,
                      const es_verdicts_config *config)
{
    es_tally tally = es_results_tally(results, run);
    es_results_name(out, run);
    if (run->time_ns) {
        es_text_format(out, ": ");
        es_length_text(out, run->time_ns, false);
        es_text_format(out, " of the target");
    }
    es_text_format(out, "\n");
    for (size_t i = 0; i < run->count; i++)
        add_result(out, &run->results[i], config);
    if (run->trouble) {
        add_styled(out, config, RED, "  ERROR  ");
        es_text_format(out, "  %s\n", run->trouble);
    }
    add_lines(out, "    ", run->notices);
    if (tally.failed || tally.troubles)
        add_lines(out, "    target| ", last_lines(run->console, CONSOLE_LINES));
}

void es_verdicts_total(es_text_buffer *out, const es_results *results, const es_verdicts_config *config)
{
    es_tally tally = es_results_tally(results, NULL);
    size_t count = tally.met + tally.failed + tally.unknown;
    bool bad = tally.failed || tally.troubles || (tally.unknown && !config->allow_unknown);
    es_text_buffer text = {0};
    es_text_format(&text, "%zu %s in %zu %s: %zu met, %zu failed, %zu unknown", count,
                   es_plural(count, "expectation", "expectations"), results->count,
                   es_plural(results->count, "run", "runs"), tally.met, tally.failed, tally.unknown);
    if (tally.troubles)
        es_text_format(&text, "; %zu %s cannot be trusted", tally.troubles, es_plural(tally.troubles, "run", "runs"));
    es_text_format(out, "\n");
    add_styled(out, config, bad ? RED : GREEN, text.text);
    es_text_format(out, "\n");
    es_text_free(&text);
}

/* --- annotations ----------------------------------------------------------------------------------------------- */

/* GitHub's own way of writing what would end a value. */
static void add_encoded(es_text_buffer *out, const char *text, bool property)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c < ' ' || (property && (c == ':' || c == ',')))
            es_text_format(out, "%%%02X", c);
        else
            es_text_add(out, text, 1);
    }
}

static void add_annotation(es_text_buffer *out, const es_run_results *run, const char *kind, const es_result *result)
{
    es_text_buffer title = {0}, message = {0};
    if (result)
        es_text_format(&title, "%s: ", result->name);
    es_results_name(&title, run);
    es_text_format(&message, "%s", result ? result->why : run->trouble);
    if (result && *result->told)
        es_text_format(&message, "\n%.*s", (int)strcspn(result->told, "\n"), result->told);
    es_text_format(out, "::%s ", kind);
    if (result && strncmp(result->file, "-e", 2) != 0) {
        es_text_format(out, "file=");
        add_encoded(out, result->file, true);
        es_text_format(out, ",line=%u,", result->line);
    }
    es_text_format(out, "title=");
    add_encoded(out, title.text, true);
    es_text_format(out, "::");
    add_encoded(out, message.text, false);
    es_text_format(out, "\n");
    es_text_free(&title);
    es_text_free(&message);
}

void es_verdicts_annotate(es_text_buffer *out, const es_run_results *run, const es_verdicts_config *config)
{
    for (size_t i = 0; i < run->count; i++) {
        const es_result *result = &run->results[i];
        if (result->verdict == ES_VERDICT_MET)
            continue;
        bool passes = result->verdict == ES_VERDICT_UNKNOWN && config->allow_unknown;
        add_annotation(out, run, passes ? "warning" : "error", result);
    }
    if (run->trouble)
        add_annotation(out, run, "error", NULL);
}
