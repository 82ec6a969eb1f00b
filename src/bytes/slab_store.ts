import { isCount, type OptionChecks, requireOptions } from "../base/mod.ts";

/** The location of a run of bytes. A {@linkcode SlabStore} updates the location when it moves the bytes. */
export class ByteRange {
  /** The buffer that contains the bytes. */
  bytes: Uint8Array;
  /** The position of the first byte. */
  start: number;
  /** The position after the last byte. */
  end: number;
  /** The slab that contains the bytes. Before a store keeps them, this is the page in which they were received. */
  slab: Slab | undefined;
  /** The index of the range in the slab's `ranges`; -1 while no store keeps the bytes. */
  slot: number = -1;
  /** The number of bytes reserved for the range. */
  room: number = 0;
  /** The starts and ends of parts that a store leaves out, in turn. */
  omitted: readonly number[] | undefined = undefined;
  /**
   * The varints of protobuf that change because of the omitted parts: their positions, the numbers of their bytes, and their
   * new values, in turn.
   */
  lengths: readonly number[] | undefined = undefined;

  /** Creates the range of `bytes` from `start` to `end`, exclusive. `page` is the page that contains them, if any. */
  constructor(bytes: Uint8Array, start: number, end: number, page?: Slab) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.slab = page;
  }
}

/** A buffer of a {@linkcode SlabStore}. */
export interface Slab {
  /** The bytes of the buffer. */
  readonly bytes: Uint8Array;
  /**
   * Whether the buffer was received with ranges in it. Such a buffer is never reused, because some of its ranges may
   * not be kept yet.
   */
  readonly isPage: boolean;
  /** The kept ranges by slot. A released slot is undefined. */
  readonly ranges: (ByteRange | undefined)[];
  /** The number of bytes at the start of the buffer that are filled. */
  used: number;
  /** The number of filled bytes that are reserved for kept ranges. */
  live: number;
}

/**
 * Creates a page: a received buffer full of ranges that a {@linkcode SlabStore} is going to keep. The store may keep
 * the buffer itself.
 */
export function pageOf(bytes: Uint8Array): Slab {
  return { bytes, isPage: true, ranges: [], used: bytes.length, live: 0 };
}

function slabOf(bytes: Uint8Array): Slab {
  return { bytes, isPage: false, ranges: [], used: 0, live: 0 };
}

/** Options of a {@linkcode SlabStore}. */
export interface SlabStoreOptions {
  /** The size of the largest slabs in bytes. The first ones are smaller. Default 1 MiB. */
  readonly slabBytes?: number;
}

const CHECKS: OptionChecks<SlabStoreOptions> = { slabBytes: isCount(1) };

/** The memory usage of a {@linkcode SlabStore}, in bytes. */
export interface SlabUsage {
  /** The total size of the kept ranges. */
  readonly live: number;
  /** The total size of the buffers: kept ranges, released bytes that are not reused yet, and free space. */
  readonly allocated: number;
}

/** The place in a slab where a range is stored. */
interface Place {
  readonly slab: Slab;
  readonly start: number;
  readonly slot: number;
  readonly room: number;
}

const SLAB_BYTES = 1_048_576;
/**
 * Space is reserved in multiples of this, so that the next version of an object usually fits in the place of the last
 * one.
 */
const ROOM_BYTES = 64;
/** The tolerated waste, as a share of the live bytes. A smaller share would move the same bytes over and over. */
const WASTE_RATIO = 1 / 8;
/**
 * Ranges larger than this share of a slab get a slab of their own. So the end of a full slab wastes less than this
 * share, which is less than the tolerated waste.
 */
const OWN_SLAB_RATIO = 1 / 16;
/** The size of the first slab, as a share of the largest. */
const FIRST_SLAB_RATIO = 1 / 64;
/** Waste that is never worth a move, in slabs. */
const LEAST_WASTE = 2;
const NOTHING = new Uint8Array(0);

/**
 * Stores many short runs of bytes in a few large buffers outside the JavaScript heap, where the garbage collector does
 * not have to visit them.
 *
 * New bytes are stored after the last ones, in multiples of 64. The store reclaims released space by moving the
 * remaining ranges out of the slab with the most waste. After each release, at most an eighth of the live bytes, or two
 * slabs if that is more, is wasted, not counting the free end of the current slab and one empty slab that is kept for
 * reuse. A page becomes a slab when its ranges are kept, which saves a copy and the memory for the copy.
 */
export class SlabStore {
  readonly #slabBytes: number;
  readonly #slabs = new Set<Slab>();
  /** The slab that new bytes are stored in. */
  #current: Slab | undefined;
  #spare: Uint8Array | undefined;
  #bytes = 0;
  #live = 0;
  #used = 0;
  #allocated = 0;

  /**
   * Creates an empty store.
   *
   * @throws {TypeError | RangeError} If an option is not known or cannot be used.
   */
  constructor(options: SlabStoreOptions = {}) {
    requireOptions("SlabStore", options, CHECKS);
    this.#slabBytes = options.slabBytes ?? SLAB_BYTES;
  }

  /** The memory usage of the store. */
  get usage(): SlabUsage {
    return { live: this.#bytes, allocated: this.#allocated };
  }

  /** Stores the bytes of `range`, and updates `range` to their new location. */
  keep(range: ByteRange): void {
    const { slab: page, start } = range;
    if (page !== undefined && range.omitted === undefined && this.#hasPage(page)) {
      const room = range.end - range.start;
      this.#enter(range, { slab: page, start, slot: page.ranges.length, room });
      return;
    }
    const room = roomFor(range);
    const slab = this.#slabWith(room);
    this.#put(range, { slab, start: slab.used, slot: slab.ranges.length, room });
    slab.used += room;
    this.#used += room;
  }

  /**
   * Releases the bytes of `range`, and makes `range` empty. A range that the store does not keep only becomes empty.
   */
  release(range: ByteRange): void {
    const { slab, slot } = range;
    this.#take(range);
    if (slab === undefined || slot < 0) return;
    if (slab.live === 0) this.#remove(slab);
    this.#compact();
  }

  /**
   * Releases `old` and keeps `range`, as {@linkcode SlabStore.release} and {@linkcode SlabStore.keep} do. The bytes of
   * `range` take the place of the bytes of `old` if they fit.
   */
  replace(old: ByteRange, range: ByteRange): void {
    const { slab, start, slot } = old;
    const room = Math.min(roomFor(range), old.room);
    if (slab !== undefined && slot >= 0 && sizeOf(range) <= room) {
      this.#take(old);
      this.#put(range, { slab, start, slot, room });
      this.#compact();
    } else {
      this.keep(range);
      this.release(old);
    }
  }

  /** Reports whether a page is one of the slabs. A page becomes a slab with the first of its ranges. */
  #hasPage(page: Slab): boolean {
    if (page.ranges.length === 0) this.#add(page);
    return this.#slabs.has(page);
  }

  /** Copies the bytes of a range to a place. */
  #put(range: ByteRange, place: Place): void {
    const end = copyTo(place.slab.bytes, place.start, range);
    range.bytes = place.slab.bytes;
    range.start = place.start;
    range.end = end;
    range.omitted = range.lengths = undefined;
    this.#enter(range, place);
  }

  #enter(range: ByteRange, { slab, slot, room }: Place): void {
    range.slab = slab;
    range.slot = slot;
    range.room = room;
    slab.ranges[slot] = range;
    slab.live += room;
    this.#live += room;
    this.#bytes += range.end - range.start;
  }

  /** Removes `range` from its slab, if it is in one, and makes it empty. */
  #take(range: ByteRange): void {
    this.#leave(range);
    range.bytes = NOTHING;
    range.start = range.end = 0;
  }

  #leave(range: ByteRange): void {
    const { slab, slot, room } = range;
    range.slab = undefined;
    range.omitted = range.lengths = undefined;
    if (slab === undefined || slot < 0) return;
    range.slot = -1;
    slab.ranges[slot] = undefined;
    slab.live -= room;
    this.#live -= room;
    this.#bytes -= range.end - range.start;
  }

  #slabWith(room: number): Slab {
    const current = this.#current;
    if (current !== undefined && current.used + room <= current.bytes.length) return current;
    // A large range could leave much of the current slab empty, and moving ranges would not win that space back. So it
    // gets a slab of its own.
    if (room > this.#slabBytes * OWN_SLAB_RATIO) return this.#add(slabOf(new Uint8Array(room)));
    if (current !== undefined) {
      this.#used += current.bytes.length - current.used;
      current.used = current.bytes.length;
    }
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined) this.#allocated -= spare.length;
    this.#current = this.#add(slabOf(spare ?? new Uint8Array(this.#sizeWith(room))));
    return this.#current;
  }

  /** Returns the size of the next slab: as large as all before it, so that a store of few bytes is small. */
  #sizeWith(room: number): number {
    const least = Math.max(room, Math.ceil(this.#slabBytes * FIRST_SLAB_RATIO));
    return Math.min(this.#slabBytes, Math.max(least, this.#allocated));
  }

  #add(slab: Slab): Slab {
    this.#slabs.add(slab);
    this.#used += slab.used;
    this.#allocated += slab.bytes.length;
    return slab;
  }

  #remove(slab: Slab): void {
    this.#slabs.delete(slab);
    this.#used -= slab.used;
    if (this.#current === slab) this.#current = undefined;
    const isWanted = this.#spare === undefined && !slab.isPage;
    if (isWanted && slab.bytes.length === this.#slabBytes) this.#spare = slab.bytes;
    else this.#allocated -= slab.bytes.length;
  }

  #compact(): void {
    const tolerated = Math.max(this.#live * WASTE_RATIO, this.#slabBytes * LEAST_WASTE);
    while (this.#used - this.#live > tolerated) this.#evacuate(this.#emptiest());
  }

  #emptiest(): Slab {
    let emptiest: Slab | undefined;
    let most = -1;
    for (const slab of this.#slabs) {
      const wasted = slab.used - slab.live;
      if (wasted <= most) continue;
      most = wasted;
      emptiest = slab;
    }
    return emptiest as Slab;
  }

  /** Moves the remaining ranges of a slab to the place where new bytes go. */
  #evacuate(slab: Slab): void {
    if (this.#current === slab) this.#current = undefined;
    for (const range of slab.ranges) {
      if (range === undefined) continue;
      this.#leave(range);
      this.keep(range);
    }
    this.#remove(slab);
  }
}

/** Returns the number of bytes to reserve for a range. */
function roomFor(range: ByteRange): number {
  return Math.ceil(sizeOf(range) / ROOM_BYTES) * ROOM_BYTES;
}

/** Returns the number of bytes of a range, without the omitted parts. */
export function sizeOf({ start, end, omitted }: ByteRange): number {
  let size = end - start;
  for (let i = 0; omitted !== undefined && i < omitted.length; i += 2) {
    size -= (omitted[i + 1] as number) - (omitted[i] as number);
  }
  return size;
}

/** Copies the bytes of a range, without the omitted parts, to `at`. Returns the position after them. */
export function copyTo(target: Uint8Array, at: number, range: ByteRange): number {
  const { bytes, end, lengths, omitted } = range;
  if (omitted === undefined) {
    target.set(bytes.subarray(range.start, end), at);
    return at + end - range.start;
  }
  let from = range.start;
  let nextLength = 0;
  for (let i = 0; i <= omitted.length; i += 2) {
    const to = omitted[i] ?? end;
    target.set(bytes.subarray(from, to), at);
    for (; lengths !== undefined && (lengths[nextLength] ?? end) < to; nextLength += 3) {
      const position = at + (lengths[nextLength] as number) - from;
      setVarint(
        target,
        position,
        lengths[nextLength + 1] as number,
        lengths[nextLength + 2] as number,
      );
    }
    at += to - from;
    from = omitted[i + 1] ?? end;
  }
  return at;
}

/** Writes a varint with a given number of bytes. */
function setVarint(target: Uint8Array, at: number, bytes: number, value: number): void {
  for (let i = 1; i <= bytes; i++) {
    target[at++] = i < bytes ? (value & 0x7f) | 0x80 : value;
    value >>>= 7;
  }
}
