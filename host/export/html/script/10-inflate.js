// Inflates zlib's format (RFC 1950, 1951) where the browser has no DecompressionStream.

const INFLATE_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const INFLATE_MORE = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577];
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Codes of a canonical Huffman code: how many there are of each length, and their symbols in order. */
function huffman(lengths) {
  const counts = new Uint16Array(16), offsets = new Uint16Array(16), symbols = new Uint16Array(lengths.length);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  for (let i = 1; i < 16; i++) offsets[i] = offsets[i - 1] + counts[i - 1];
  lengths.forEach((length, symbol) => { if (length) symbols[offsets[length]++] = symbol; });
  return {counts, symbols};
}

class Inflater {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 2; // after zlib's header
    this.hold = 0;
    this.held = 0;
    this.out = new Uint8Array(Math.max(1024, bytes.length * 4));
    this.length = 0;
  }

  bits(count) {
    while (this.held < count) {
      if (this.at >= this.bytes.length) throw new Error('the data ends too early');
      this.hold |= this.bytes[this.at++] << this.held;
      this.held += 8;
    }
    const value = this.hold & ((1 << count) - 1);
    this.hold >>>= count;
    this.held -= count;
    return value;
  }

  symbol(code) {
    let value = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length++) {
      value |= this.bits(1);
      const count = code.counts[length];
      if (value - count < first) return code.symbols[index + value - first];
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new Error('a code that there is not');
  }

  room(count) {
    if (this.length + count <= this.out.length) return;
    const more = new Uint8Array(Math.max(this.out.length * 2, this.length + count));
    more.set(this.out);
    this.out = more;
  }

  stored() {
    this.hold = this.held = 0;
    const size = this.bytes[this.at] | this.bytes[this.at + 1] << 8;
    this.at += 4;
    this.room(size);
    this.out.set(this.bytes.subarray(this.at, this.at + size), this.length);
    this.at += size;
    this.length += size;
  }

  coded(literals, distances) {
    for (;;) {
      const symbol = this.symbol(literals);
      if (symbol === 256) return;
      if (symbol < 256) {
        this.room(1);
        this.out[this.length++] = symbol;
        continue;
      }
      const size = INFLATE_BASE[symbol - 257] + this.bits(INFLATE_MORE[symbol - 257]);
      const code = this.symbol(distances);
      const back = DISTANCE_BASE[code] + this.bits(code < 2 ? 0 : (code >> 1) - 1);
      this.room(size);
      for (let i = 0; i < size; i++, this.length++) this.out[this.length] = this.out[this.length - back];
    }
  }

  fixed() {
    const lengths = Array.from({length: 288}, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    this.coded(huffman(lengths), huffman(new Array(30).fill(5)));
  }

  dynamic() {
    const literals = this.bits(5) + 257, distances = this.bits(5) + 1, count = this.bits(4) + 4;
    const lengths = new Array(19).fill(0);
    for (let i = 0; i < count; i++) lengths[LENGTH_ORDER[i]] = this.bits(3);
    const code = huffman(lengths), all = [];
    while (all.length < literals + distances) {
      const symbol = this.symbol(code);
      if (symbol < 16) all.push(symbol);
      else if (symbol === 16) all.push(...new Array(3 + this.bits(2)).fill(all[all.length - 1]));
      else all.push(...new Array(symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7)).fill(0));
    }
    this.coded(huffman(all.slice(0, literals)), huffman(all.slice(literals)));
  }

  run() {
    for (let last = 0; !last;) {
      last = this.bits(1);
      const kind = this.bits(2);
      if (kind === 0) this.stored();
      else if (kind === 1) this.fixed();
      else if (kind === 2) this.dynamic();
      else throw new Error('a block of no known kind');
    }
    return this.out.subarray(0, this.length);
  }
}

/** Inflates bytes in zlib's format: by the browser where it can, or here. */
async function inflate(bytes, here) {
  if (here || typeof DecompressionStream === 'undefined') return new Inflater(bytes).run();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
