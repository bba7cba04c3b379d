/* A jackpot display and a display of chip values (sections 12 and 13 of the text). */
#ifndef TDP_DISPLAY_H
#define TDP_DISPLAY_H

#include "tdp.h"

enum { TDP_COLOURS = 12, TDP_PICTURE_MAX = 4 * TDP_COLOURS };

/* An amount of eight bytes and the fault picture, or twelve values of four bytes; little endian, as on the line. */
struct tdp_picture {
    uint8_t bytes[TDP_PICTURE_MAX];
};

/* tdp_port_set shows `wants` and puts into `shown` what the panel's read-back says; where that takes longer than
 * 50 ms, the maker puts it there later and calls tdp_display_looked. */
struct tdp_display {
    struct tdp_link link;
    struct tdp_picture wants;
    struct tdp_picture shown;
    bool told; /* that it cannot show what it should */
};

void tdp_display_start(struct tdp_display *display, const struct tdp_identity *identity, enum tdp_cause cause);
void tdp_values_start(struct tdp_display *display, const struct tdp_identity *identity, enum tdp_cause cause);
/* `shown` has changed by itself, or was late. */
void tdp_display_looked(struct tdp_display *display);
/* It cannot show what it should: 1 panel, 3 temperature, 128 and more are the maker's own. */
void tdp_display_failed(struct tdp_display *display, uint8_t code);

#endif
