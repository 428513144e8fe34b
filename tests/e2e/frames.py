"""Frames of the link (docs/link.md) in recordings: taken apart, changed, and put together again."""
import binascii
import struct

HELLO, HIT, GAP, COUNTERS, DONE, PATH, RESPONSE = 0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x80


def decode(stream):
    """Yields (words, end): each whole frame, and where its bytes end in the stream."""
    at = 0
    while (end := stream.find(b'\0', at)) >= 0:
        content, piece = b'', at
        while piece < end:
            length = stream[piece]
            content += stream[piece + 1:piece + length] + (b'\0' if piece + length < end else b'')
            piece += length
        if len(content) >= 6 and binascii.crc_hqx(content, 0xFFFF) == 0:
            yield list(struct.unpack(f'<{len(content) // 4}I', content[:-2])), end + 1
        at = end + 1


def encode(words):
    content = struct.pack(f'<{len(words)}I', *words)
    content += struct.pack('>H', binascii.crc_hqx(content, 0xFFFF))
    return b''.join(bytes([len(piece) + 1]) + piece for piece in content.split(b'\0')) + b'\0'


def kind(words):
    return words[0] & 0xFF


def time(words):
    """Of a HIT."""
    return words[1] | words[2] << 32


def renumbered(frames):
    """The bytes of frames whose events count up without a jump, whatever is missing among them."""
    data, number = b'', 0
    for words in frames:
        if kind(words) != RESPONSE:
            words = [words[0] & 0xFFFF | number << 16, *words[1:]]
            number = number + 1 & 0xFFFF
        data += encode(words)
    return data
