/**
 * The floor: the cost of the same bytes with only `fetch`, a split at line breaks, `JSON.parse` and a Map.
 *
 * @module
 */

import {
  type Handlers,
  type InformerClient,
  podsUrl,
  type PodView,
  type RunningInformer,
  type Scope,
} from "./informer_client.ts";

interface Pod extends PodView {
  readonly metadata: PodView["metadata"] & {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion: string;
  };
}

interface PodList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Pod[];
}

interface PodEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: Pod;
}

const PAGE = 500;

/** A minimal informer, without anything that makes an informer reliable. */
export const floor: InformerClient<Pod> = {
  start(scope: Scope, handlers: Handlers<Pod>): RunningInformer {
    const cache = new Map<string, Pod>();
    run(podsUrl(scope), cache, handlers);
    return { size: () => cache.size };
  },
  nameOf: (pod) => pod.metadata.name,
  podOf: (pod) => pod,
};

async function run(url: string, cache: Map<string, Pod>, handlers: Handlers<Pod>): Promise<never> {
  while (true) {
    const version = await list(url, cache, handlers);
    await watch(
      `${url}?watch=true&allowWatchBookmarks=true&resourceVersion=${version}`,
      cache,
      handlers,
    );
  }
}

function keyOf({ metadata }: Pod): string {
  return `${metadata.namespace}/${metadata.name}`;
}

async function list(
  url: string,
  cache: Map<string, Pod>,
  handlers: Handlers<Pod>,
): Promise<string> {
  for (let token: string | undefined = "";;) {
    const response: Response = await fetch(`${url}?limit=${PAGE}&continue=${token}`);
    const { metadata, items }: PodList = await response.json();
    for (const pod of items) {
      const key = keyOf(pod);
      const isNew = !cache.has(key);
      cache.set(key, pod);
      if (isNew) handlers.add(pod);
    }
    token = metadata.continue;
    if (token === undefined) return metadata.resourceVersion;
  }
}

async function watch(url: string, cache: Map<string, Pod>, handlers: Handlers<Pod>): Promise<void> {
  const { body } = await fetch(url);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end; (end = rest.indexOf("\n", start)) >= 0; start = end + 1) {
      take(JSON.parse(rest.slice(start, end)), cache, handlers);
    }
    rest = rest.slice(start);
  }
}

function take({ type, object }: PodEvent, cache: Map<string, Pod>, handlers: Handlers<Pod>): void {
  if (type === "BOOKMARK" || type === "ERROR") return;
  const key = keyOf(object);
  if (type === "DELETED") return void cache.delete(key);
  const isNew = !cache.has(key);
  cache.set(key, object);
  if (isNew) handlers.add(object);
  else handlers.update(object);
}
