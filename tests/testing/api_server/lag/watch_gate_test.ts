import { assertEquals } from "@std/assert";
import type { HeldEvent } from "../../../../src/testing/api_server/lag/held_event.ts";
import type { LagReader } from "../../../../src/testing/api_server/lag/mod.ts";
import { type GateLags, WatchGate } from "../../../../src/testing/api_server/lag/watch_gate.ts";
import type { LiveEntry, WatchStream } from "../../../../src/testing/api_server/storage/mod.ts";
import { VirtualClock } from "../../../../src/testing/mod.ts";

/** A gate whose held events a test chooses. */
class Gated {
  readonly clock = new VirtualClock();
  readonly block = { active: true };
  readonly delivered: number[] = [];
  dropped = 0;
  /** The bytes that the server counts. */
  backlog = 0;
  closed = 0;
  dueMs = -Infinity;
  readonly gate: WatchGate;

  constructor(limit = 10) {
    const lags: GateLags = {
      isActive: true,
      arrive: (_gate, held: HeldEvent) => {
        held.blocks.push(this.block);
        held.dueMs = this.dueMs;
      },
      standsAt: () => Infinity,
      onFailure: () => {},
      closed: () => this.closed++,
    };
    this.gate = new WatchGate(lags, this.clock, {
      reader: {} as LagReader,
      typeOf: () => "ADDED",
      limit,
      onBacklog: (_gate, bytes) => this.backlog += bytes,
    });
  }

  connect(onEntry: (revision: number) => void = () => {}): void {
    this.gate.connect({
      onEntry: ({ revision }: LiveEntry) => {
        this.delivered.push(revision);
        onEntry(revision);
      },
      drop: () => this.dropped++,
    } as unknown as WatchStream);
  }
}

function entry(revision: number): LiveEntry {
  const object = { bytes: 100, namespace: "", name: `a${revision}`, uid: "" };
  return { object, revision } as unknown as LiveEntry;
}

Deno.test("WatchGate ends a watch that begins with more held events than may wait, and no other", () => {
  for (const [events, dropped] of [[3, 0], [4, 1]] as const) {
    const gated = new Gated(3);
    assertEquals(gated.gate.begin(Array.from({ length: events }, (_, i) => entry(i + 1))), []);
    gated.connect();
    assertEquals(gated.dropped, dropped);
  }
});

Deno.test("WatchGate delivers and counts nothing more once a delivery has ended the watch", () => {
  const gated = new Gated();
  gated.connect((revision) => {
    if (revision === 2) gated.gate.close();
  });
  for (let revision = 1; revision <= 4; revision++) gated.gate.onEntry(entry(revision));
  assertEquals([gated.delivered, gated.backlog], [[], 400]);
  gated.block.active = false;
  gated.gate.pump();
  assertEquals([gated.delivered, gated.backlog, gated.closed], [[1, 2], 0, 1]);
  assertEquals([...gated.gate.held()], []);
  gated.gate.close();
  gated.gate.onEntry(entry(5));
  assertEquals([gated.delivered, gated.backlog, gated.closed], [[1, 2], 0, 1]);
});

Deno.test("WatchGate has one timer for the oldest event, and none after it has closed", async () => {
  const gated = new Gated();
  gated.block.active = false;
  gated.connect();
  gated.dueMs = 1000;
  for (const revision of [1, 2, 3]) gated.gate.onEntry(entry(revision));
  assertEquals(gated.clock.pendingTimers, 1);
  await gated.clock.advance(999);
  assertEquals(gated.delivered, []);
  await gated.clock.advance(1);
  assertEquals([gated.delivered, gated.clock.pendingTimers], [[1, 2, 3], 0]);
  gated.dueMs = 5000;
  gated.gate.onEntry(entry(4));
  gated.gate.close();
  assertEquals([gated.clock.pendingTimers, gated.backlog], [0, 0]);
});
