/* A device that lives through any bytes: what fuzz.c and fuzz_hands.c share. */
#ifndef FUZZ_H
#define FUZZ_H

#include "tdp_display.h"
#include "tdp_shoe.h"
#include "tdp_shuffler.h"
#include "tdp_slots.h"

enum kind { SHUFFLER, SHOE, DISPLAY, VALUES, SLOTS, KINDS };

struct fuzz {
    union {
        struct tdp_link link;
        struct tdp_shuffler shuffler;
        struct tdp_shoe shoe;
        struct tdp_display display;
        struct tdp_slots slots;
    } device;
    enum kind kind_of_device;
    struct tdp_identity identity;
    uint8_t places[TDP_KEPT_PLACES][TDP_KEPT_MAX];
    bool sticks;
    bool unreadable;
};

extern struct fuzz fuzz;

void fuzz_must(bool holds);
uint8_t fuzz_next(void); /* of the input; zeros behind its end */
void fuzz_start(void);
void fuzz_touch(uint8_t deed);

#endif
