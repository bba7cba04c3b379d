/* Numbers that survive a loss of power, and the start of a boot (section 9 of the text). */
#include "tdp_inner.h"

/* The turn stands first, the CRC over all before it last. */
static uint32_t turn_of(const uint8_t *kept)
{
    uint32_t turn;
    memcpy(&turn, kept, sizeof turn);
    return turn;
}

static bool is_whole(const uint8_t *kept, size_t length)
{
    uint32_t crc;
    memcpy(&crc, kept + length - sizeof crc, sizeof crc);
    return crc == tdp_crc(kept, length - sizeof crc);
}

void tdp_store(struct tdp_link *link, uint8_t first, void *kept, size_t length)
{
    const uint32_t turn = turn_of(kept) + 1;
    memcpy(kept, &turn, sizeof turn);
    const uint32_t crc = tdp_crc(kept, length - sizeof crc);
    memcpy((uint8_t *)kept + length - sizeof crc, &crc, sizeof crc);
    tdp_port_write(link, (uint8_t)(first + turn % 2), kept, length);
}

bool tdp_recall(struct tdp_link *link, uint8_t first, void *kept, size_t length)
{
    bool found = false;
    for (uint8_t place = 0; place < 2; place++) {
        uint8_t one[TDP_KEPT_MAX];
        const bool whole = tdp_port_read(link, (uint8_t)(first + place), one, length) && is_whole(one, length);
        if (whole && (!found || tdp_newer32(turn_of(one), turn_of(kept)))) {
            memcpy(kept, one, length);
            found = true;
        }
    }
    return found;
}

void tdp_keep(struct tdp_link *link)
{
    tdp_store(link, TDP_NUMBERS_AT, &link->kept, sizeof link->kept);
}

void tdp_first_start(struct tdp_link *link)
{
    memset(&link->kept, 0, sizeof link->kept);
    tdp_keep(link);
    tdp_keep(link);
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
    const bool found = tdp_recall(link, TDP_NUMBERS_AT, &link->kept, sizeof link->kept);
    link->kept.boot = found ? link->kept.boot + 1 : tdp_port_draw(link);
    if (link->kept.boot == 0) {
        link->kept.boot = 1; /* [9.3] */
    }
    if (identity->pairing != NULL) {
        identity->pairing->begin(link);
    }
    return found;
}
