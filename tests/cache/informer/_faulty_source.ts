/** A fake source with the faults of servers and networks, and the checks that an informer has recovered from them. */

import { assertEquals } from "@std/assert";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type ResourceEventHandler,
} from "../../../src/cache/mod.ts";
import type { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import {
  type Cached,
  type DeepReadonly,
  type KubeList,
  type ListerWatcher,
  type ListerWatcherCall,
  type ListOptions,
  type Pod,
  StatusError,
  type WatchEvent,
} from "../../../src/types/mod.ts";
import { BrokenBytes } from "./_over_bytes.ts";
import { errorEvent, initialEventsEnd } from "../reflector/_scripted_source.ts";

const status = (code: number, reason: string) => new StatusError({ code, reason, message: reason });
const refused = () => Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });

/** A fault of a request: an error, or no answer at all. */
export type RequestFault = Error | "hang";
/** A fault of an open watch: an error that breaks the stream, its end, silence, or a last event. */
export type StreamFault = Error | "close" | "silence" | WatchEvent<Pod>;

/** The faults of requests, by name. */
export const REQUEST_FAULTS: Readonly<Record<string, () => RequestFault>> = {
  "500": () => status(500, "InternalError"),
  "403": () => status(403, "Forbidden"),
  "410": () => status(410, "Expired"),
  "429": () => status(429, "TooManyRequests"),
  "503": () => status(503, "ServiceUnavailable"),
  "too large": () =>
    new StatusError({ code: 504, reason: "Timeout", message: "Too large resource version: 9" }),
  "refused": refused,
  "HTML": () => new SyntaxError("Unexpected token <"),
  "no answer": () => "hang",
};

/** The faults of open watches, by name. A thrown error breaks the stream. */
export const STREAM_FAULTS: Readonly<Record<string, () => StreamFault>> = {
  "a clean close": () => "close",
  "a TCP reset": () => Object.assign(new Error("read failed"), { code: "ECONNRESET" }),
  "an ERROR event of 410, the stream left open": () => errorEvent(410, "Expired"),
  "an ERROR event of 500, the stream left open": () => errorEvent(500, "InternalError"),
  "an ERROR event of 429": () => errorEvent(429, "TooManyRequests"),
  "endless silence": () => "silence",
  "garbage": () => new SyntaxError("Unexpected token <"),
};

const bytes = (text: string) => new TextEncoder().encode(text);
const LINE = '{"type":"MODIFIED","object":{"metadata":{"namespace":"x","name":"é';

/** Further faults of open watches, for sources that deliver bytes. */
export const BYTE_FAULTS: Readonly<Record<string, () => StreamFault>> = {
  "half a line and the end": () => new BrokenBytes(bytes(LINE), "close"),
  "half a line and a reset": () => new BrokenBytes(bytes(LINE), "reset"),
  "half a line and silence": () => new BrokenBytes(bytes(LINE), "open"),
  "a line cut within a character": () => new BrokenBytes(bytes(LINE).slice(0, -1), "close"),
  "a line whose text does not end": () => new BrokenBytes(bytes(`${LINE}}}}\n`), "open"),
  "bytes that are no text": () => new BrokenBytes(new Uint8Array([0xff, 0, 0xc3, 10]), "open"),
  "an event whose object is null": () =>
    new BrokenBytes(bytes('{"type":"ADDED","object":null}\n'), "open"),
  "an event whose object has no metadata": () =>
    new BrokenBytes(bytes('{"type":"MODIFIED","object":{"kind":"Pod"}}\n'), "open"),
};

/** Creates one of {@linkcode STREAM_FAULTS}. */
export function streamFault(what: string): StreamFault {
  const make = STREAM_FAULTS[what];
  if (make === undefined) throw new RangeError(`No such fault: ${what}`);
  return make();
}

/** Passes requests on to a fake source, unless a fault is due. It supports streaming lists. */
export class FaultySource implements ListerWatcher<Pod> {
  readonly isWatchListSemanticsUnsupported: boolean;
  readonly times: number[] = [];
  readonly verbs: string[] = [];
  /** Called before each request; returns the fault of the request, if any. */
  requestFault: (verb: "list" | "watch") => RequestFault | undefined = () => undefined;
  readonly #source: FakeControllerSource<Pod>;
  readonly #clock: VirtualClock;
  /** The functions that break the open watches. */
  readonly #breakers = new Set<(fault: StreamFault) => void>();

  constructor(source: FakeControllerSource<Pod>, clock: VirtualClock, streaming: boolean) {
    this.#source = source;
    this.#clock = clock;
    this.isWatchListSemanticsUnsupported = !streaming;
  }

  /** Lets all open watches fail at once. */
  breakWatches(fault: StreamFault): void {
    for (const breaker of [...this.#breakers]) breaker(fault);
  }

  async list(options: ListOptions, call: ListerWatcherCall): Promise<KubeList<Pod>> {
    await this.#begin("list", call);
    return await this.#source.list(options);
  }

  async watch(
    options: ListOptions,
    call: ListerWatcherCall,
  ): Promise<AsyncIterable<WatchEvent<Pod>>> {
    await this.#begin("watch", call);
    return this.#events(options, call);
  }

  async *#events(options: ListOptions, call: ListerWatcherCall): AsyncGenerator<WatchEvent<Pod>> {
    let resourceVersion = options.resourceVersion ?? "";
    if (options.sendInitialEvents) {
      const { items, metadata } = await this.#source.list();
      for (const object of items) yield { type: "ADDED", object };
      resourceVersion = metadata.resourceVersion ?? "";
      yield initialEventsEnd(resourceVersion);
    }
    const upstream = await this.#source.watch({ resourceVersion }, call);
    let fault: StreamFault | undefined;
    const breaker = (wanted: StreamFault) => {
      fault ??= wanted;
      void upstream.return?.();
    };
    this.#breakers.add(breaker);
    try {
      for await (const event of upstream) yield event;
      if (fault === undefined || fault === "close") return;
      if (fault instanceof Error) throw fault;
      if (fault !== "silence") yield fault;
      await stopped(call.signal);
    } finally {
      this.#breakers.delete(breaker);
    }
  }

  async #begin(verb: "list" | "watch", call: ListerWatcherCall): Promise<void> {
    this.times.push(this.#clock.now());
    this.verbs.push(verb);
    const fault = this.requestFault(verb);
    if (fault === "hang") await stopped(call.signal);
    else if (fault !== undefined) throw fault;
  }
}

function stopped(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * A handler that tracks the state of each object and records notifications that contradict it, such as a second
 * addition.
 */
export class FoldingHandler implements ResourceEventHandler<Cached<Pod>> {
  readonly versions: Map<string, string> = new Map();
  /** All resource versions that the handler was notified of, in order. */
  readonly seen: string[] = [];
  readonly problems: string[] = [];

  onAdd(obj: Cached<Pod>): void {
    const key = deletionHandlingMetaNamespaceKeyFunc(obj);
    if (this.versions.has(key)) this.problems.push(`${key} was added twice`);
    this.#put(key, obj);
  }

  onUpdate(old: Cached<Pod>, obj: Cached<Pod>): void {
    const key = deletionHandlingMetaNamespaceKeyFunc(obj);
    const known = this.versions.get(key);
    if (known !== old.metadata.resourceVersion) {
      this.problems.push(`${key} was updated from ${old.metadata.resourceVersion}, was ${known}`);
    }
    if (Number(obj.metadata.resourceVersion) < Number(known)) {
      this.problems.push(`${key} went back from ${known} to ${obj.metadata.resourceVersion}`);
    }
    this.#put(key, obj);
  }

  onDelete(obj: Cached<Pod> | DeletedFinalStateUnknown<Cached<Pod>>): void {
    const key = deletionHandlingMetaNamespaceKeyFunc(obj);
    if (!this.versions.delete(key)) this.problems.push(`${key} was deleted and not there`);
    if (!DeletedFinalStateUnknown.is(obj)) this.seen.push(obj.metadata.resourceVersion ?? "");
  }

  #put(key: string, obj: Cached<Pod>): void {
    this.versions.set(key, obj.metadata.resourceVersion ?? "");
    this.seen.push(obj.metadata.resourceVersion ?? "");
  }
}

/** Returns the resource versions of objects by key. */
export function versionsOf(objects: readonly DeepReadonly<Pod>[]): Record<string, string> {
  return Object.fromEntries(
    objects.map((
      obj,
    ) => [deletionHandlingMetaNamespaceKeyFunc(obj), obj.metadata.resourceVersion ?? ""])
      .sort(),
  );
}

/** Asserts that the notifications of `handler` were consistent and led to the state `objects`. */
export function assertFolds(handler: FoldingHandler, objects: readonly Pod[]): void {
  assertEquals(handler.problems, []);
  assertEquals(Object.fromEntries([...handler.versions].sort()), versionsOf(objects));
}
