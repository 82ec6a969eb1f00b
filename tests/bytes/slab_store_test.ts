import { assert, assertEquals, assertNotStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ByteRange, pageOf, SlabStore, type SlabStoreOptions } from "../../src/bytes/mod.ts";
import { assertProperty, fuzz } from "../support/seeded_runs.ts";

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

/** Returns bytes that differ from the bytes of other ranges. */
function patternOf(id: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (id * 31 + i * 7 + 1) & 0xff);
}

/** Space is reserved in multiples of this. */
const ROOM = 64;
const roomFor = (size: number) => Math.ceil(size / ROOM) * ROOM;

/** A store, and the content that it should have. */
class Bench {
  readonly store: SlabStore;
  readonly live: Map<number, ByteRange> = new Map();
  readonly released: ByteRange[] = [];
  readonly #slabBytes: number;
  readonly #sizes = new Map<number, number>();
  #count = 0;
  /** The bytes between the ranges of pages. The store counts them as waste from its next release on. */
  #gaps = 0;

  constructor(slabBytes: number) {
    this.#slabBytes = slabBytes;
    this.store = new SlabStore({ slabBytes });
  }

  keep(size: number): void {
    this.#new(size, (range) => this.store.keep(range));
  }

  /** Releases the range at the relative position `at`, from 0 to 1, among all ranges. */
  release(at: number): void {
    const range = this.#take(at);
    if (range === undefined) return;
    this.store.release(range);
    this.#assertGone(range);
  }

  /** Keeps a range in place of the range at the relative position `at`, or of a range that was never kept. */
  replace(at: number, size: number): void {
    const old = this.#take(at) ?? new ByteRange(new Uint8Array(9), 1, 5);
    this.#new(size, (range) => this.store.replace(old, range));
    this.#assertGone(old);
  }

  releaseAgain(): void {
    const before = this.store.usage;
    for (const range of this.released) this.store.release(range);
    assertEquals(this.store.usage, before);
  }

  /** Asserts that the kept ranges are intact, and that the store takes no more memory than it may. */
  check(): void {
    let live = 0;
    let rooms = 0;
    for (const [id, { bytes, start, end }] of this.live) {
      const size = this.#sizes.get(id) as number;
      assertEquals(end - start, size);
      const expected = patternOf(id, size);
      const isKept = expected.every((byte, i) => bytes[start + i] === byte);
      assert(isKept, `range ${id} of ${size} bytes was changed`);
      live += size;
      rooms += roomFor(size);
    }
    for (const { start, end } of this.released) assert(start === end);
    assertEquals(this.store.usage.live, live);
    const { allocated } = this.store.usage;
    assert(allocated >= live);
    const most = mostAllocated(rooms, this.#slabBytes) + this.#gaps;
    assert(allocated <= most, `${allocated} bytes for ${rooms}`);
  }

  /** Keeps all ranges of a new page. */
  page(sizes: readonly number[]): void {
    for (const range of this.open(sizes)) this.store.keep(range);
  }

  /** Returns the ranges of a new page, which the caller must keep. */
  open(sizes: readonly number[]): ByteRange[] {
    const gap = 1;
    const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size + gap, gap));
    const page = pageOf(bytes);
    this.#gaps += sizes.length + gap;
    let start = gap;
    return sizes.map((size) => {
      const id = ++this.#count;
      bytes.set(patternOf(id, size), start);
      const range = new ByteRange(bytes, start, start + size, page);
      start += size + gap;
      this.live.set(id, range);
      this.#sizes.set(id, size);
      return range;
    });
  }

  #new(size: number, put: (range: ByteRange) => void): void {
    const id = ++this.#count;
    const source = new Uint8Array(size + 5);
    source.set(patternOf(id, size), 3);
    const range = new ByteRange(source, 3, 3 + size);
    put(range);
    assertNotStrictEquals(range.bytes, source);
    source.fill(0); // the store has copied the bytes
    this.live.set(id, range);
    this.#sizes.set(id, size);
  }

  #take(at: number): ByteRange | undefined {
    const ids = [...this.live.keys()];
    const id = ids[Math.floor(at * ids.length)];
    if (id === undefined) return undefined;
    const range = this.live.get(id);
    this.live.delete(id);
    return range;
  }

  #assertGone(range: ByteRange): void {
    assertEquals([range.start, range.end, range.bytes.length], [0, 0, 0]);
    this.released.push(range);
  }
}

/**
 * Returns the maximum that the class promises to allocate for ranges that need `rooms` bytes. Besides these bytes, an
 * eighth or two slabs may be released and not yet reclaimed. At the end of each full slab, less than a sixteenth may be
 * unused; it counts as waste only from the next release on. Then there are the current slab and the slab that is kept
 * for reuse. A range with a slab of its own takes no more than its own space.
 */
function mostAllocated(rooms: number, slabBytes: number): number {
  const gone = Math.max(rooms / 8, 2 * slabBytes);
  const leftOver = rooms / 15 + slabBytes / 16;
  return rooms + gone + leftOver + 2 * slabBytes;
}

type Op =
  | ["page", number[]]
  | ["keep", number]
  | ["replace", number, number]
  | ["release", number]
  | ["again"];

function opsOf(slabBytes: number): fc.Arbitrary<Op[]> {
  const size = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(1, ROOM, ROOM + 1) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: slabBytes / 8 }) },
    { weight: 1, arbitrary: fc.constantFrom(slabBytes - 1, slabBytes, 3 * slabBytes) },
  );
  const op = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant("keep"), size) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("page"), fc.array(size, { maxLength: 8 })) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("replace"), share, size) },
    { weight: 4, arbitrary: fc.tuple(fc.constant("release"), share) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("again")) },
  ) as fc.Arbitrary<Op>;
  return fc.array(op, { maxLength: 120, size: "max" });
}

function play(bench: Bench, ops: readonly Op[]): void {
  for (const op of ops) {
    if (op[0] === "keep") bench.keep(op[1]);
    else if (op[0] === "page") bench.page(op[1]);
    else if (op[0] === "replace") bench.replace(op[1], op[2]);
    else if (op[0] === "release") bench.release(op[1]);
    else bench.releaseAgain();
    bench.check();
  }
}

for (const slabBytes of [256, 1_024, 2_048]) {
  Deno.test(`SlabStore keeps bytes until they are released, within its memory limit (slabs of ${slabBytes})`, () => {
    assertProperty(
      fc.property(opsOf(slabBytes), (ops) => play(new Bench(slabBytes), ops)),
      80,
    );
  });

  Deno.test(`SlabStore frees everything but one slab (slabs of ${slabBytes})`, () => {
    assertProperty(
      fc.property(opsOf(slabBytes), share, (ops, at) => {
        const bench = new Bench(slabBytes);
        play(bench, ops);
        while (bench.live.size > 0) bench.release(at);
        bench.check();
        assert(bench.store.usage.allocated <= slabBytes);
      }),
      40,
    );
  });
}

Deno.test("SlabStore takes no more memory after a hundred times as many replacements", () =>
  fuzz(20_000, (random, inputs) => {
    const bench = new Bench(4_096);
    const size = () => 10 + Math.floor(random.next() * 240);
    for (let i = 0; i < 200; i++) bench.keep(size());
    const churn = (times: number) => {
      let most = 0;
      for (let i = 0; i < times; i++) {
        if (random.next() < 0.5) bench.replace(random.next(), size());
        else {
          bench.keep(size());
          bench.release(random.next());
        }
        most = Math.max(most, bench.store.usage.allocated);
      }
      return most;
    };
    const early = churn(200);
    bench.check();
    const late = churn(inputs);
    bench.check();
    assert(late <= early + 2 * 4_096, `${late} bytes after ${early}`);
  }));

Deno.test("SlabStore reclaims space if one range of each slab stays", () => {
  const bench = new Bench(1_024);
  for (let i = 0; i < 1_600; i++) bench.keep(50);
  assertEquals(bench.store.usage, { live: 80_000, allocated: 102_400 });
  for (let i = 0; i < 100; i++) {
    // In each round, the first of the sixteen ranges that share a slab stays.
    for (let j = 15; j > 0; j--) bench.release((i + j + 0.5) / bench.live.size);
  }
  bench.check();
  const { live, allocated } = bench.store.usage;
  assertEquals(live, 5_000);
  assert(allocated <= 100 * 64 + 5 * 1_024, `${allocated} bytes`);
});

Deno.test("SlabStore moves the remaining ranges of the current slab if it has the most waste", () => {
  const bench = new Bench(1_024);
  for (let i = 0; i < 32 * 16; i++) bench.keep(60);
  // One or two of the sixteen ranges of each slab are released: less than an eighth.
  for (let i = 0; i < 32; i++) {
    bench.release((i * 15 + 0.5) / bench.live.size);
    if (i % 2 === 0) bench.release((i * 15 + 4.5) / bench.live.size);
  }
  for (let i = 0; i < 12; i++) bench.keep(60);
  const before = bench.store.usage.allocated;
  for (let i = 0; i < 11; i++) bench.release((bench.live.size - 1.5) / bench.live.size);
  bench.check();
  for (let i = 0; i < 40; i++) bench.keep(60);
  bench.check();
  assert(bench.store.usage.allocated <= before + 3 * 1_024);
});

/** Returns a store with slabs of 1,600 bytes, and functions that create and keep ranges of a given size. */
function setUp() {
  const store = new SlabStore({ slabBytes: 1_600 });
  const range = (size: number) => new ByteRange(new Uint8Array(size), 0, size);
  const keep = (size: number) => {
    const kept = range(size);
    store.keep(kept);
    return kept;
  };
  return { store, range, keep };
}

Deno.test("SlabStore stores a large range in a slab of its own, and frees the slab at once", () => {
  const { store, keep } = setUp();
  keep(100);
  assertEquals(
    store.usage,
    { live: 100, allocated: 128 },
    "larger than a sixteenth of a slab, so no shared slab yet",
  );
  keep(64);
  assertEquals(store.usage, { live: 164, allocated: 128 + 128 }, "as large as all before it");
  const large = keep(10_000);
  assertEquals(store.usage, { live: 10_164, allocated: 128 + 128 + 10_048 });
  store.release(large);
  assertEquals(store.usage, { live: 164, allocated: 128 + 128 });
});

Deno.test("SlabStore.replace() stores a range in the place of the old one if it fits", () => {
  const { store, range, keep } = setUp();
  keep(1_600); // The slabs after it are as large.
  keep(64);
  const old = keep(130);
  const { bytes, start } = old;
  const same = range(192);
  store.replace(old, same);
  assertEquals([same.bytes === bytes, same.start, same.end], [true, start, start + 192]);
  const smaller = range(10);
  store.replace(same, smaller);
  assertEquals([smaller.bytes === bytes, smaller.start], [true, start]);
  const larger = range(65);
  store.replace(smaller, larger);
  assertEquals(
    [larger.bytes === bytes, larger.start],
    [true, start + 192],
    "after all other ranges",
  );
  assertEquals(store.usage, { live: 1_600 + 64 + 65, allocated: 1_600 + 1_600 });
});

Deno.test("SlabStore of a few bytes is small", () => {
  const store = new SlabStore();
  assertEquals(store.usage, { live: 0, allocated: 0 });
  store.keep(new ByteRange(new Uint8Array(10), 2, 5));
  assertEquals(store.usage, { live: 3, allocated: 16_384 });
});

Deno.test("SlabStore of many bytes has slabs of a megabyte by default, and reuses an empty one", () => {
  const store = new SlabStore();
  const most = new ByteRange(new Uint8Array(1_100_000), 0, 1_100_000);
  store.keep(most);
  const range = new ByteRange(new Uint8Array(10), 2, 5);
  store.keep(range);
  store.release(most);
  assertEquals(store.usage, { live: 3, allocated: 1_048_576 });
  const slab = range.bytes;
  store.release(range);
  assertEquals(store.usage, { live: 0, allocated: 1_048_576 });
  const next = new ByteRange(new Uint8Array(10), 0, 10);
  store.keep(next);
  assertEquals(store.usage, { live: 10, allocated: 1_048_576 });
  assert(next.bytes === slab);
});

Deno.test("SlabStore.release() makes a range empty that the store does not keep", () => {
  const { store, range, keep } = setUp();
  keep(10);
  const other = range(10);
  store.release(other);
  assertEquals([other.end, store.usage.live], [0, 10]);
});

Deno.test("SlabStore keeps a page without a copy", () => {
  const bench = new Bench(1_024);
  const ranges = bench.open([300, 400]);
  const bytes = ranges[0]?.bytes;
  for (const range of ranges) bench.store.keep(range);
  assertEquals(ranges.map((range) => range.bytes === bytes), [true, true]);
  assertEquals(bench.store.usage, { live: 700, allocated: 703 });
  bench.check();
  bench.release(0.9);
  bench.release(0);
  assertEquals(bench.store.usage, { live: 0, allocated: 0 });
});

Deno.test("SlabStore never overwrites ranges of a page that are not kept yet", () => {
  const bench = new Bench(1_024);
  // The page is as large as a slab, which would be reused.
  const [first, second, third] = bench.open([340, 340, 340]) as [ByteRange, ByteRange, ByteRange];
  assertEquals(first.bytes.length, 1_024);
  bench.store.keep(first);
  bench.release(0);
  for (let i = 0; i < 8; i++) bench.keep(60);
  bench.store.keep(second);
  bench.replace(0, 340);
  bench.store.keep(third);
  bench.check();
});

Deno.test("SlabStore moves the kept ranges out of a page that is mostly unused", () => {
  const store = new SlabStore({ slabBytes: 1_024 });
  const bytes = new Uint8Array(50_000).fill(7, 10, 110);
  const wanted = new ByteRange(bytes, 10, 110, pageOf(bytes));
  store.keep(wanted);
  assertEquals(store.usage, { live: 100, allocated: 50_000 });
  const other = new ByteRange(new Uint8Array(10), 0, 10);
  store.keep(other);
  store.release(other);
  assertEquals(
    store.usage,
    { live: 100, allocated: 1_024 + 128 },
    "the empty slab, and the slab of the range",
  );
  assertEquals(wanted.bytes.slice(wanted.start, wanted.end), new Uint8Array(100).fill(7));
});

Deno.test("SlabStore names an option that is unknown, or cannot be used", () => {
  const create = (options: unknown) => () => new SlabStore(options as SlabStoreOptions);
  assertThrows(create({ slabByte: 5 }), TypeError, 'did you mean "slabBytes"?');
  for (const slabBytes of [0, -1, 1.5, NaN, "5"]) {
    assertThrows(create({ slabBytes }), Error, "slabBytes");
  }
});
