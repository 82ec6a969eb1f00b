import {
  type BatchedWatch,
  fillInKind,
  type KubeList,
  type KubeObject,
  type ListerWatcher,
  type ListerWatcherCall,
  type ListOptions,
  type WatchEvent,
} from "../../types/mod.ts";
import { describeError, visibleText } from "../../base/mod.ts";
import { isBatched, UnusableObject } from "../reflector/mod.ts";
import type { RefReader } from "./ref_reader.ts";
import { ObjectRef } from "./object_ref.ts";

/**
 * Lists and watches the objects of another ListerWatcher as references. If the other one can provide bytes, the
 * references are created from them without parsing the objects.
 */
export class CompactListerWatcher<T extends KubeObject> implements ListerWatcher<ObjectRef<T>> {
  readonly isWatchListSemanticsUnsupported: boolean;
  readonly #source: ListerWatcher<ObjectRef<T> | T>;
  readonly #reader: RefReader<T>;

  constructor(source: ListerWatcher<T>, reader: RefReader<T>) {
    this.isWatchListSemanticsUnsupported = source.isWatchListSemanticsUnsupported ?? false;
    this.#source = source.readBy?.(reader) ?? source as ListerWatcher<ObjectRef<T> | T>;
    this.#reader = reader;
  }

  async list(options: ListOptions, call: ListerWatcherCall): Promise<KubeList<ObjectRef<T>>> {
    const page = await this.#source.list(options, call);
    // The reflector reports an answer that is not a list.
    if (!Array.isArray(page?.items)) return page as KubeList<ObjectRef<T>>;
    return { ...page, items: fillInKind(page).items.map(this.#toRef) };
  }

  async watch(
    options: ListOptions,
    call: ListerWatcherCall,
  ): Promise<AsyncIterable<WatchEvent<ObjectRef<T>>> | BatchedWatch<ObjectRef<T>>> {
    const events = await this.#source.watch(options, call);
    const iterable = {
      [Symbol.asyncIterator]: () => mapped(events[Symbol.asyncIterator](), this.#toRefEvent),
    };
    if (!isBatched(events)) return iterable;
    return {
      ...iterable,
      batches: () => mapped(events.batches(), (batch) => batch.map(this.#toRefEvent)),
    };
  }

  readonly #toRef = (object: ObjectRef<T> | T): ObjectRef<T> => {
    const metadata: unknown = object?.metadata;
    // The reflector skips objects without metadata.
    if (typeof metadata !== "object" || metadata === null) return object as ObjectRef<T>;
    try {
      return this.#reader.refTo(object);
    } catch (error) {
      // For example an object that is nested too deep to be encoded, or that contains itself.
      const flaw = `${nameOf(metadata)} cannot be kept as bytes: ${describeError(error)}`;
      return new UnusableObject(flaw) as unknown as ObjectRef<T>;
    }
  };

  readonly #toRefEvent = (event: WatchEvent<ObjectRef<T> | T>): WatchEvent<ObjectRef<T>> => {
    const { type, object } = event ?? {};
    if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED" || ObjectRef.is<T>(object)) {
      return event as WatchEvent<ObjectRef<T>>;
    }
    return { type, object: this.#toRef(object) };
  };
}

function nameOf(metadata: object): string {
  const { name } = metadata as { readonly name?: unknown };
  return typeof name === "string" ? `"${visibleText(name, 300)}"` : "an object";
}

function mapped<A, B>(source: AsyncIterator<A>, map: (value: A) => B): AsyncIterator<B> {
  return {
    async next() {
      const result = await source.next();
      return result.done ? result : { done: false, value: map(result.value) };
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}
