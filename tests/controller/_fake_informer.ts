import { abortable, deferred, onAbort } from "../../src/base/mod.ts";
import {
  DeletedFinalStateUnknown,
  type HandlerRegistration,
  type ResourceEventHandler,
} from "../../src/cache/mod.ts";
import type { ControllerInformer } from "../../src/controller/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";

type Handler = ResourceEventHandler<KubeObject>;

/** An object that has `key`, which is `namespace/name`. */
export function objectOf(key: string): KubeObject {
  const [namespace, name] = key.split("/") as [string, string];
  return { metadata: { namespace, name } };
}

/** An informer moved by hand: it is in sync when told so, and its events are those that the test makes. */
export class FakeInformer implements ControllerInformer {
  readonly name = "fakes";
  readonly handlers: Map<HandlerRegistration, Handler> = new Map();
  hasStarted: boolean;
  runs = 0;
  stops = 0;
  /** What `run` waits for after its signal has aborted. */
  lastDeed: Promise<void> = Promise.resolve();
  #hasSynced = false;
  readonly #synced = deferred();
  readonly #ended = deferred();

  constructor(options: { readonly started?: boolean; readonly synced?: boolean } = {}) {
    this.hasStarted = options.started ?? false;
    if (options.synced ?? true) this.sync();
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.hasStarted = true;
    this.runs++;
    const release = onAbort(signal, () => this.#ended.resolve());
    try {
      await this.#ended.promise;
    } finally {
      release();
      await this.lastDeed;
      this.stops++;
    }
  }

  whenSynced(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return abortable(this.#synced.promise, call.signal);
  }

  hasSynced(): boolean {
    return this.#hasSynced;
  }

  whyNotSynced(): string {
    return "the server is asleep";
  }

  addEventHandler(handler: Handler): HandlerRegistration {
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

  /** Ends `run` though nobody has aborted it: well, or with an error. */
  end(error?: unknown): void {
    if (error === undefined) this.#ended.resolve();
    else this.#ended.reject(error);
  }

  add(key: string): void {
    for (const handler of this.handlers.values()) handler.onAdd?.(objectOf(key), false);
  }

  update(key: string): void {
    for (const handler of this.handlers.values()) handler.onUpdate?.(objectOf(key), objectOf(key));
  }

  delete(key: string): void {
    for (const handler of this.handlers.values()) handler.onDelete?.(objectOf(key));
  }

  loseSightOf(key: string): void {
    for (const handler of this.handlers.values()) {
      handler.onDelete?.(new DeletedFinalStateUnknown<KubeObject>(key, undefined));
    }
  }
}
