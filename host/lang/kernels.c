/* The usual kernels: which variable names the running task, and where a task's own name stands. */
#include "lang/parser.h"

#include <string.h>

#define NAME_MAX_BYTES 32u /* more of a name is not shown: wherever it begins in a word, a TASK frame takes it */

/* All that is known of a kernel. A variable is taken only where the program has it as a pointer of static storage. */
static const struct kernel {
    const char *name, *variable;
    const char *task_name; /* member of the control block: an array of characters, or a pointer to some */
} kernels[] = {
    {"FreeRTOS", "pxCurrentTCB", "pcTaskName"},
    {"Zephyr", "_kernel.cpus[0].current", "name"},
    {"Zephyr", "_kernel.current", "name"},
    {"ThreadX", "_tx_thread_current_ptr", "tx_thread_name"},
    {"RT-Thread", "rt_current_thread", "name"},
    {"RT-Thread", "rt_current_thread", "parent.name"},
    {"RT-Thread", "_cpu.current_thread", "parent.name"},
    {"\u00b5C/OS-II", "OSTCBCur", "OSTCBTaskName"},
    {"\u00b5C/OS-III", "OSTCBCurPtr", "NamePtr"},
};
#define KERNELS (sizeof kernels / sizeof *kernels)

/* --- a task's own name ------------------------------------------------------------------------------------------- */

static const es_member *member_named(const es_type *type, const char *name, size_t length)
{
    for (size_t i = 0; type && type->kind == ES_TYPE_STRUCT && i < type->member_count; i++)
        if (type->members[i].name && strlen(type->members[i].name) == length &&
            memcmp(type->members[i].name, name, length) == 0)
            return &type->members[i];
    return NULL;
}

static bool is_character(const es_type *type)
{
    return type && type->size == 1 && (type->kind == ES_TYPE_CHAR || type->kind == ES_TYPE_INT);
}

/* The member, reached by names with dots between, as where a name stands. */
static bool find_name(const es_type *block, const char *path, es_task_name *name)
{
    const es_type *type = block;
    uint32_t offset = 0;
    for (size_t length; *path; path += length + (path[length] == '.')) {
        length = strcspn(path, ".");
        const es_member *member = member_named(type, path, length);
        if (!member)
            return false;
        offset += member->offset;
        type = member->type;
    }
    bool array = type->kind == ES_TYPE_ARRAY && is_character(type->of) && type->count;
    bool pointer = type->kind == ES_TYPE_POINTER && is_character(type->of);
    if (!array && !pointer)
        return false;
    *name = (es_task_name){offset, array ? type->count : type->size, pointer};
    if (name->size > NAME_MAX_BYTES)
        name->size = NAME_MAX_BYTES;
    return true;
}

void es_find_task_name(es_program *program)
{
    const es_type *pointer = program->task->type;
    const es_type *block = pointer->kind == ES_TYPE_POINTER ? pointer->of : NULL;
    for (size_t i = 0; block && i < KERNELS && !program->task_name.size; i++)
        find_name(block, kernels[i].task_name, &program->task_name);
}

/* --- the default -------------------------------------------------------------------------------------------------- */

/* Only what is of file scope: a local of such a name is somebody else's. */
static bool may_be_there(const es_parser *parser, const char *variable)
{
    const es_variable *found[1];
    const char *name = es_arena_copy(parser->arena, variable, strcspn(variable, ".["));
    return es_symbols_find(parser->symbols, NULL, name, found, 1) && !found[0]->procedure &&
           found[0]->place == ES_PLACE_STATIC;
}

void es_find_kernel(es_parser *parser)
{
    es_program *program = parser->program;
    es_error *err = parser->err;
    if (program->task || parser->no_tasks)
        return;
    parser->err = es_arena_alloc(parser->arena, sizeof *parser->err); /* the user has not written these */
    for (size_t i = 0; i < KERNELS && !program->task; i++) {
        if (!may_be_there(parser, kernels[i].variable))
            continue;
        es_text text = {kernels[i].name, kernels[i].variable};
        es_lexer_init(&parser->lexer, parser->symbols, &text, parser->err);
        parser->token = es_lexer_next(&parser->lexer);
        if (!es_parse_task(parser))
            continue;
        if (parser->token.kind == ES_TOKEN_END_OF_TEXT && program->task && program->task->type->kind == ES_TYPE_POINTER)
            program->kernel = kernels[i].name;
        else
            program->task = NULL;
    }
    parser->err = err;
}
