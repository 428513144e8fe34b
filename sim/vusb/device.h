/* What the files of a virtual USB device share: the device, and the way from a USB request (usbfs.c) over the chip
 * (chip.c) to the port.
 *
 * Three threads meet here. Hosts' calls arrive in umockdev's worker thread (usbfs.c) and only queue and unqueue URBs;
 * the device's own thread (chip.c) steps the port, fills and empties URBs; the owner's thread starts, stops and breaks
 * things (vusb.c). `mutex` guards all but the port, which belongs to the device's thread alone, and the bus, which
 * has a mutex of its own (taken before a device's).
 */
#ifndef ES_VUSB_DEVICE_H
#define ES_VUSB_DEVICE_H

#include <linux/usbdevice_fs.h>
#include <pthread.h>
#include <umockdev.h>

#include "vusb/usb_model.h"
#include "vusb/vusb.h"

#define URBS_MAX 1024 /* of a device, wherever they are */
#define CLIENTS_MAX 64
#define NODES_MAX 64
#define FAULTS_MAX 64
#define CHIP_BUFFER 4096

typedef struct usbdevfs_urb usb_urb;

/* A URB with who submitted it: usbdevfs keeps the URBs of each open file apart. `urb` and its buffer are copies of the
 * host's; `memory` is the way back. */
typedef struct urb_entry {
    usb_urb *urb;
    UMockdevIoctlData *memory;
    const UMockdevIoctlClient *client;
    unsigned plug;      /* as its client's */
    uint64_t cancelled; /* ns: when it is to end as cancelled; 0: it is not */
} urb_entry;

typedef struct urb_queue {
    urb_entry entries[URBS_MAX];
    size_t count;
} urb_queue;

/* An open file of the device node. plug: of which time that the device was plugged in; a file of an earlier one stays
 * unplugged. */
typedef struct usb_client {
    UMockdevIoctlClient *client;
    unsigned plug;
} usb_client;

/* A device node: one for each time that the device was plugged in, and kept as long as somebody has it open. */
typedef struct usb_node {
    unsigned plug;
    int pipe;
    bool readable; /* the node's FIFO is empty: libusb sees that there is something to reap */
} usb_node;

struct es_vusb {
    es_vusb_config config;
    char serial[64], root[128], node[64], path[256], sys_path[64]; /* root: the test bed's folder */
    unsigned port_number, number; /* number: of the device, another one with each plug */
    pthread_t thread;
    es_vusb *next; /* of those that are kept */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stopping;
    bool unplugged;
    bool gone;           /* from the bus as well */
    unsigned power_told; /* to the port: the plug that gives it power; 0: none */
    bool stalled;
    uint64_t stalled_until; /* ns; 0: until told */
    unsigned plug;          /* how often it was plugged in */
    es_usb_model model;
    es_vusb_state state;
    usb_client clients[CLIENTS_MAX];
    size_t client_count;
    urb_queue in[ES_USB_CHANNELS], out[ES_USB_CHANNELS], done;
    size_t urbs;                           /* in all queues */
    size_t out_taken;                      /* of out[0]'s first */
    const UMockdevIoctlClient *claimed_by; /* interface 0; NULL: nobody */
    bool bound[ES_USB_CHANNELS];           /* the kernel's driver has the interface */
    uint64_t last_packet[ES_USB_CHANNELS]; /* ns */
    uint8_t chip[CHIP_BUFFER];             /* bytes of channel A that wait for a packet */
    size_t chip_used;
    usb_node nodes[NODES_MAX]; /* the last is today's */
    size_t node_count;

    es_vusb_fault faults[FAULTS_MAX]; /* `after`: counted from the device's first byte */
    size_t fault_count;
    unsigned active[ES_VUSB_FAULTS]; /* packets, transfers or pieces that it will still befall */
    int short_size;
    unsigned late_ms;
    uint64_t random;
};

uint64_t es_vusb_now_ns(void);

/* usbfs.c; all with `mutex` held, but the last */
/* moves a queue's URB to those that can be reaped */
void es_vusb_finish(es_vusb *vusb, urb_queue *queue, size_t at, int status);
void es_vusb_show(es_vusb *vusb);    /* makes poll() on the nodes tell whether something can be reaped */
void es_vusb_end_all(es_vusb *vusb); /* the device is gone: all URBs end */
void es_vusb_forget_all(es_vusb *vusb);
/* Connects the signals of a node's handler, before the first call comes. */
void es_vusb_serve_usbfs(es_vusb *vusb, UMockdevIoctlBase *handler, unsigned plug);

/* faults.c; all with `mutex` held */
void es_vusb_take_effect(es_vusb *vusb); /* of faults whose byte has come */
uint32_t es_vusb_random(es_vusb *vusb, uint32_t below);
/* What faults leave of a packet: how many bytes it may carry at most; changes these, and says how many stay. */
size_t es_vusb_packet_limit(es_vusb *vusb, size_t size);
size_t es_vusb_damage(es_vusb *vusb, uint8_t *bytes, size_t size);

/* chip.c: the device's thread; its argument is the es_vusb */
void *es_vusb_run(void *argument);

#endif
