#include "tdp_shoe.h"

enum event { STARTED = 0x01, CARD_PASSED = 0x02, ERROR_RAISED = 0x03, ERROR_CLEARED = 0x04 };

enum { APPLY = 0x01, QUERY = 0x02, APPLY_LENGTH = 2, STATUS_LENGTH = 5 };

static void status(const struct tdp_link *link, uint8_t *block)
{
    const struct tdp_shoe *shoe = (const struct tdp_shoe *)link;
    unsigned flags = shoe->has_lock && shoe->locked ? 1u : 0u;
    flags |= shoe->error != 0 ? 2u : 0u;
    flags |= tdp_must_lock(link) ? 4u : 0u;
    flags |= (link->kept.flags & TDP_KEPT_UNKNOWN) != 0 ? 8u : 0u;
    *tdp_put32(block, link->kept.count_in) = (uint8_t)flags;
}

static void withdraw(struct tdp_link *link)
{
    ((struct tdp_shoe *)link)->locked = true;
}

static uint8_t command(struct tdp_link *link, const uint8_t *payload, size_t length)
{
    struct tdp_shoe *shoe = (struct tdp_shoe *)link;
    if (length == 1 && payload[0] == QUERY) {
        return TDP_OK;
    }
    if (length != APPLY_LENGTH || payload[0] != APPLY || payload[1] > 1) {
        return TDP_BAD_COMMAND;
    }
    const bool is_refused = payload[1] == 0 && tdp_must_lock(link); /* [11.3] */
    shoe->locked = payload[1] == 1 || is_refused;
    return is_refused ? TDP_REFUSED_HOST_SILENT : TDP_OK;
}

static const struct tdp_kind SHOE = {2, STATUS_LENGTH, status, command, withdraw, CARD_PASSED};

void tdp_shoe_start(struct tdp_shoe *shoe, const struct tdp_identity *identity, enum tdp_cause cause, bool has_lock)
{
    if (!tdp_begin(&shoe->link, &SHOE, identity)) {
        shoe->link.kept.count_in = 0;
        shoe->link.kept.flags |= TDP_KEPT_UNKNOWN; /* [9.4] [11.2] */
    }
    shoe->has_lock = has_lock;
    shoe->locked = true;
    shoe->error = 0;
    tdp_keep(&shoe->link);
    const uint8_t field = (uint8_t)cause;
    tdp_post(&shoe->link, STARTED, &field, 1);
    tdp_settle(&shoe->link);
}

void tdp_shoe_passed(struct tdp_shoe *shoe, uint8_t card)
{
    uint8_t fields[5];
    shoe->link.kept.count_in++;
    tdp_keep(&shoe->link);
    *tdp_put32(fields, shoe->link.kept.count_in) = shoe->error != 0 ? 0 : card; /* [11.10] */
    tdp_post(&shoe->link, CARD_PASSED, fields, sizeof fields);
    tdp_settle(&shoe->link);
}

void tdp_shoe_failed(struct tdp_shoe *shoe, uint8_t code)
{
    if (shoe->error == 0 && code != 0) {
        shoe->error = code;
        tdp_post(&shoe->link, ERROR_RAISED, &code, 1);
        tdp_settle(&shoe->link);
    }
}

void tdp_shoe_mended(struct tdp_shoe *shoe)
{
    const uint8_t code = shoe->error;
    if (code != 0) {
        shoe->error = 0;
        tdp_post(&shoe->link, ERROR_CLEARED, &code, 1);
        tdp_settle(&shoe->link);
    }
}
