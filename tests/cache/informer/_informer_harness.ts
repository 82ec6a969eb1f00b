/** A SharedInformer with a fake source and a virtual clock. */

import {
  type CacheKind,
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type ResourceEventHandler,
  SharedInformer,
  type SharedInformerOptions,
} from "../../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import type { Cached, Pod } from "../../../src/types/mod.ts";
import { type Mode, MODES } from "./_modes.ts";
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

/** Creates a harness whose informer has the kind of cache that is being tested. */
export type MakeHarness = (
  options?: Omit<SharedInformerOptions<Pod>, "cache">,
) => InformerHarness;

/** Registers a test once for each {@linkcode Mode}. */
export function informerTest(
  name: string,
  test: (harness: MakeHarness, mode: Mode) => Promise<void>,
): void {
  for (const mode of MODES) {
    const suffix = mode.cache === "plain" ? "" : ` (${mode.name})`;
    Deno.test(`${name}${suffix}`, () =>
      test((options) => new InformerHarness(mode, options), mode));
  }
}

/** Registers a test of references once for each {@linkcode Mode} that has them. */
export function refTest(
  name: string,
  test: (t: InformerHarness, pods: SharedInformer<Pod, "compact">) => Promise<void>,
  options: Omit<SharedInformerOptions<Pod>, "cache"> = {},
): void {
  for (const mode of MODES) {
    if (mode.cache !== "compact") continue;
    Deno.test(`${name} (${mode.name})`, async () => {
      await using t = new InformerHarness(mode, options);
      await test(t, t.informer as unknown as SharedInformer<Pod, "compact">);
    });
  }
}

/** The fixture of a SharedInformer test. */
export class InformerHarness {
  readonly clock: VirtualClock = new VirtualClock();
  readonly source: FakeControllerSource<Pod> = new FakeControllerSource();
  readonly logger: RecordingLogger = new RecordingLogger();
  /**
   * The informer, with the type of a plain one: the metadata that identifies an object is in the same place in a
   * reference. For everything else there is `objectOf`.
   */
  readonly informer: SharedInformer<Pod>;
  readonly #stop = new AbortController();
  running: Promise<void> | undefined;

  constructor(mode: Mode, options: Omit<SharedInformerOptions<Pod>, "cache"> = {}) {
    const source = mode.source(this.source, this.clock);
    this.informer = new SharedInformer<Pod, CacheKind>(source, {
      name: "pods",
      clock: this.clock,
      logger: this.logger,
      random: { next: () => 0 },
      ...options,
      cache: mode.cache,
    }) as SharedInformer<Pod>;
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
