/**
 * What a client of the benchmark does, whatever library it is made of. These files run on Deno, Node and Bun.
 *
 * @module
 */

/** The part of a Pod that cases look at. */
export interface PodView {
  readonly metadata: {
    readonly name?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * What is told of Pods.
 *
 * @typeParam Item What the client's handlers are given: Pods, or references to them.
 */
export interface Handlers<Item> {
  add(item: Item): void;
  update(item: Item): void;
  /** Called by a worker that took the Pod's key from a work queue; clients without one do not. */
  reconcile?(pod: PodView): void;
}

/** An informer at work, until its process ends. */
export interface RunningInformer {
  /** How many Pods its cache holds. */
  size(): number;
}

/** Which Pods are watched. */
export interface Scope {
  /** As in `http://127.0.0.1:8001`. */
  readonly server: string;
  /** Default: all. */
  readonly namespace?: string;
}

/** Makes informers on Pods. */
export interface InformerClient<Item = unknown> {
  start(scope: Scope, handlers: Handlers<Item>): RunningInformer;
  /** What a handler does with a Pod that needs no more than its name. */
  nameOf(item: Item): string;
  /** The whole Pod. */
  podOf(item: Item): PodView;
}

/** The URL of the Pods in `scope`. */
export function podsUrl({ server, namespace }: Scope): string {
  return `${server}/api/v1/${namespace === undefined ? "" : `namespaces/${namespace}/`}pods`;
}
