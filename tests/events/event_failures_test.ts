/** EventRecorder while requests fail or get no answer. */

import { assert, assertEquals } from "@std/assert";
import { abortable, delay } from "@kubeloop/controller/base";
import { EventRecorder, type EventV1 } from "@kubeloop/controller/events";
import { ConfigMaps, StatusError } from "@kubeloop/controller/types";
import { VirtualClock } from "@kubeloop/testing";
import { RecordingLogger } from "../support/recording_logger.ts";
import { map } from "./_recording.ts";

const MINUTE = 60_000;

/** A client of Events. The name of the object selects the result of a request: `hang` and `fail`; otherwise the write succeeds. */
class EventSink {
  readonly clock: VirtualClock = new VirtualClock();
  readonly logger: RecordingLogger = new RecordingLogger();
  /** The names of the objects whose Events were written, and the times in seconds. */
  readonly written: [name: string, atS: number][] = [];
  /** The number of requests. */
  requests = 0;
  /** The requests that run at the moment, and the most there were. */
  running = 0;
  mostRunning = 0;
  isDown = false;
  readonly recorder: EventRecorder;
  readonly stop: AbortController = new AbortController();
  readonly ended: Promise<void>;

  constructor() {
    const { clock, logger } = this;
    const send = async (name: string, signal: AbortSignal) => {
      this.requests++;
      this.mostRunning = Math.max(this.mostRunning, ++this.running);
      try {
        if (name.startsWith("hang")) await abortable(new Promise(() => {}), signal);
        await delay(5, { clock });
        if (this.isDown || name.startsWith("fail")) {
          throw new StatusError({ code: 500, message: "etcd is gone" });
        }
        this.written.push([name, Math.round(clock.now() / 1_000)]);
      } finally {
        this.running--;
      }
    };
    const client = {
      create: (_: unknown, event: EventV1, call: { signal: AbortSignal }) =>
        send(event.regarding.name!, call.signal),
      patch: () => Promise.reject(new Error("No event occurs twice")),
      environment: { clock, logger, random: { next: () => 0.5 } },
    };
    this.recorder = new EventRecorder(client as never, { reportingController: "a.acme.io" });
    this.ended = this.recorder.run({ signal: this.stop.signal });
  }

  report(...names: readonly string[]): void {
    for (const name of names) {
      this.recorder.event(ConfigMaps, map(name), { type: "Normal", reason: "Seen", note: "" });
    }
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.clock.run(this.ended);
    assertEquals(this.clock.pendingTimers, 0);
  }
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);

Deno.test("EventRecorder writes other events while some fail again and again", async () => {
  const sink = new EventSink();
  sink.report(...numbered("fail", 20), "good");
  await sink.clock.advance(1_000);
  assertEquals(sink.written, [["good", 0]]);
  sink.report(...numbered("more", 500));
  await sink.clock.advance(9_000);
  assertEquals(sink.written.length, 501);
  await sink.clock.advance(10 * MINUTE);
  // Twelve tries of each that fails.
  assertEquals(sink.requests, 501 + 12 * 20);
  assertEquals(sink.recorder.snapshot().dropped.failed, 20);
  assertEquals(sink.mostRunning, 1);
  await sink.end();
});

Deno.test("EventRecorder writes other events while the server does not answer to one", async () => {
  const sink = new EventSink();
  sink.report("hang", "good");
  await sink.clock.advance(3_000);
  assertEquals(sink.written, [["good", 2]]);
  sink.report(...numbered("hang", 20), "other");
  await sink.clock.advance(5 * MINUTE);
  assertEquals(sink.written.map(([name]) => name), ["good", "other"]);
  assertEquals(sink.mostRunning, 8);
  const startMs = sink.clock.now();
  await sink.end();
  assert(sink.clock.now() - startMs <= 5_000);
});

Deno.test("EventRecorder makes few requests in an outage, drops nothing, and then writes all", async () => {
  const sink = new EventSink();
  sink.isDown = true;
  sink.report(...numbered("m", 1_000));
  await sink.clock.advance(10 * MINUTE);
  assert(sink.requests > 500 && sink.requests < 660, String(sink.requests));
  // One line per try would be too much.
  assert(sink.logger.of("warn").length <= 610, String(sink.logger.of("warn").length));
  sink.isDown = false;
  await sink.clock.advance(30_000);
  const { dropped, queued } = sink.recorder.snapshot();
  assertEquals([sink.written.length, queued, dropped.failed, dropped.overflow], [1_000, 0, 0, 0]);
  await sink.end();
});

Deno.test("EventRecorder has room for a new event while 1,000 fail", async () => {
  const sink = new EventSink();
  sink.report(...numbered("fail", 1_000));
  await sink.clock.advance(MINUTE);
  assertEquals(sink.recorder.snapshot().queued, 1_000);
  sink.report("good");
  const { queued, dropped } = sink.recorder.snapshot();
  assertEquals([queued, dropped.overflow], [1_000, 1]);
  // It is behind events that were not tried yet, which now take a second each.
  await sink.clock.advance(20 * MINUTE);
  assertEquals(sink.written.map(([name]) => name), ["good"]);
  await sink.end();
});
