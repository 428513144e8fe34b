#include "report/junit.h"

#include <inttypes.h>
#include <string.h>

/* --- XML ------------------------------------------------------------------------------------------------------- */

/* XML 1.0 has no way to write most control characters: they, and what is not UTF-8, become U+FFFD. */
static void add_escaped(es_text_buffer *out, const char *text)
{
    for (size_t left = strlen(text); left;) {
        size_t length = es_utf8_length(text, left);
        unsigned char c = (unsigned char)*text;
        bool plain = length > 1 ? strncmp(text, "\xEF\xBF\xBE", 3) != 0 && strncmp(text, "\xEF\xBF\xBF", 3) != 0
                                : c >= ' ' || c == '\t' || c == '\n';
        if (length == 0 || !plain)
            es_text_format(out, "\uFFFD");
        else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\n' || c == '\t')
            es_text_format(out, "&#%d;", c);
        else
            es_text_add(out, text, length);
        text += length ? length : 1;
        left -= length ? length : 1;
    }
}

/* Text between tags: lines stay lines. */
static void add_text(es_text_buffer *out, const char *text)
{
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        es_text_buffer line = {0};
        es_text_add(&line, text, (size_t)(end - text));
        add_escaped(out, line.text);
        es_text_free(&line);
        es_text_format(out, "\n");
    }
    add_escaped(out, text);
}

static void add_attribute(es_text_buffer *out, const char *name, const char *value)
{
    es_text_format(out, " %s=\"", name);
    add_escaped(out, value);
    es_text_format(out, "\"");
}

/* Seconds, of nanoseconds or of this computer's clock. */
static void add_time(es_text_buffer *out, uint64_t ns, double seconds, const es_junit_config *config)
{
    if (config->wall_times)
        es_text_format(out, " time=\"%.3f\"", seconds);
    else
        es_text_format(out, " time=\"%" PRIu64 ".%09" PRIu64 "\"", ns / 1000000000, ns % 1000000000);
}

/* <failure message="..." type="...">text</failure> */
static void add_outcome(es_text_buffer *out, const char *kind, const char *type, const char *message, const char *text)
{
    es_text_format(out, "      <%s", kind);
    add_attribute(out, "message", message);
    if (type)
        add_attribute(out, "type", type);
    es_text_format(out, ">");
    add_text(out, text);
    es_text_format(out, "</%s>\n", kind);
}

static void add_output(es_text_buffer *out, const char *indent, const char *kind, const char *text)
{
    if (!*text)
        return;
    es_text_format(out, "%s<%s>", indent, kind);
    add_text(out, text);
    es_text_format(out, "</%s>\n", kind);
}

/* --- results --------------------------------------------------------------------------------------------------- */

/* Numbers that a suite, and all of them together, begin with. */
static void add_counts(es_text_buffer *out, es_tally tally, bool suite, const es_junit_config *config)
{
    size_t errors = tally.troubles + (config->allow_unknown ? 0 : tally.unknown);
    es_text_format(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
                   tally.met + tally.failed + tally.unknown + tally.troubles, tally.failed, errors);
    if (suite) /* the root has none in the format that Jenkins publishes */
        es_text_format(out, " skipped=\"%zu\"", config->allow_unknown ? tally.unknown : 0);
}

static void add_case(es_text_buffer *out, const char *suite, const es_run_results *run, const es_result *result,
                     const es_junit_config *config)
{
    es_text_format(out, "    <testcase");
    add_attribute(out, "classname", suite);
    add_attribute(out, "name", result->name);
    if (strncmp(result->file, "-e", 2) != 0) {
        add_attribute(out, "file", result->file);
        es_text_format(out, " line=\"%u\"", result->line);
    }
    add_time(out, run->time_ns, run->wall_seconds, config);
    if (result->verdict == ES_VERDICT_MET) {
        es_text_format(out, "/>\n");
        return;
    }
    es_text_format(out, ">\n");
    es_text_buffer text = {0};
    es_text_format(&text, "%s\n%s:%u: %s", result->why, result->file, result->line, result->text);
    if (result->verdict == ES_VERDICT_FAILED)
        add_outcome(out, "failure", "expectation", result->why, text.text);
    else if (config->allow_unknown)
        add_outcome(out, "skipped", NULL, result->why, "");
    else
        add_outcome(out, "error", "unknown", result->why, text.text);
    es_text_free(&text);
    add_output(out, "      ", "system-out", result->told);
    es_text_format(out, "    </testcase>\n");
}

/* What is wrong with the run itself is a case of its own, so that no reader overlooks it. */
static void add_trouble(es_text_buffer *out, const char *suite, const es_run_results *run,
                        const es_junit_config *config)
{
    es_text_format(out, "    <testcase");
    add_attribute(out, "classname", suite);
    add_attribute(out, "name", "(run)");
    add_time(out, run->time_ns, run->wall_seconds, config);
    es_text_format(out, ">\n");
    add_outcome(out, "error", "run", run->trouble, run->trouble);
    es_text_format(out, "    </testcase>\n");
}

static void add_suite(es_text_buffer *out, const es_results *results, const es_run_results *run,
                      const es_junit_config *config)
{
    es_text_buffer name = {0};
    es_results_name(&name, run);
    es_text_format(out, "  <testsuite");
    add_attribute(out, "name", name.text);
    add_counts(out, es_results_tally(results, run), true, config);
    add_time(out, run->time_ns, run->wall_seconds, config);
    es_text_format(out, ">\n    <properties>\n      <property name=\"program\"");
    add_attribute(out, "value", run->program);
    es_text_format(out, "/>\n");
    if (run->seeded)
        es_text_format(out, "      <property name=\"seed\" value=\"%" PRIu32 "\"/>\n", run->seed);
    es_text_format(out, "    </properties>\n");
    for (size_t i = 0; i < run->count; i++)
        add_case(out, name.text, run, &run->results[i], config);
    if (run->trouble)
        add_trouble(out, name.text, run, config);
    add_output(out, "    ", "system-out", run->console);
    add_output(out, "    ", "system-err", run->notices);
    es_text_format(out, "  </testsuite>\n");
    es_text_free(&name);
}

void es_junit_write(es_text_buffer *out, const es_results *results, const es_junit_config *config)
{
    uint64_t ns = 0;
    double seconds = 0;
    for (size_t i = 0; i < results->count; i++) {
        ns += results->runs[i].time_ns;
        seconds += results->runs[i].wall_seconds;
    }
    es_text_format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"earshot\"");
    add_counts(out, es_results_tally(results, NULL), false, config);
    add_time(out, ns, seconds, config);
    es_text_format(out, ">\n");
    for (size_t i = 0; i < results->count; i++)
        add_suite(out, results, &results->runs[i], config);
    es_text_format(out, "</testsuites>\n");
}
