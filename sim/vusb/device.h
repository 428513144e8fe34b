/* What the files of the virtual FT2232H share: the device, and the way from a USB request (usbfs.c) over the chip
 * (chip.c) to the port.
 *
 * Three threads meet here. libusb's calls arrive in umockdev's worker thread (usbfs.c) and only queue and unqueue URBs;
 * the device's own thread (chip.c) steps the port, fills and empties URBs; the test's thread starts, stops and breaks
 * things (vusb.c). `mutex` guards all but the port, which belongs to the device's thread alone.
 */
#ifndef ES_VUSB_DEVICE_H
#define ES_VUSB_DEVICE_H

#include <linux/usbdevice_fs.h>
#include <pthread.h>
#include <umockdev.h>

#include "vusb/ftdi_model.h"
#include "vusb/vusb.h"

#define URBS_MAX 256
#define CHIP_BUFFER 4096

typedef struct usbdevfs_urb usb_urb;

/* URBs with who submitted them: usbdevfs keeps the URBs of each open file apart. */
typedef struct urb_queue {
    usb_urb *urbs[URBS_MAX];
    const UMockdevIoctlClient *clients[URBS_MAX];
    size_t count;
} urb_queue;

struct es_vusb {
    const es_vusb_port *port;
    void *context;
    char serial[64], node[64], path[256], sys_path[64];
    UMockdevIoctlBase *handler;
    pthread_t thread;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stopping, unplugged, stalled;
    bool gone;          /* from the bus as well */
    uint64_t unplug_at; /* 0: never; else when so many bytes went to the host */
    es_ftdi_model model;
    es_vusb_state state;
    urb_queue in[ES_FTDI_CHANNELS], out[ES_FTDI_CHANNELS], done;
    size_t out_taken;                       /* of out[0].urbs[0] */
    const UMockdevIoctlClient *claimed_by;  /* interface 0; NULL: nobody */
    uint64_t last_packet[ES_FTDI_CHANNELS]; /* ns */
    uint8_t chip[CHIP_BUFFER];              /* bytes of channel A that wait for a packet */
    size_t chip_used;
    int pipe;
    bool readable; /* the node's FIFO is empty: libusb sees that there is something to reap */
};

/* usbfs.c; all with `mutex` held */
/* moves a queue's URB to those that can be reaped */
void es_vusb_finish(es_vusb *vusb, urb_queue *queue, size_t at, int status);
void es_vusb_show(es_vusb *vusb);        /* makes poll() on the node tell whether something can be reaped */
void es_vusb_end_all(es_vusb *vusb);     /* the device is gone: all URBs end */
void es_vusb_serve_usbfs(es_vusb *vusb); /* connects the handler's signals; before the first call comes */

/* chip.c: the device's thread; its argument is the es_vusb */
void *es_vusb_run(void *argument);

#endif
