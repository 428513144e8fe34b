/* The test bed on which all virtual devices of a process hang (device.h: internal). */
#ifndef ES_VUSB_BUS_H
#define ES_VUSB_BUS_H

#include "vusb/device.h"

/* Takes part in the bus, which the first one makes, and gets a port of it. False where it cannot be made. */
bool es_vusb_bus_join(es_vusb *vusb);
void es_vusb_bus_leave(es_vusb *vusb);

/* Puts the device on the bus, as its next plug, and tells all hosts; takes it off again. */
bool es_vusb_bus_add(es_vusb *vusb, es_error *err);
void es_vusb_bus_remove(es_vusb *vusb);

/* sysfs says which driver has an interface: a kernel's, or usbfs when a program has it. NULL: none. Without the bus's
 * mutex, and so also with the device's. */
void es_vusb_bus_show_driver(const es_vusb *vusb, unsigned interface, const char *driver);

#endif
