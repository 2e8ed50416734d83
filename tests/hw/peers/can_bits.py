"""Bits of a classic CAN frame on the wire, counted from the standard's text alone.

The frame is written out as a string, its CRC is the remainder of a division of integers, and stuff
bits are put in by a regular expression's rule: after five equal bits one of the other kind, which
counts in the next run. Intermission included.
"""


def _crc15(bits):
    generator = 0b1100010110011001  # x^15 + x^14 + x^10 + x^8 + x^7 + x^4 + x^3 + 1
    remainder = int(bits, 2) << 15
    while remainder.bit_length() > 15:
        remainder ^= generator << (remainder.bit_length() - 16)
    return format(remainder, "015b")


def _stuffed(bits):
    out = ""
    for bit in bits:
        out += bit
        if len(out) >= 5 and out[-5:] == bit * 5:
            out += "10"[int(bit)]
    return out


def classic_bits(identifier, data, extended=False):
    """Bits of a data frame, start of frame to the end of the intermission."""
    if extended:
        head = format(identifier >> 18, "011b") + "11" + format(identifier & 0x3FFFF, "018b") + "000"
    else:
        head = format(identifier, "011b") + "000"
    body = "0" + head + format(len(data), "04b") + "".join(format(byte, "08b") for byte in data)
    return len(_stuffed(body + _crc15(body))) + 1 + 2 + 7 + 3


assert _crc15("".join(format(byte, "08b") for byte in b"123456789")) == format(0x059E, "015b")
