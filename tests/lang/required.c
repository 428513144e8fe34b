/* Where statements use a construct: the tests ask by refusing those that are not in a set. */
#include "required.h"

#include "lang/lexer.h"

static const struct {
    const char *what, *hint;
} features[ES_FEATURE_COUNT] = {
    [ES_FEATURE_PATH] = {"paths (a:b\\x, 1:3\\x) are",
                         "procedure\\variable is: control\\delta; every hit shows its whole path"},
    [ES_FEATURE_NESTED] = {"activations (f[k]) are", "enter(f) and leave(f) are"},
    [ES_FEATURE_RECURSIVE] = {"watching locals of recursive procedures is",
                              "make it static, copy it to a global, or watch enter(f) and leave(f)"},
    [ES_FEATURE_INTERRUPT] = {"watching locals of interrupt handlers is",
                              "make it static, copy it to a global, or watch enter(f) and leave(f)"},
    [ES_FEATURE_LIFE] = {"watching locals that are on the stack for a part of their procedure only is",
                         "compile its file with -O0, make it volatile or static, or copy it to a global"},
    [ES_FEATURE_SUBSTATE] = {"a path as a condition is", "enter(f) and leave(f) are; every hit shows its whole path"},
    [ES_FEATURE_AT] = {"at() is", "enter(f) and leave(f) are"},
    [ES_FEATURE_READ] = {"read() is", "write(x) is, and enter(f), leave(f)"},
    [ES_FEATURE_POINTER] = {"following pointers (p->x) is", "the pointer's own value is: p != NULL"},
    [ES_FEATURE_INDEX] = {"an index that is not constant is", "write one element by its number: a[2]"},
    [ES_FEATURE_MISALIGNED] = {"watching what is not aligned is",
                               "align it: leave out the packed attribute, or move it inside its struct"},
    [ES_FEATURE_WIDE] = {"watching values of 8 bytes is",
                         "a 32-bit (or narrower) copy of it in the program can be watched"},
    [ES_FEATURE_FLOAT] = {"comparing floats is", "a float can be printed: when write(x) { print x }"},
    [ES_FEATURE_FLOAT_SUM] = {"arithmetic with floats is", "a float can be printed: when write(x) { print x }"},
    [ES_FEATURE_MULTIPLY] = {"multiplication of variables is",
                             "use shifts and sums: x * 10 is (x << 3) + (x << 1); constants are multiplied: 80 * 256"},
    [ES_FEATURE_DIVIDE] = {"division of variables is",
                           "compare with a product instead: x / 4 > 10 is x >= 44; or shift: x >> 2; x % 8 is x & 7"},
    [ES_FEATURE_CHOICE] = {"the conditional operator ?: is", "write c && a || !c && b"},
    [ES_FEATURE_COUNTER] = {"reading a counter in a condition is", "the summary shows counters"},
    [ES_FEATURE_UNCHANGED] = {"`unchanged for` is", "write(x) is true at every write to x; every hit shows its time"},
    [ES_FEATURE_FOR] = {"`for` is", "every hit shows its time"},
    [ES_FEATURE_THEN] = {"`then` is", "write one statement for each event; every hit shows its time"},
    [ES_FEATURE_AND] = {"`and` is", "write && between conditions on one event, or one statement for each event"},
    [ES_FEATURE_OR] = {"`or` is", "write || between conditions"},
    [ES_FEATURE_WITHIN] = {"`within` is", "write one statement for each event; every hit shows its time"},
    [ES_FEATURE_ELAPSED] = {"elapsed is", "every hit shows its time"},
    [ES_FEATURE_AGE] = {"age() is", "every hit shows its time"},
    [ES_FEATURE_EXPECT] = {"expect is", "name: when EXPRESSION { ACTIONS }"},
    [ES_FEATURE_PRINT] = {"printing a counter is", "the summary shows counters"},
    [ES_FEATURE_SET] = {"setting and decrementing a counter is", "count NAME adds 1 to it"},
    [ES_FEATURE_ENABLE] = {"enabling and disabling statements is", "available actions: print and count"},
    [ES_FEATURE_SNAPSHOT] = {"`snapshot` is", "print takes several variables: { print x, y }"},
    [ES_FEATURE_TRIGGER] = {"`trigger` is", "available actions: print and count"},
    [ES_FEATURE_STOP] = {"`stop` is", "`earshot watch --count N` ends after N hits"},
    [ES_FEATURE_HALT] = {"`halt` is", "available actions: print and count"},
};

static const char *text_of(const es_program *program, const char *file)
{
    for (size_t i = 0; i < program->text_count; i++)
        if (program->texts[i].file == file)
            return program->texts[i].text;
    return "";
}

bool required(const es_program *program, uint64_t known, es_error *err)
{
    for (size_t s = 0; s < program->statement_count; s++) {
        const es_statement *statement = &program->statements[s];
        for (size_t i = 0; i < statement->use_count; i++) {
            const es_feature_use *use = &statement->uses[i];
            if (known >> use->feature & 1)
                continue;
            const char *what = features[use->feature].what;
            const char *text = text_of(program, use->source.file);
            if (use->what)
                return es_lang_fail(err, text, use->source, use->length, features[use->feature].hint,
                                    "%s; %s not available in this version", use->what, what);
            return es_lang_fail(err, text, use->source, use->length, features[use->feature].hint,
                                "%s not available in this version", what);
        }
    }
    return true;
}
