#include "terminal/tables.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "terminal/figures.h"
#include "terminal/full.h"

#define HEAD_LINES 2
#define FOOT_LINES 2
#define LOOK_S 0.5    /* between tables that are made */
#define NOTE_MAX 160u /* bytes */

struct es_tables {
    const char *title;
    bool paused;
    int first, width; /* line of the tables that stands first; columns that they were made for */
    double looked;
    es_text_buffer text;  /* the tables */
    es_text_buffer head;  /* figures */
    pthread_mutex_t lock; /* of what follows */
    const es_schema *schema;
    es_figures figures;
    char note[NOTE_MAX];
    bool over;
};

es_tables *es_tables_new(const char *title, bool color, bool utf8)
{
    if (!es_full_open(color, utf8))
        return NULL;
    es_tables *tables = es_malloc(sizeof *tables);
    *tables = (es_tables){.title = title};
    pthread_mutex_init(&tables->lock, NULL);
    return tables;
}

void es_tables_free(es_tables *tables)
{
    if (!tables)
        return;
    pthread_mutex_destroy(&tables->lock);
    es_text_free(&tables->text);
    es_text_free(&tables->head);
    free(tables);
}

void es_tables_take(es_tables *tables, const es_record *record)
{
    pthread_mutex_lock(&tables->lock);
    if (record->kind == ES_RECORD_BEGIN) {
        tables->schema = record->schema;
        tables->figures = (es_figures){0};
    }
    es_figures_take(&tables->figures, record);
    if (record->kind == ES_RECORD_NOTE || record->kind == ES_RECORD_WARNING)
        snprintf(tables->note, sizeof tables->note, "%s", record->text.bytes);
    pthread_mutex_unlock(&tables->lock);
}

void es_tables_end(es_tables *tables)
{
    pthread_mutex_lock(&tables->lock);
    tables->over = true;
    pthread_mutex_unlock(&tables->lock);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

void es_tables_look(es_tables *tables, es_report *report)
{
    double at = now();
    if (tables->paused || (at - tables->looked < LOOK_S && tables->width == COLS))
        return;
    tables->looked = at;
    tables->width = COLS;
    es_text_clear(&tables->text);
    es_text_clear(&tables->head);
    es_text_add(&tables->head, "", 0);
    pthread_mutex_lock(&tables->lock);
    if (!tables->over && tables->schema) {
        es_figures_text(&tables->head, &tables->figures, tables->schema, (size_t)COLS);
        es_report_statistics(report, &tables->text, (size_t)COLS);
    }
    pthread_mutex_unlock(&tables->lock);
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static int count_lines(const es_text_buffer *text)
{
    int count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->text[i] == '\n';
    return count;
}

/* Headings begin a line, rows are indented. Returns how many lines there are below the screen. */
static int draw_lines(es_tables *tables)
{
    int room = LINES - HEAD_LINES - FOOT_LINES, all = count_lines(&tables->text), at = 0;
    tables->first = tables->first > all - room ? all - room : tables->first;
    tables->first = tables->first < 0 ? 0 : tables->first;
    char *line = tables->text.text;
    for (char *stop; line && (stop = strchr(line, '\n')) && at < tables->first + room; line = stop + 1, at++) {
        *stop = 0;
        es_full_style(*line == ' ' ? ES_FULL_PLAIN : ES_FULL_NAME, *line == ' ' ? 0 : A_BOLD);
        if (at >= tables->first)
            es_full_put(HEAD_LINES + at - tables->first, 0, COLS, false, line);
        *stop = '\n';
    }
    return all - tables->first > room ? all - tables->first - room : 0;
}

static void draw(es_tables *tables)
{
    char note[NOTE_MAX];
    es_text_buffer foot = {0};
    pthread_mutex_lock(&tables->lock);
    memcpy(note, tables->note, sizeof note);
    bool lost = tables->figures.lost;
    pthread_mutex_unlock(&tables->lock);
    erase();
    es_full_style(lost ? ES_FULL_LOUD : ES_FULL_PLAIN, A_BOLD);
    es_full_put(0, 0, COLS, false, tables->head.text ? tables->head.text : "");
    es_full_style(ES_FULL_PLAIN, A_DIM);
    es_full_put(1, 0, COLS, false, tables->title);
    int below = draw_lines(tables);
    es_full_style(ES_FULL_PLAIN, A_DIM);
    es_full_put(LINES - 2, 0, COLS, false, note);
    es_full_style(tables->paused ? ES_FULL_LOUD : ES_FULL_PLAIN, tables->paused ? A_BOLD : A_DIM);
    es_text_format(&foot, "%sspace pause  q end", tables->paused ? "PAUSED  " : "");
    if (below)
        es_text_format(&foot, "  down %d more %s", below, es_plural((uint64_t)below, "line", "lines"));
    es_full_put(LINES - 1, 0, COLS - 1, false, foot.text);
    es_text_free(&foot);
    refresh();
}

static bool take_key(es_tables *tables, int key)
{
    int page = LINES - HEAD_LINES - FOOT_LINES;
    switch (key) {
    case 'q':
    case 'Q': return false;
    case ' ': tables->paused = !tables->paused; break;
    case KEY_UP: tables->first--; break;
    case KEY_DOWN: tables->first++; break;
    case KEY_PPAGE: tables->first -= page; break;
    case KEY_NPAGE: tables->first += page; break;
    case KEY_HOME: tables->first = 0; break;
    default: break; /* KEY_RESIZE: it is drawn again */
    }
    return true;
}

bool es_tables_step(es_tables *tables, int ms)
{
    draw(tables);
    timeout(ms);
    bool goes_on = true;
    for (int key; (key = getch()) != ERR && goes_on; timeout(0))
        goes_on = take_key(tables, key);
    pthread_mutex_lock(&tables->lock);
    bool over = tables->over;
    pthread_mutex_unlock(&tables->lock);
    return goes_on && !over;
}
