/* What the daemon and its clients have to agree on before they talk. */
#ifndef ES_ACCESS_DAEMON_PLACE_H
#define ES_ACCESS_DAEMON_PLACE_H

#define ES_PROTOCOL 1 /* version; docs/protocol.md */

/* Where the system's daemon listens; a user's: $XDG_RUNTIME_DIR/earshotd.sock. */
#define ES_SYSTEM_FOLDER "/run/earshot"
#define ES_SYSTEM_SOCKET ES_SYSTEM_FOLDER "/earshotd.sock"

#endif
