/* SHA-256 and HMAC (FIPS 180-4, RFC 2104), small before fast: sixteen words of schedule, no table but the constants. */
#include "tdp_inner.h"

enum { BLOCK = 64, WORDS = 8, SCHEDULE = 16, ROUNDS = 64, LENGTH_AT = 56 };

static const uint32_t START[WORDS] = {
    0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au, 0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u,
};

static const uint32_t ROUND[ROUNDS] = {
    0x428A2F98u, 0x71374491u, 0xB5C0FBCFu, 0xE9B5DBA5u, 0x3956C25Bu, 0x59F111F1u, 0x923F82A4u, 0xAB1C5ED5u,
    0xD807AA98u, 0x12835B01u, 0x243185BEu, 0x550C7DC3u, 0x72BE5D74u, 0x80DEB1FEu, 0x9BDC06A7u, 0xC19BF174u,
    0xE49B69C1u, 0xEFBE4786u, 0x0FC19DC6u, 0x240CA1CCu, 0x2DE92C6Fu, 0x4A7484AAu, 0x5CB0A9DCu, 0x76F988DAu,
    0x983E5152u, 0xA831C66Du, 0xB00327C8u, 0xBF597FC7u, 0xC6E00BF3u, 0xD5A79147u, 0x06CA6351u, 0x14292967u,
    0x27B70A85u, 0x2E1B2138u, 0x4D2C6DFCu, 0x53380D13u, 0x650A7354u, 0x766A0ABBu, 0x81C2C92Eu, 0x92722C85u,
    0xA2BFE8A1u, 0xA81A664Bu, 0xC24B8B70u, 0xC76C51A3u, 0xD192E819u, 0xD6990624u, 0xF40E3585u, 0x106AA070u,
    0x19A4C116u, 0x1E376C08u, 0x2748774Cu, 0x34B0BCB5u, 0x391C0CB3u, 0x4ED8AA4Au, 0x5B9CCA4Fu, 0x682E6FF3u,
    0x748F82EEu, 0x78A5636Fu, 0x84C87814u, 0x8CC70208u, 0x90BEFFFAu, 0xA4506CEBu, 0xBEF9A3F7u, 0xC67178F2u,
};

static uint32_t turned(uint32_t word, unsigned by)
{
    return (word >> by) | (word << (32u - by));
}

/* The schedule's word of this round, in place of the one of sixteen rounds before. */
static uint32_t scheduled(uint32_t *words, size_t round)
{
    uint32_t *word = &words[round % SCHEDULE];
    if (round >= SCHEDULE) {
        const uint32_t late = words[(round - 15u) % SCHEDULE];
        const uint32_t new = words[(round - 2u) % SCHEDULE];
        *word += words[(round - 7u) % SCHEDULE];
        *word += turned(late, 7) ^ turned(late, 18) ^ (late >> 3);
        *word += turned(new, 17) ^ turned(new, 19) ^ (new >> 10);
    }
    return *word;
}

static void turn_round(uint32_t *at, uint32_t added)
{
    const uint32_t a = at[0];
    const uint32_t e = at[4];
    const uint32_t first = at[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
                           ((e & at[5]) ^ (~e & at[6])) + added;
    const uint32_t second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) +
                            ((a & at[1]) ^ (a & at[2]) ^ (at[1] & at[2]));
    at[7] = at[6];
    at[6] = at[5];
    at[5] = e;
    at[4] = at[3] + first;
    at[3] = at[2];
    at[2] = at[1];
    at[1] = a;
    at[0] = first + second;
}

static void add_block(uint32_t *state, const uint8_t *block)
{
    uint32_t words[SCHEDULE];
    uint32_t at[WORDS];
    for (size_t word = 0; word < SCHEDULE; word++) {
        const uint8_t *byte = block + 4 * word;
        words[word] = ((uint32_t)byte[0] << 24) | ((uint32_t)byte[1] << 16) | ((uint32_t)byte[2] << 8) | byte[3];
    }
    memcpy(at, state, sizeof at);
    for (size_t round = 0; round < ROUNDS; round++) {
        turn_round(at, scheduled(words, round) + ROUND[round]);
    }
    for (size_t word = 0; word < WORDS; word++) {
        state[word] += at[word];
    }
}

static void put_big(uint8_t *at, uint32_t value)
{
    for (size_t byte = 0; byte < 4; byte++) {
        at[byte] = (uint8_t)(value >> (24u - 8u * byte));
    }
}

/* The rest of a message, of which `before` bytes are in the state already. */
static void finish(uint32_t *state, const uint8_t *data, size_t length, size_t before, uint8_t *digest)
{
    uint8_t block[BLOCK] = {0};
    const uint32_t bits = (uint32_t)(before + length) * 8u;
    for (; length >= BLOCK; length -= BLOCK) {
        add_block(state, data);
        data += BLOCK;
    }
    memcpy(block, data, length);
    block[length] = 0x80;
    if (length >= LENGTH_AT) {
        add_block(state, block);
        memset(block, 0, sizeof block);
    }
    put_big(block + BLOCK - 4, bits); /* messages here are far below 2^32 bits */
    add_block(state, block);
    for (size_t word = 0; word < WORDS; word++) {
        put_big(digest + 4 * word, state[word]);
    }
}

static void key_block(uint32_t *state, const uint8_t *secret, uint8_t mask)
{
    uint8_t block[BLOCK];
    memset(block, mask, sizeof block);
    for (size_t index = 0; index < TDP_SECRET; index++) {
        block[index] ^= secret[index];
    }
    memcpy(state, START, sizeof START);
    add_block(state, block);
}

void tdp_key_of(struct tdp_key *key, const uint8_t *secret)
{
    key_block(key->inner, secret, 0x36);
    key_block(key->outer, secret, 0x5C);
}

void tdp_hmac(const struct tdp_key *key, const uint8_t *data, size_t length, uint8_t *digest)
{
    uint32_t state[WORDS];
    memcpy(state, key->inner, sizeof state);
    finish(state, data, length, BLOCK, digest);
    memcpy(state, key->outer, sizeof state);
    finish(state, digest, TDP_DIGEST, BLOCK, digest);
}
