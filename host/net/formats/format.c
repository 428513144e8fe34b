#include "net/formats/format.h"

#include <string.h>
#include <strings.h>

#include "net/formats/pnml.h"
#include "net/formats/pnml_tree.h"
#include "net/formats/tina.h"

bool es_net_format_of(const char *path, enum es_net_format *format, es_error *err)
{
    static const struct {
        const char *ending;
        enum es_net_format format;
    } endings[] = {{".pnml", ES_NET_PNML}, {".xml", ES_NET_PNML}, {".net", ES_NET_TINA}};
    const char *dot = strrchr(es_base_name(path), '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i].ending) == 0) {
            *format = endings[i].format;
            return true;
        }
    if (dot && strcasecmp(dot, ".tapn") == 0)
        return es_fail(err, ES_USAGE,
                       "%s: is a timed-arc net by its name: only nets whose transitions carry the time can be held",
                       path);
    return es_fail(err, ES_USAGE, "%s: the name's ending selects the format of a net: .pnml or .net", path);
}

es_net *es_net_load(const char *path, es_error *err)
{
    enum es_net_format format = ES_NET_PNML;
    es_text_buffer text;
    if (!es_net_format_of(path, &format, err) || !es_text_read_file(&text, path, ES_PNML_SIZE_MAX, err))
        return NULL;
    es_net *net = format == ES_NET_PNML ? es_pnml_read(path, text.text, text.length, err)
                                        : es_tina_read(path, text.text, text.length, err);
    es_text_free(&text);
    return net;
}

bool es_net_print(const es_net *net, enum es_net_format format, es_text_buffer *out, es_error *err)
{
    return format == ES_NET_PNML ? es_pnml_write(net, out, err) : es_tina_write(net, out, err);
}
