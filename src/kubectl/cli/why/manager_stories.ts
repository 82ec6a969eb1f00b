import { Client, type ClientOptions, objectPath } from "@kubeloop/controller/client";
import { isRecord, parseJson, stripEnd } from "@kubeloop/controller/internal/base";
import type { Cause, Story, StoryRequest } from "@kubeloop/controller/operator";
import {
  explainError,
  type KubeObject,
  Pods,
  type ResourceDescriptor,
  resourceName,
} from "@kubeloop/controller/types";
import { podSelectorOf } from "../pods/mod.ts";

/** The default port of managers, as in the examples. */
const DEFAULT_PORT = 8080;

/** The maximum number of Pods of a manager that are asked. Any of them may have been the leader. */
const MAX_PODS = 10;

const PATH = "/debug/reconciles";

/** The place where a manager serves `/debug/reconciles`: a URL, or Pods. */
export type ManagerPlace =
  | { readonly url: URL }
  | {
    readonly namespace: string | undefined;
    /** The resource that runs the manager, such as `deploy`. */
    readonly type: string;
    readonly name: string;
    readonly port: number;
  };

/**
 * Parses the place of a manager: `http://127.0.0.1:8080`, `deploy/widgets`, `operators/deploy/widgets:9090`, `widgets-1`.
 *
 * @returns The place; undefined if the text is invalid.
 */
export function managerPlace(text: string): ManagerPlace | undefined {
  if (/^https?:\/\//.test(text)) return URL.canParse(text) ? { url: new URL(text) } : undefined;
  const match = /^((?:[a-z0-9.-]+\/){0,2})([a-z0-9.-]+)(?::([0-9]{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const [, before = "", name = "", port = `${DEFAULT_PORT}`] = match;
  const [type = "pods", namespace] = before.split("/").slice(0, -1).reverse();
  return { namespace, type, name, port: Number(port) };
}

/** Options of {@linkcode readManager}. */
export interface ReadManagerOptions {
  /** The client of the API server; needed for Pods. */
  readonly client: Client | undefined;
  /** The options of the client for a URL, except for the server. */
  readonly clientOptions: Omit<ClientOptions, "server">;
  /** The default namespace. */
  readonly namespace: string;
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Reads the stories of a manager: from its address, or through the API server from each of its Pods, which needs the
 * right to get `pods/proxy`.
 *
 * @returns The stories, the oldest first.
 * @throws {Error} If none of them can be read.
 */
export async function readManager(
  place: ManagerPlace,
  options: ReadManagerOptions,
): Promise<Story[]> {
  const { clientOptions, signal, timeoutMs } = options;
  const query = { ...options.query, format: "json" };
  const call = { query, signal, timeoutMs, maxRetries: 0 };
  if ("url" in place) {
    const { origin, pathname } = place.url;
    const base = stripEnd(pathname, "/").replace(/\/debug\/reconciles$/, "");
    const manager = new Client({ ...clientOptions, server: origin });
    try {
      return storiesIn(await manager.getRaw(`${base}${PATH}`, call), origin);
    } finally {
      await manager.close();
    }
  }
  const { client } = options;
  if (client === undefined) throw new TypeError("A manager in the cluster needs a client");
  const stories: Story[] = [];
  const errors: unknown[] = [];
  const namespace = place.namespace ?? options.namespace;
  for (const name of await podsOf(place, client, { namespace, signal, timeoutMs })) {
    try {
      const path = `${objectPath(Pods, name, { namespace })}:${place.port}/proxy${PATH}`;
      stories.push(...storiesIn(await client.getRaw(path, call), `Pod ${namespace}/${name}`));
    } catch (error) {
      signal.throwIfAborted();
      errors.push(new Error(`Pod ${namespace}/${name}: ${explainError(error)}`));
    }
  }
  if (stories.length === 0 && errors.length > 0) throw errors[0];
  return stories.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
}

async function podsOf(
  { type, name }: Exclude<ManagerPlace, { readonly url: URL }>,
  client: Client,
  call: { readonly namespace: string; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<readonly string[]> {
  const { namespace, signal, timeoutMs } = call;
  const resource = await client.resourceFor(type, { signal, timeoutMs });
  if (resource.plural === "pods" && resource.group === "") return [name];
  const object = await client.get(resource, name, call);
  const { items } = await client.list(Pods, {
    ...call,
    labelSelector: podSelectorOf(object),
    limit: MAX_PODS,
  });
  const running = items.filter(({ status }) => status?.phase === "Running");
  if (running.length > 0) return running.map(({ metadata }) => metadata.name);
  throw new Error(`No Pod of ${resource.kind} ${namespace}/${name} is running`);
}

function storiesIn(text: string, where: string): Story[] {
  let stories: Story[] | undefined;
  try {
    stories = readStories(parseJson(text));
  } catch {
    // Not JSON, for example a web page.
  }
  if (stories !== undefined) return stories;
  throw new Error(
    `${where} has not answered with reconciles: does a kubeloop Manager serve ${PATH} there?`,
  );
}

/**
 * Reads a response of `/debug/reconciles`, possibly of another version of kubeloop.
 *
 * @returns The stories; undefined if the response has none.
 */
function readStories(answer: unknown): Story[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.stories)) return undefined;
  return answer.stories.filter(isRecord).map((story): Story => ({
    ...story,
    controller: text(story.controller),
    key: text(story.key),
    attempt: number(story.attempt) || 1,
    causes: records(story.causes).map((cause): Cause => ({
      ...cause,
      why: text(cause.why) as Cause["why"],
      count: number(cause.count) || 1,
      waitedMs: number(cause.waitedMs),
      changed: Array.isArray(cause.changed) ? cause.changed.map(String) : undefined,
    })),
    startedAt: text(story.startedAt),
    queuedMs: number(story.queuedMs),
    durationMs: number(story.durationMs),
    requests: records(story.requests).map((request): StoryRequest => ({
      ...request,
      method: text(request.method),
      path: text(request.path),
      durationMs: number(request.durationMs),
    })),
    skippedWrites: number(story.skippedWrites),
    result: text(story.result) as Story["result"],
  }));
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/**
 * Returns the reconciles that have written an object, were caused by it, or reconciled it.
 */
export function storiesAbout(
  stories: readonly Story[],
  resource: ResourceDescriptor,
  { metadata }: KubeObject,
): Story[] {
  const { name = "", namespace } = metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const path = objectPath(resource, name, { namespace });
  const full = resourceName(resource);
  return stories.filter((story) =>
    story.uid === metadata.uid ||
    story.requests.some((request) =>
      request.method !== "GET" && (request.path === path || request.path.startsWith(`${path}/`))
    ) ||
    story.causes.some((cause) => cause.resource === full && cause.object === key)
  );
}
