/* Jackpot slots (section 14 of the text). A set of slots is a number: bit 0 is the slot of seat 1. */
#ifndef TDP_SLOTS_H
#define TDP_SLOTS_H

#include "tdp.h"

/* tdp_port_set lights the lamps, and where `taking` is not 0 it takes in the chips of these slots, waits until they are
 * shut again and puts into `chips` what lies there then. The maker debounces the sensors [14.1]. */
struct tdp_slots {
    struct tdp_link link;
    uint16_t chips;  /* slots in which a chip lies */
    uint16_t broken; /* slots whose sensor fails */
    uint16_t lit;
    uint16_t blinking;
    uint16_t taking;
};

void tdp_slots_start(struct tdp_slots *slots, const struct tdp_identity *identity, enum tdp_cause cause, uint16_t chips,
                     uint16_t broken);
/* Whenever one of them has changed. */
void tdp_slots_sense(struct tdp_slots *slots, uint16_t chips, uint16_t broken);

#endif
