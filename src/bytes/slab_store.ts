/** Where some bytes are. A {@linkcode SlabStore} moves those that it keeps. */
export class ByteRange {
  /** What they are part of. */
  bytes: Uint8Array;
  /** Where they begin. */
  start: number;
  /** Where they end. */
  end: number;
  /** The slab they are kept in; or, before they are kept, the page they came in. */
  slab: Slab | undefined;
  /** The place among those that are kept there; -1 before they are kept. */
  slot: number = -1;
  /** How many bytes are taken for them. */
  room: number = 0;

  /** The bytes of `bytes` from `start` up to `end`, which may be a part of `page`. */
  constructor(bytes: Uint8Array, start: number, end: number, page?: Slab) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.slab = page;
  }
}

/** One of the buffers of a {@linkcode SlabStore}. */
export interface Slab {
  /** The buffer. */
  readonly bytes: Uint8Array;
  /** Whether it came with something in it. It is never used again: there may be ranges of it that are yet to be kept. */
  readonly isPage: boolean;
  /** What is kept in it, by slot. */
  readonly ranges: (ByteRange | undefined)[];
  /** Up to where it is filled. */
  used: number;
  /** How much of that is in use. */
  live: number;
}

/** A buffer that is full of ranges which a {@linkcode SlabStore} is going to keep: it may keep the buffer itself. */
export function pageOf(bytes: Uint8Array): Slab {
  return { bytes, isPage: true, ranges: [], used: bytes.length, live: 0 };
}

function slabOf(bytes: Uint8Array): Slab {
  return { bytes, isPage: false, ranges: [], used: 0, live: 0 };
}

/** Options of a {@linkcode SlabStore}. */
export interface SlabStoreOptions {
  /** The size of a slab in bytes. Default 1 MiB. */
  readonly slabBytes?: number;
}

/** How much a {@linkcode SlabStore} holds, in bytes. */
export interface SlabUsage {
  /** What is kept. */
  readonly live: number;
  /** What it takes: live bytes, those that are gone and not yet reused, and room for new ones. */
  readonly allocated: number;
}

/** Where a range is to be put. */
interface Place {
  readonly slab: Slab;
  readonly start: number;
  readonly slot: number;
  readonly room: number;
}

const SLAB_BYTES = 1_048_576;
/** Room comes in multiples of this, so that the next version of an object mostly fits where the last one was. */
const ROOM_BYTES = 64;
/** Of what is live, this much may be wasted besides: less would have the same bytes moved over and over. */
const WASTE_RATIO = 1 / 8;
/** Of a slab, this much has to be left over for the next bytes to be sure to fit. Less than the waste that is tolerated. */
const OWN_SLAB_RATIO = 1 / 16;
/** Waste that is never worth a move, in slabs. */
const LEAST_WASTE = 2;
const NOTHING = new Uint8Array(0);

/**
 * Keeps many short runs of bytes in few large buffers outside of the JavaScript heap, where the garbage collector does not
 * have to look at them.
 *
 * New bytes go behind the last ones, in multiples of 64. Room in the middle is won back by moving what is left of the
 * emptiest slab, so that no more than an eighth is wasted (or two slabs, if that is more), the end of the slab that is being
 * filled apart. An emptied slab is used again; one is kept for that. A page whose ranges are to be kept becomes a slab, which
 * spares a copy and the memory for it.
 */
export class SlabStore {
  readonly #slabBytes: number;
  readonly #slabs = new Set<Slab>();
  /** The slab that is being filled. */
  #current: Slab | undefined;
  #spare: Uint8Array | undefined;
  #bytes = 0;
  #live = 0;
  #used = 0;
  #allocated = 0;

  /** A store that holds nothing. */
  constructor(options: SlabStoreOptions = {}) {
    this.#slabBytes = options.slabBytes ?? SLAB_BYTES;
  }

  /** How much it holds. */
  get usage(): SlabUsage {
    return { live: this.#bytes, allocated: this.#allocated };
  }

  /** Takes the bytes of `range` into the store, and makes it say where they are from now on. */
  keep(range: ByteRange): void {
    const { slab: page, start } = range;
    if (page !== undefined && this.#hasPage(page)) {
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

  /** Lets the bytes of `range` go, which is empty afterwards. One that is not kept here just becomes empty. */
  release(range: ByteRange): void {
    const { slab, slot } = range;
    this.#take(range);
    if (slab === undefined || slot < 0) return;
    if (slab.live === 0) this.#remove(slab);
    this.#compact();
  }

  /** {@linkcode SlabStore.release} and {@linkcode SlabStore.keep} in one, in the very place of `old` if there is room. */
  replace(old: ByteRange, range: ByteRange): void {
    const { slab, start, slot } = old;
    const room = Math.min(roomFor(range), old.room);
    if (slab !== undefined && slot >= 0 && range.end - range.start <= room) {
      this.#take(old);
      this.#put(range, { slab, start, slot, room });
      this.#compact();
    } else {
      this.keep(range);
      this.release(old);
    }
  }

  /** Whether a page is one of the slabs; it becomes one with the first of its ranges. */
  #hasPage(page: Slab): boolean {
    if (page.ranges.length === 0) this.#add(page);
    return this.#slabs.has(page);
  }

  /** Copies a range to its place. */
  #put(range: ByteRange, place: Place): void {
    const size = range.end - range.start;
    place.slab.bytes.set(range.bytes.subarray(range.start, range.end), place.start);
    range.bytes = place.slab.bytes;
    range.start = place.start;
    range.end = place.start + size;
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

  /** Takes `range` out of its slab, if it is in one, and empties it. */
  #take(range: ByteRange): void {
    this.#leave(range);
    range.bytes = NOTHING;
    range.start = range.end = 0;
  }

  #leave(range: ByteRange): void {
    const { slab, slot, room } = range;
    range.slab = undefined;
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
    // What may leave much of a slab empty gets one of its own: else moving would not win anything back.
    if (room > this.#slabBytes * OWN_SLAB_RATIO) return this.#add(slabOf(new Uint8Array(room)));
    if (current !== undefined) {
      this.#used += current.bytes.length - current.used;
      current.used = current.bytes.length;
    }
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined) this.#allocated -= spare.length;
    this.#current = this.#add(slabOf(spare ?? new Uint8Array(this.#slabBytes)));
    return this.#current;
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

  /** Moves what is left of a slab to where new bytes go. */
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

/** The room that a range is given. */
function roomFor({ start, end }: ByteRange): number {
  return Math.ceil((end - start) / ROOM_BYTES) * ROOM_BYTES;
}
