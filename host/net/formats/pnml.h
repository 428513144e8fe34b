/* PNML, ISO/IEC 15909-2, place/transition nets. What the standard has no words for stands in toolspecific sections
 * (tool "earshot", version "1"):
 *
 *   in <net>         <tick>clock</tick>  <process number="0" name="producer"/>
 *   in <place>       <original id="its own id"/>  <source>main.c:12</source>  <initialRoute to="t5"/>
 *                    <signal/>
 *                    <rule to="t5">
 *                      <when place="p6" absent="true">  <to ref="t1"/> <from ref="t2"/> <last ref="t3"/>  </when>
 *                    </rule>
 *   in <transition>  <original>, <source> as above
 *                    <timing delay="4" fixed="true" priority="2" process="0"/>  <monitor mark="3" markMax="5"/>
 *
 * (or untimed="true", without a delay; and idle="true", steady="true"). All of it may be left out; net.h tells what it
 * means. <original> is there where the node's own id is no XML name. Without priorities the order of the file decides,
 * those without come after those with one.
 *
 * Files of other tools are read too: pages and references, nets without a page, <value> for <text>, the intervals of
 * TINA's TpnPNML where both ends are the same. Refused with the reason: coloured and high-level nets, inhibitor, read,
 * reset and timed arcs, guards, capacities, stochastic rates, intervals, several nets in a file, and elements that
 * could change the meaning and are not known. */
#ifndef ES_NET_PNML_H
#define ES_NET_PNML_H

#include "base/text.h"
#include "net/model/net.h"

/* Reads a net from `size` bytes; `file` is its name in messages. NULL with an ES_USAGE error that begins with
 * "file:line:column: error: ". */
es_net *es_pnml_read(const char *file, const char *bytes, size_t size, es_error *err);

/* Adds the net's PNML to the text. Fails with ES_USAGE when an id or a name holds bytes that XML cannot write. */
bool es_pnml_write(const es_net *net, es_text_buffer *out, es_error *err);

#endif
