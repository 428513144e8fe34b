"""Reads messages of Protocol Buffers by the format alone."""
import struct


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """By number: the values of a message's fields. Numbers are taken as signed, lengths as bytes."""
    found, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
            value -= (value >> 63) << 64
        elif tag & 7 == 1:
            value, = struct.unpack_from("<d", data, at)
            at += 8
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value = data[at:at + size]
            assert len(value) == size
            at += size
        else:
            raise ValueError(f"type {tag & 7}")
        found.setdefault(tag >> 3, []).append(value)
    return found


def repeated(data, number):
    return fields(data)[number]
