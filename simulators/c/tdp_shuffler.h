/* A continuous shuffler (section 10 of the text). */
#ifndef TDP_SHUFFLER_H
#define TDP_SHUFFLER_H

#include "tdp.h"

enum tdp_place { TDP_AT_FEED = 1, TDP_AT_CAROUSEL = 2, TDP_AT_MOUTH = 3 };

/* Bits of `work`: the mechanism does the first that it can, in this order [10.24]. */
enum tdp_work { TDP_RECOUNT = 1, TDP_UNLOAD = 2, TDP_FEED = 4, TDP_RELEASE = 8 };

/* What the sensors say of a motion that the power cut. */
enum tdp_proof { TDP_NOT_PASSED, TDP_PASSED, TDP_UNPROVEN };

struct tdp_sensors {
    bool lid_open;
    bool hopper_loaded;
    bool path_blocked;
    bool mouth_open; /* the mouth lets the next card go */
};

/* What the mechanism shall do now: read in tdp_port_set. */
struct tdp_shuffler_wants {
    uint8_t work;
    bool lamp;
};

struct tdp_shuffler {
    struct tdp_link link;
    struct tdp_shuffler_wants wants;
    struct tdp_sensors seen;
    uint32_t release_until;
    uint16_t recount_request;
    bool feed_open;
    bool unloading;
    bool recounts;
};

void tdp_shuffler_start(struct tdp_shuffler *shuffler, const struct tdp_identity *identity, enum tdp_cause cause,
                        const struct tdp_sensors *sensors, enum tdp_proof proof);
/* Whenever one of them has changed. */
void tdp_shuffler_sense(struct tdp_shuffler *shuffler, const struct tdp_sensors *sensors);
/* Before a motor moves a card: one bit of enum tdp_work. False where that is not permitted (any more). */
bool tdp_shuffler_begin(struct tdp_shuffler *shuffler, enum tdp_work work);
/* The motion has ended and moved nothing. */
void tdp_shuffler_end(struct tdp_shuffler *shuffler);
void tdp_shuffler_card_in(struct tdp_shuffler *shuffler);
void tdp_shuffler_card_out(struct tdp_shuffler *shuffler);
void tdp_shuffler_retried(struct tdp_shuffler *shuffler, enum tdp_place place, uint8_t tries);
void tdp_shuffler_jammed(struct tdp_shuffler *shuffler, enum tdp_place place, uint8_t cards);
/* TDP_INSIDE_UNKNOWN where the count failed. */
void tdp_shuffler_recounted(struct tdp_shuffler *shuffler, uint16_t inside);

enum { TDP_INSIDE_UNKNOWN = 65535 };

#endif
