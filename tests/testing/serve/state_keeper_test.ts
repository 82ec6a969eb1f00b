import { assertEquals, assertRejects } from "@std/assert";
import { type Logger, silentLogger } from "../../../src/base/mod.ts";
import { type ServerState, VirtualClock } from "../../../src/testing/mod.ts";
import { StateKeeper } from "../../../src/testing/serve/state_keeper.ts";

/** A keeper whose state is a counter, and whose writes the test controls. */
class Bench {
  readonly clock = new VirtualClock();
  readonly written: string[] = [];
  readonly errors: string[] = [];
  version = 0;
  /** Runs before each write. */
  next: () => Promise<void> = () => Promise.resolve();
  readonly keeper: StateKeeper;

  constructor() {
    const logger: Logger = { ...silentLogger, error: (message) => this.errors.push(message) };
    this.keeper = new StateKeeper({
      take: (): ServerState => ({ resourceVersion: String(this.version), objects: [] }),
      write: async ({ resourceVersion }) => {
        await this.next();
        this.written.push(resourceVersion);
      },
      clock: this.clock,
      logger,
    });
  }

  change(): void {
    this.version++;
    this.keeper.changed();
  }
}

Deno.test("StateKeeper writes many changes together, after a delay", async () => {
  const bench = new Bench();
  for (let i = 0; i < 100; i++) bench.change();
  await bench.clock.advance(299);
  assertEquals(bench.written, []);
  await bench.clock.advance(1);
  assertEquals(bench.written, ["100"]);
  await bench.clock.advance(10_000);
  assertEquals(bench.written, ["100"]);
  bench.change();
  await bench.clock.advance(300);
  assertEquals(bench.written, ["100", "101"]);
});

Deno.test("StateKeeper writes one state at a time, and changes made meanwhile afterwards", async () => {
  const bench = new Bench();
  let finish = () => {};
  bench.next = () => new Promise((resolve) => finish = resolve);
  bench.change();
  await bench.clock.advance(300);
  bench.change();
  await bench.clock.advance(1000);
  assertEquals(bench.written, []);
  bench.next = () => Promise.resolve();
  finish();
  await bench.clock.settle();
  assertEquals(bench.written, ["1"]);
  await bench.clock.advance(300);
  assertEquals(bench.written, ["1", "2"]);
});

Deno.test("StateKeeper logs a failed write and retries with the next change", async () => {
  const bench = new Bench();
  bench.next = () => Promise.reject(new Error("disk full"));
  bench.change();
  await bench.clock.advance(10_000);
  assertEquals(bench.errors, ["Cannot save the state"]);
  bench.next = () => Promise.resolve();
  bench.change();
  await bench.clock.advance(300);
  assertEquals(bench.written, ["2"]);
});

Deno.test("StateKeeper.save() writes at once, one state at a time, and more changes afterwards", async () => {
  const bench = new Bench();
  let finish = () => {};
  bench.change();
  await bench.keeper.save();
  assertEquals(bench.written, ["1"]);
  await bench.keeper.save();
  assertEquals(bench.written, ["1"]);
  bench.next = () => new Promise((resolve) => finish = resolve);
  bench.change();
  await bench.clock.advance(300);
  bench.change();
  const saving = bench.keeper.save();
  await bench.clock.advance(1000);
  assertEquals(bench.written, ["1"]);
  bench.next = () => Promise.resolve();
  finish();
  await saving;
  assertEquals(bench.written, ["1", "2", "3"]);
  bench.change();
  await bench.clock.advance(300);
  assertEquals(bench.written, ["1", "2", "3", "4"]);
});

Deno.test("StateKeeper.close() writes the last changes, and nothing twice", async () => {
  const bench = new Bench();
  bench.change();
  await bench.keeper.close();
  assertEquals(bench.written, ["1"]);
  bench.change();
  await bench.clock.advance(1000);
  assertEquals(bench.written, ["1"]);

  const recovered = new Bench();
  recovered.next = () => Promise.reject(new Error("disk full"));
  recovered.change();
  await recovered.clock.advance(300);
  recovered.next = () => Promise.resolve();
  await recovered.keeper.close();
  assertEquals(recovered.written, ["1"]);

  const idle = new Bench();
  await idle.keeper.close();
  assertEquals(idle.written, []);

  const failing = new Bench();
  failing.next = () => Promise.reject(new Error("disk full"));
  failing.change();
  await assertRejects(() => failing.keeper.close(), Error, "disk full");
});
