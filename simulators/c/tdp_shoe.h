/* A dealing shoe that reads each card, or a reader at a shuffler's mouth (section 11 of the text). */
#ifndef TDP_SHOE_H
#define TDP_SHOE_H

#include "tdp.h"

struct tdp_shoe {
    struct tdp_link link;
    bool has_lock;
    bool locked; /* what the lock shall be: read in tdp_port_set */
    uint8_t error; /* 0: none */
};

void tdp_shoe_start(struct tdp_shoe *shoe, const struct tdp_identity *identity, enum tdp_cause cause, bool has_lock);
/* A card has wholly passed; 0 where it was not read. */
void tdp_shoe_passed(struct tdp_shoe *shoe, uint8_t card);
/* The reader fails from now on, 1 to 255. It has one error at a time: another code does nothing until `tdp_shoe_mended`,
 * so which error is told is the maker's choice. A start forgets the error: tell again what still stands. */
void tdp_shoe_failed(struct tdp_shoe *shoe, uint8_t code);
/* It works again. */
void tdp_shoe_mended(struct tdp_shoe *shoe);

#endif
