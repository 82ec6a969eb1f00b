/**
 * The interface of the benchmark's clients. The files in this folder run on Deno, Node and Bun.
 *
 * @module
 */

/** The part of a Pod that cases read. */
export interface PodView {
  readonly metadata: {
    readonly name?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * The handlers of Pod events.
 *
 * @typeParam Item The argument of the client's handlers: Pods, or references to them.
 */
export interface Handlers<Item> {
  add(item: Item): void;
  update(item: Item): void;
  /** Called by a worker that took the Pod's key from a work queue; not called by clients without a queue. */
  reconcile?(pod: PodView): void;
}

/** A running informer, which runs until its process ends. */
export interface RunningInformer {
  /** Returns the number of Pods in the cache. */
  size(): number;
}

/** The watched Pods. */
export interface Scope {
  /** The URL of the server, such as `http://127.0.0.1:8001`. */
  readonly server: string;
  /** The namespace. Default: all. */
  readonly namespace?: string;
}

/** A client, which starts informers on Pods. */
export interface InformerClient<Item = unknown> {
  start(scope: Scope, handlers: Handlers<Item>): RunningInformer;
  /** Returns the name of a Pod, like a handler that needs only the name. */
  nameOf(item: Item): string;
  /** Returns the whole Pod. */
  podOf(item: Item): PodView;
}

/** Returns the URL of the Pods in `scope`. */
export function podsUrl({ server, namespace }: Scope): string {
  return `${server}/api/v1/${namespace === undefined ? "" : `namespaces/${namespace}/`}pods`;
}
