import { abortable } from "../../src/base/mod.ts";
import type { HandlerRegistration } from "../../src/cache/mod.ts";
import type { KeySource } from "../../src/controller/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";

type Handler = (change: { readonly key: string }) => void;

/** Returns an object with the key `key`, which has the form `namespace/name`. */
export function objectOf(key: string): KubeObject {
  const [namespace, name] = key.split("/") as [string, string];
  return { metadata: { namespace, name } };
}

/** An informer that the test controls: the test decides when it has synced and which events it delivers. */
export class FakeInformer implements KeySource {
  readonly name = "fakes";
  readonly handlers: Map<HandlerRegistration, Handler> = new Map();
  readonly #startedByOthers: boolean;
  /** How often a user has started the informer. */
  runs = 0;
  stops = 0;
  /** Delays the end of `runShared` after its signal has aborted. */
  lastDeed: Promise<void> = Promise.resolve();
  #hasSynced = false;
  readonly #synced = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();

  constructor(options: { readonly started?: boolean; readonly synced?: boolean } = {}) {
    this.#startedByOthers = options.started ?? false;
    if (options.synced ?? true) this.sync();
  }

  async runShared({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (!this.#startedByOthers) this.runs++;
    try {
      await abortable(this.#ended.promise, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.lastDeed;
      if (!this.#startedByOthers) this.stops++;
    }
  }

  whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return abortable(this.#synced.promise, call.signal);
  }

  hasSynced(): boolean {
    return this.#hasSynced;
  }

  whyNotSynced(): string {
    return "the server is asleep";
  }

  addChangeHandler(handler: Handler): HandlerRegistration {
    const registration: HandlerRegistration = {
      name: `${this.name} handler`,
      hasSynced: () => this.#hasSynced,
      whenSynced: () => this.#synced.promise,
      whyNotSynced: () => this.whyNotSynced(),
      snapshot: () => {
        throw new Error("Not needed by these tests");
      },
    };
    this.handlers.set(registration, handler);
    return registration;
  }

  removeEventHandler(registration: HandlerRegistration): void {
    this.handlers.delete(registration);
  }

  sync(): void {
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  failToSync(error: unknown): void {
    this.#synced.reject(error);
  }

  /** Ends `runShared` before a signal aborts: without an error, or with one. */
  end(error?: unknown): void {
    if (error === undefined) this.#ended.resolve();
    else this.#ended.reject(error);
  }

  /** Notifies the handlers of a change of the object with `key`. */
  change(key: string): void {
    for (const handler of this.handlers.values()) handler({ key });
  }
}
