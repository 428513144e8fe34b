/* What building a net and finishing it share. */
#ifndef ES_NET_MODEL_PRIVATE_H
#define ES_NET_MODEL_PRIVATE_H

#define NET_PROCESSES_MAX 65536

/* For qsort, of uint32_t. */
int es_net_ascending(const void *left, const void *right);

#endif
