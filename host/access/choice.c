#include "access/choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "replay/recording.h"
#include "sim_options.h"

static bool parse_sim(const char *options, es_probe_choice *choice, es_error *err)
{
    es_sim_shared shared;
    *choice = (es_probe_choice){ES_PROBE_SIM, options, 0};
    return es_sim_options_parse(options, &shared, err);
}

/* uart:DEVICE or uart:DEVICE@BAUD. What follows the last @ is the speed. */
static bool parse_uart(char *device, es_probe_choice *choice, es_error *err)
{
    *choice = (es_probe_choice){ES_PROBE_UART, device, 0};
    char *at = strrchr(device, '@');
    if (!at)
        return true;
    *at++ = 0; /* ends the name */
    char *end;
    errno = 0;
    unsigned long baud = strtoul(at, &end, 0);
    if (*at < '0' || *at > '9' || *end || errno || baud < ES_UART_BAUD_MIN || baud > ES_UART_BAUD_MAX)
        return es_fail(err, ES_USAGE, "the speed after --probe uart:DEVICE@ takes a number from %u to %u, not '%s'",
                       ES_UART_BAUD_MIN, ES_UART_BAUD_MAX, at);
    choice->baud = (unsigned)baud;
    return true;
}

bool es_probe_parse(char *text, es_probe_choice *choice, es_error *err)
{
    if (strcmp(text, "sim") == 0)
        *choice = (es_probe_choice){ES_PROBE_SIM, NULL, 0};
    else if (strncmp(text, "sim:", 4) == 0)
        return parse_sim(text + 4, choice, err);
    else if (strcmp(text, "ftdi") == 0)
        *choice = (es_probe_choice){ES_PROBE_FTDI, NULL, 0};
    else if (strncmp(text, "ftdi:", 5) == 0 && text[5])
        *choice = (es_probe_choice){ES_PROBE_FTDI, text + 5, 0};
    else if (strcmp(text, "usb") == 0)
        *choice = (es_probe_choice){ES_PROBE_USB, NULL, 0};
    else if (strncmp(text, "usb:", 4) == 0 && text[4])
        *choice = (es_probe_choice){ES_PROBE_USB, text + 4, 0};
    else if (strncmp(text, "uart:", 5) == 0 && text[5] && text[5] != '@')
        return parse_uart(text + 5, choice, err);
    else if (strncmp(text, "file:", 5) == 0 && text[5])
        *choice = (es_probe_choice){es_recording_is(text + 5) ? ES_PROBE_REPLAY : ES_PROBE_FILE, text + 5, 0};
    else
        return es_fail(err, ES_USAGE,
                       "there is no probe '%s': use sim[:OPTIONS], ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD] or "
                       "file:RECORDING",
                       text);
    return true;
}

void es_probe_text(es_text_buffer *out, const es_probe_choice *choice)
{
    static const char *const kinds[] = {[ES_PROBE_SIM] = "sim",   [ES_PROBE_FTDI] = "ftdi", [ES_PROBE_USB] = "usb",
                                        [ES_PROBE_UART] = "uart", [ES_PROBE_FILE] = "file", [ES_PROBE_REPLAY] = "file"};
    es_text_format(out, "%s%s%s", kinds[choice->probe], choice->name ? ":" : "", choice->name ? choice->name : "");
    if (choice->probe == ES_PROBE_UART && choice->baud)
        es_text_format(out, "@%u", choice->baud);
}

es_transport *es_choice_open(const es_probe_choice *choice, es_error *err)
{
    switch (choice->probe) {
    case ES_PROBE_FTDI: return es_transport_ftdi(choice->name, err);
    case ES_PROBE_USB: return es_transport_usb(choice->name, err);
    case ES_PROBE_UART: return es_transport_uart(choice->name, choice->baud, err);
    case ES_PROBE_FILE: return es_transport_file(choice->name, err);
    case ES_PROBE_SIM:
    case ES_PROBE_REPLAY: break;
    }
    es_fail(err, ES_USAGE, "%s is no device",
            choice->probe == ES_PROBE_SIM ? "the simulated probe" : "a recording of a target's inputs");
    return NULL;
}
