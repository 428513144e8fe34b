/* Serial devices at USB, by sysfs (room-internal). */
#ifndef ES_TRANSPORT_SERIAL_DEVICES_H
#define ES_TRANSPORT_SERIAL_DEVICES_H

#define ES_SERIAL_TEXT 128

typedef struct es_serial_device {
    char node[64];             /* /dev/ttyUSB1 */
    char name[ES_SERIAL_TEXT]; /* that it keeps when it is plugged in again, below /dev/serial/by-id; else the node */
    char manufacturer[ES_SERIAL_TEXT], product[ES_SERIAL_TEXT], serial[ES_SERIAL_TEXT]; /* "": it does not say */
    char port[64];                                                                      /* of USB: "1-2.3" */
} es_serial_device;

typedef void es_serial_fn(void *context, const es_serial_device *device);

/* Calls for each ttyUSB and ttyACM that is there. */
void es_serial_devices(es_serial_fn *found, void *context);

#endif
