/** An informer of a malicious server, and what it promises. */

import { assert, assertEquals } from "@std/assert";
import type { Clock } from "../../src/base/mod.ts";
import { SharedInformer } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { ConfigMaps } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { mostInTenSeconds } from "../support/request_rate.ts";
import { countTried } from "../support/seeded_runs.ts";
import { MaliciousServer, versionsOf } from "./malicious_server.ts";

/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;

/** An informer of a malicious server. */
export class Victim {
  readonly server: MaliciousServer = new MaliciousServer();
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly informer: SharedInformer;
  readonly #client: Client;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** @param wallNow The wall clock of the client. Default: that of the server. */
  constructor(keeps: "parsed" | "bytes", streaming: boolean, wallNow?: () => number) {
    const { clock } = this.server;
    const clientClock: Clock = {
      now: () => clock.now(),
      wallNow: wallNow ?? (() => clock.wallNow()),
      setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
    };
    const options = {
      ...this.server.clientOptions,
      clock: clientClock,
      logger: this.logger,
      maxBodyBytes: 1_000_000,
    };
    this.#client = new Client({ ...options, maxWatchLineBytes: 1_000_000 });
    const source = {
      ...this.#client.listerWatcher(ConfigMaps),
      isWatchListSemanticsUnsupported: !streaming,
    };
    this.informer = new SharedInformer(source, {
      resource: ConfigMaps,
      keepParsed: keeps === "parsed",
      freezeObjects: true,
      random: { next: () => 0.5 },
    }) as unknown as SharedInformer;
  }

  async start(): Promise<void> {
    for (const name of ["a", "b", "c"]) await this.server.put(name, { v: "1" });
    this.#running = this.informer.run({ signal: this.#stop.signal });
    await this.server.clock.advance(MINUTE_MS);
    await this.assertEqual();
  }

  /** Makes changes of every kind, with the recreation of an object among them. */
  async change(): Promise<void> {
    await this.server.put("a", undefined);
    await this.server.put("a", { v: "2" });
    await this.server.put("b", { v: "2" });
    await this.server.put("c", undefined);
    await this.server.put("d", { v: "1" });
  }

  async assertEqual(): Promise<void> {
    assertEquals(versionsOf(this.informer.indexer.list()), await this.server.versions());
  }

  assertPaced(): void {
    const most = mostInTenSeconds(this.server.times);
    assert(most <= 10, `${most} requests within ten seconds`);
  }

  /** Asserts that each log line is one visible line of bounded length. */
  assertLines(): void {
    for (const line of this.logger.lines) {
      assert(line.length < 12_000 && !/\p{Cc}/u.test(line), line.slice(0, 200));
    }
  }

  /** Stops the informer, and asserts that nothing happens afterwards. */
  async assertStops(): Promise<void> {
    this.#stop.abort();
    await this.server.clock.run(this.#running as Promise<void>, 5_000);
    const before = this.server.times.length;
    await this.server.clock.advance(60 * MINUTE_MS);
    assertEquals(this.server.times.length, before);
    await this.#client.close();
    await this.server[Symbol.asyncDispose]();
    assertEquals(this.server.clock.pendingTimers, 0);
    countTried({ faults: this.server.faults });
  }
}
