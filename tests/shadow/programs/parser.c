/* A parser of commands: state machines over texts. */
#include "note.h"

enum state { IDLE, NAME, NUMBER, ERROR };
struct command {
    char name[8];
    int32_t value;
    uint8_t length;
};

volatile char end = 0;
static const char input[] = "speed=120;turn=-45;stop=0;bad!;speed=7000;x=1;";
int total, errors;

static enum state next_state(enum state now, char c)
{
    switch (now) {
    case IDLE: return c >= 'a' && c <= 'z' ? NAME : ERROR;
    case NAME: return c == '=' ? NUMBER : c >= 'a' && c <= 'z' ? NAME : ERROR;
    case NUMBER: return c == ';' ? IDLE : (c >= '0' && c <= '9') || c == '-' ? NUMBER : ERROR;
    default: return c == ';' ? IDLE : ERROR;
    }
}

OWN int apply(const struct command *command, int scale)
{
    int weight = command->length * scale;
    NOTE(weight);
    return command->value * weight;
}

OWN int parse(const char *text)
{
    struct command command = {0};
    enum state state = IDLE;
    int sign = 1, count = 0;
    NOTE(sign);
    for (const char *at = text; *at != end; at++) {
        char c = *at;
        NOTE(c);
        enum state before = state;
        state = next_state(state, c);
        NOTE(state);
        if (before == IDLE && state == NAME) {
            command.length = 0;
            command.value = 0;
            sign = 1;
            NOTE(sign);
        }
        if (state == NAME && command.length < sizeof command.name)
            command.name[command.length++] = c;
        if (state == NUMBER && c == '-') {
            sign = -1;
            NOTE(sign);
        }
        if (state == NUMBER && c >= '0')
            command.value = command.value * 10 + (c - '0');
        if (before == NUMBER && state == IDLE) {
            command.value *= sign;
            total += apply(&command, 3);
            count++;
            NOTE(count);
        }
        errors += state == ERROR && before != ERROR;
    }
    return count;
}

int main(void)
{
    int found = parse(input);
    NOTE(found);
    return found + errors + (total & 1);
}
