/* Frames: zero bytes stuffed away, eight bytes of tag, CRC-32 (section 2 of the text). */
#include "tdp.h"

/* Of each half byte: 64 bytes of table, twice as many steps as with 1024. */
static const uint32_t CRC_OF[16] = {
    0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
    0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
};

uint32_t tdp_crc(const uint8_t *data, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t index = 0; index < length; index++) {
        crc ^= data[index];
        crc = (crc >> 4) ^ CRC_OF[crc & 15u];
        crc = (crc >> 4) ^ CRC_OF[crc & 15u];
    }
    return ~crc;
}

/* Each piece between zeros gets one byte before it, its length plus one. Blocks are shorter than 254 bytes. */
size_t tdp_stuff(const uint8_t *block, size_t length, uint8_t *out)
{
    size_t code = 0;
    size_t at = 1;
    for (size_t index = 0; index < length; index++) {
        if (block[index] != 0) {
            out[at++] = block[index];
            continue;
        }
        out[code] = (uint8_t)(at - code);
        code = at++;
    }
    out[code] = (uint8_t)(at - code);
    return at;
}

bool tdp_unstuff(uint8_t *block, size_t *length)
{
    size_t from = 0;
    size_t to = 0;
    while (from < *length) {
        const size_t code = block[from++];
        if (code == 0 || from + code - 1 > *length) {
            return false;
        }
        for (size_t count = 1; count < code; count++) {
            block[to++] = block[from++];
        }
        if (from < *length) {
            block[to++] = 0;
        }
    }
    *length = to;
    return true;
}

uint8_t *tdp_put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

uint8_t *tdp_put32(uint8_t *at, uint32_t value)
{
    return tdp_put16(tdp_put16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

uint16_t tdp_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (at[1] << 8));
}

uint32_t tdp_get32(const uint8_t *at)
{
    return tdp_get16(at) | ((uint32_t)tdp_get16(at + 2) << 16);
}

/* Serial arithmetic: numbers half the range apart are newer neither way. */
bool tdp_newer32(uint32_t a, uint32_t b)
{
    const uint32_t ahead = a - b;
    return ahead >= 1u && ahead < 0x80000000u;
}
