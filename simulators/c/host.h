/* What host.c needs of each kind of device. */
#ifndef HOST_H
#define HOST_H

#include "tdp.h"

struct host_verb {
    const char *word;
    void (*act)(const unsigned long *number);
};

struct host_kind {
    const char *word;
    uint8_t number;
    struct tdp_link *link;
    void (*start)(const unsigned long *number);
    unsigned (*wants)(void);
    void (*set)(void); /* NULL: nothing */
    const struct host_verb *verbs;
    size_t verb_count;
};

extern struct tdp_identity host_identity;

const struct host_kind *host_kind_of(const char *word);

#endif
