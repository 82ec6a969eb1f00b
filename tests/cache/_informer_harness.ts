/** A SharedInformer on a fake source and a virtual clock. */

import {
  type ResourceEventHandler,
  SharedInformer,
  type SharedInformerOptions,
} from "../../src/cache/mod.ts";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
} from "../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../src/testing/mod.ts";
import type { Pod } from "../../src/types/mod.ts";
import { RecordingLogger } from "./_reflector_harness.ts";

/** A handler that writes down what it is told. */
export class RecordingHandler implements ResourceEventHandler<Pod> {
  readonly lines: string[] = [];

  onAdd(obj: Pod, isInInitialList: boolean): void {
    this.lines.push(`add ${obj.metadata.name}${isInInitialList ? " initially" : ""}`);
  }

  onUpdate(old: Pod, obj: Pod): void {
    const versions = `${old.metadata.resourceVersion}→${obj.metadata.resourceVersion}`;
    this.lines.push(`update ${obj.metadata.name} ${versions}`);
  }

  onDelete(obj: Pod | DeletedFinalStateUnknown<Pod>): void {
    const key = deletionHandlingMetaNamespaceKeyFunc(obj).replace(/^.*\//, "");
    this.lines.push(`delete ${key}${DeletedFinalStateUnknown.is(obj) ? " unseen" : ""}`);
  }

  /** What came since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }
}

/** What a SharedInformer test needs. */
export class InformerHarness {
  readonly clock: VirtualClock = new VirtualClock();
  readonly source: FakeControllerSource<Pod> = new FakeControllerSource();
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly informer: SharedInformer<Pod>;
  readonly #stop = new AbortController();
  running: Promise<void> | undefined;

  constructor(options: SharedInformerOptions<Pod> = {}) {
    this.informer = new SharedInformer<Pod>(this.source, {
      name: "pods",
      clock: this.clock,
      logger: this.logger,
      random: { next: () => 0 },
      ...options,
    });
  }

  async start(ms = 0): Promise<void> {
    this.running = this.informer.run({ signal: this.#stop.signal });
    await this.clock.advance(ms);
  }

  /** Only sends the signal. */
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
