/** A reflector with a virtual clock, a scripted source and a recording store. */

import { Reflector, type ReflectorOptions, type ReflectorStore } from "../../../src/cache/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { ScriptedSource } from "./_scripted_source.ts";

/** A store that records its calls and can refuse them. */
export class RecordingStore implements ReflectorStore<Pod> {
  readonly calls: string[] = [];
  readonly versions: string[] = [];
  readonly objects: Map<string, Pod> = new Map();
  transformer?: (obj: Pod) => Pod;
  refuse: ((call: string) => boolean) | undefined;

  add(obj: Pod): void {
    this.#note(`add ${name(obj)}`);
    this.objects.set(name(obj), obj);
  }

  update(obj: Pod): void {
    this.#note(`update ${name(obj)}`);
    this.objects.set(name(obj), obj);
  }

  delete(obj: Pod): void {
    this.#note(`delete ${name(obj)}`);
    this.objects.delete(name(obj));
  }

  replace(items: readonly Pod[], resourceVersion: string): void {
    this.#note(`replace ${items.map(name).join(",")} @${resourceVersion}`);
    this.objects.clear();
    for (const item of items) this.objects.set(name(item), this.transformer?.(item) ?? item);
  }

  resync(): void {
    this.#note("resync");
  }

  bookmark(resourceVersion: string): void {
    this.#note(`bookmark ${resourceVersion}`);
  }

  updateResourceVersion(resourceVersion: string): void {
    this.versions.push(resourceVersion);
  }

  #note(call: string): void {
    if (this.refuse?.(call)) throw new Error(`refused: ${call}`);
    this.calls.push(call);
  }
}

function name(pod: Pod): string {
  return pod.metadata.name ?? "";
}

/** The fixture of a reflector test. The random source always returns 0, so there is no jitter. */
export class ReflectorHarness {
  readonly clock: VirtualClock = new VirtualClock();
  readonly source: ScriptedSource = new ScriptedSource(this.clock);
  readonly store: RecordingStore = new RecordingStore();
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly errors: unknown[] = [];
  readonly reflector: Reflector<Pod>;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions & { streaming?: boolean } = {}) {
    const { streaming = false, ...rest } = options;
    this.source.isWatchListSemanticsUnsupported = !streaming;
    this.reflector = new Reflector(this.source, this.store, {
      name: "pods",
      clock: this.clock,
      random: { next: () => 0 },
      logger: this.logger,
      watchErrorHandler: (_reflector, error) => void this.errors.push(error),
      ...rest,
    });
  }

  /** Starts the reflector and advances the clock by `ms` milliseconds. */
  async start(ms = 0): Promise<void> {
    this.#running = this.reflector.run({ signal: this.#stop.signal });
    await this.clock.advance(ms);
  }

  /** Stops the reflector and waits until it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Tells the reflector to stop. */
  abort(): void {
    this.#stop.abort(new Error("The test is over"));
  }

  async stop(): Promise<void> {
    this.abort();
    if (this.#running !== undefined) await this.clock.run(this.#running, 1_000);
    this.#running = undefined;
  }
}
