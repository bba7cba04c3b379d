/* Numbers that survive a loss of power, and the start of a boot (section 9 of the text). */
#include "tdp.h"

static uint32_t crc_of(const struct tdp_kept *kept)
{
    return tdp_crc((const uint8_t *)kept, offsetof(struct tdp_kept, crc));
}

void tdp_keep(struct tdp_link *link)
{
    link->kept.turn++;
    link->kept.crc = crc_of(&link->kept);
    tdp_port_write(link, (uint8_t)(link->kept.turn % TDP_KEPT_PLACES), &link->kept);
}

void tdp_first_start(struct tdp_link *link)
{
    memset(&link->kept, 0, sizeof link->kept);
    tdp_keep(link);
    tdp_keep(link);
}

static bool recall(struct tdp_link *link)
{
    bool found = false;
    for (uint8_t place = 0; place < TDP_KEPT_PLACES; place++) {
        struct tdp_kept one;
        const bool whole = tdp_port_read(link, place, &one) && one.crc == crc_of(&one);
        if (whole && (!found || tdp_newer32(one.turn, link->kept.turn))) {
            link->kept = one;
            found = true;
        }
    }
    return found;
}

/* A new boot; the kind's start stores its number before the first frame [9.2]. False where the kept numbers are
 * broken. */
bool tdp_begin(struct tdp_link *link, const struct tdp_kind *kind, const struct tdp_identity *identity)
{
    memset(link, 0, sizeof *link);
    link->kind = kind;
    link->identity = identity;
    link->silent = true; /* [7.7] */
    link->next_event = link->oldest = link->unsent = 1;
    link->retry_ms = TDP_EVENT_RETRY_MS;
    const bool found = recall(link);
    link->kept.boot = found ? link->kept.boot + 1 : tdp_port_draw(link);
    if (link->kept.boot == 0) {
        link->kept.boot = 1; /* [9.3] */
    }
    return found;
}
