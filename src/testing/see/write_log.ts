import type { RequestAuthor, ServerRequest, ServerWrite } from "../api_server/mod.ts";

/** A write of an object, or a write that was refused. */
export interface Recorded {
  /** The time on the wall, in milliseconds. */
  readonly atMs: number;
  readonly resource: string;
  readonly key: string;
  /** The sender; undefined if the server made the write by itself. */
  readonly author: RequestAuthor | undefined;
  /** The write; undefined if it was refused. */
  readonly write: ServerWrite | undefined;
  /** The request, once it is answered. */
  request: ServerRequest | undefined;
  /** The changed paths, once they have been computed. */
  changed?: readonly string[];
}

/** The limits of a {@linkcode WriteLog}. */
export interface WriteLogLimits {
  /** The number of objects. */
  readonly objects: number;
  /** The number of writes of one object. */
  readonly writes: number;
  /** The length of the texts of all writes, in characters. */
  readonly characters: number;
}

/**
 * The last writes of the objects that were written last. When a limit is reached, the writes of the object that has not been
 * written for the longest time are dropped.
 */
export class WriteLog {
  readonly #limits: WriteLogLimits;
  /** The object that was written last is the last one. */
  readonly #objects = new Map<string, Recorded[]>();
  readonly #bySender = new WeakMap<RequestAuthor, Recorded[]>();
  #characters = 0;
  #dropped = 0;

  /** Creates an empty log. */
  constructor(limits: WriteLogLimits) {
    this.#limits = limits;
  }

  /** The number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** The length of the texts of all writes, in characters. */
  get characters(): number {
    return this.#characters;
  }

  /** The number of dropped writes. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a write. */
  add(one: Recorded): void {
    const id = idOf(one.resource, one.key);
    const list = this.#objects.get(id) ?? [];
    this.#objects.delete(id);
    this.#objects.set(id, list);
    list.push(one);
    this.#characters += lengthOf(one);
    if (one.author !== undefined && one.write !== undefined) this.#expectAnswer(one.author, one);
    if (list.length > this.#limits.writes) this.#drop(list);
    while (this.#isFull()) {
      const [oldest, writes] = this.#objects.entries().next().value!;
      this.#drop(writes);
      if (writes.length === 0) this.#objects.delete(oldest);
    }
  }

  /** Adds the answer to the writes of a request. */
  answer(request: ServerRequest): void {
    for (const one of this.#bySender.get(request.author) ?? []) one.request = request;
    this.#bySender.delete(request.author);
  }

  /** Returns the writes of an object, the oldest first. */
  of(resource: string, key: string): readonly Recorded[] {
    return this.#objects.get(idOf(resource, key)) ?? [];
  }

  /** Returns the writes of each object, the object that was written last first. */
  newest(): (readonly Recorded[])[] {
    return [...this.#objects.values()].reverse();
  }

  #isFull(): boolean {
    if (this.#objects.size > this.#limits.objects) return true;
    return this.#characters > this.#limits.characters && this.#objects.size > 0;
  }

  #drop(writes: Recorded[]): void {
    const oldest = writes.shift();
    if (oldest === undefined) return;
    this.#characters -= lengthOf(oldest);
    this.#dropped++;
  }

  #expectAnswer(author: RequestAuthor, one: Recorded): void {
    const list = this.#bySender.get(author);
    if (list === undefined) this.#bySender.set(author, [one]);
    // A request that deletes a collection has as many writes as that has objects.
    else if (list.length < this.#limits.writes) list.push(one);
  }
}

/** Returns a name of an object that is unique among all resources. */
export function idOf(resource: string, key: string): string {
  return `${resource} ${key}`;
}

/** The texts before and after the write: the former one may be in no store any more. Of a refusal, its message. */
function lengthOf({ request, write }: Recorded): number {
  if (write !== undefined) return 2 * write.text.length;
  return request === undefined ? 0 : request.path.length + (request.message?.length ?? 0);
}
