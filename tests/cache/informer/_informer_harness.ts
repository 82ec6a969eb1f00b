/** A SharedInformer with a fake source and a virtual clock. */

import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type ResourceEventHandler,
  SharedInformer,
  type SharedInformerOptions,
} from "../../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import type { Cached, Pod } from "../../../src/types/mod.ts";
import { bringInto, type Mode, MODES, optionsOf, sourceOf } from "./_modes.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";

/** A handler that records its notifications. */
export class RecordingHandler implements ResourceEventHandler<Cached<Pod>> {
  readonly lines: string[] = [];

  onAdd(obj: Cached<Pod>, isInInitialList: boolean): void {
    this.lines.push(`add ${obj.metadata.name}${isInInitialList ? " initially" : ""}`);
  }

  onUpdate(old: Cached<Pod>, obj: Cached<Pod>): void {
    const versions = `${old.metadata.resourceVersion}→${obj.metadata.resourceVersion}`;
    this.lines.push(`update ${obj.metadata.name} ${versions}`);
  }

  onDelete(obj: Cached<Pod> | DeletedFinalStateUnknown<Cached<Pod>>): void {
    const key = deletionHandlingMetaNamespaceKeyFunc(obj).replace(/^.*\//, "");
    this.lines.push(`delete ${key}${DeletedFinalStateUnknown.is(obj) ? " unseen" : ""}`);
  }

  /** Returns the lines since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }
}

/** Creates a harness whose informer is in the mode that is being tested. */
export type MakeHarness = (options?: SharedInformerOptions<Pod>) => InformerHarness;

/** Registers a test once for each {@linkcode Mode}. */
export function informerTest(
  name: string,
  test: (harness: MakeHarness, mode: Mode) => Promise<void>,
): void {
  for (const mode of MODES) testWith(mode, name, test);
}

/** Registers a test whose handlers read objects, once for each {@linkcode Mode} with such handlers. */
export function objectTest(
  name: string,
  test: (harness: MakeHarness, mode: Mode) => Promise<void>,
): void {
  for (const mode of MODES) if (mode.keeps === "parsed") testWith(mode, name, test);
}

function testWith(
  mode: Mode,
  name: string,
  test: (harness: MakeHarness, mode: Mode) => Promise<void>,
): void {
  const suffix = mode === MODES[0] ? "" : ` (${mode.name})`;
  Deno.test(`${name}${suffix}`, () => test((options) => new InformerHarness(mode, options), mode));
}

/** The fixture of a SharedInformer test. */
export class InformerHarness {
  readonly clock: VirtualClock = new VirtualClock();
  readonly source: FakeControllerSource<Pod> = new FakeControllerSource();
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly informer: SharedInformer<Pod>;
  readonly #stop = new AbortController();
  running: Promise<void> | undefined;

  constructor(mode: Mode, options: SharedInformerOptions<Pod> = {}) {
    this.informer = new SharedInformer<Pod>(sourceOf(mode, this.source, this.clock), {
      name: "pods",
      clock: this.clock,
      logger: this.logger,
      random: { next: () => 0 },
      ...optionsOf(mode),
      ...options,
    });
    bringInto(mode, this.informer);
  }

  async start(ms = 0): Promise<void> {
    this.running = this.informer.run({ signal: this.#stop.signal });
    await this.clock.advance(ms);
  }

  /** Aborts the signal of the informer without waiting. */
  abort(): void {
    this.#stop.abort();
  }

  async stop(): Promise<void> {
    this.abort();
    if (this.running !== undefined) await this.clock.run(this.running, 2_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
