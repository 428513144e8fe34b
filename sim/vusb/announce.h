/* Tells the processes that listen of devices that come and go (device.h: internal). */
#ifndef ES_VUSB_ANNOUNCE_H
#define ES_VUSB_ANNOUNCE_H

/* The name of a listener's socket, with the test bed's folder, before "PROCESS-SOCKET". */
#define ES_VUSB_LISTENER "%s/listener-"

/* action: add or remove. properties: as udev has them, a line each. A listener that does not take what is sent to it is
 * passed over after a while, as the kernel would. */
void es_vusb_announce(const char *folder, const char *action, const char *sys_path, const char *properties);

#endif
