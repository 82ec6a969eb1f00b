import { type Client, type DiscoveredResource, fieldSelector } from "@kubeloop/controller/client";
import {
  Events,
  explainError,
  type KubeObject,
  metadataOf,
  type Stored,
} from "@kubeloop/controller/types";
import { isNotFound } from "@kubeloop/controller/types";
import { type Owner, referencesOf } from "./report.ts";

/** The most owners of owners that are followed. */
const MAX_OWNERS = 8;

/** The most Events that are read. */
const MAX_EVENTS = 500;

/** What the server knows about an object. */
export interface Gathered {
  readonly object: Stored<KubeObject>;
  readonly owners: readonly Owner[];
  readonly events: readonly unknown[];
  /** What could not be read, and why. */
  readonly problems: readonly string[];
}

/** Where an object is, and limits of each request. */
export interface GatherOptions {
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Reads an object, its owners and its Events. Without the right to read the latter, it does without. */
export async function gather(
  client: Client,
  resource: DiscoveredResource,
  name: string,
  options: GatherOptions,
): Promise<Gathered> {
  const object: Stored<KubeObject> = await client.get<never, KubeObject>(resource, name, options);
  const problems: string[] = [];
  const attempt = async <R>(what: string, fn: () => Promise<R>, otherwise: R): Promise<R> => {
    try {
      return await fn();
    } catch (error) {
      options.signal.throwIfAborted();
      problems.push(`${what}: ${explainError(error)}`);
      return otherwise;
    }
  };
  const [owners, events] = await Promise.all([
    attempt("the owners are not known", () => ownersOf(client, object, options), []),
    attempt("the Events are not known", () => eventsOf(client, object, options), []),
  ]);
  return { object, owners, events, problems };
}

async function eventsOf(
  client: Client,
  { metadata }: Stored<KubeObject>,
  { signal, timeoutMs }: GatherOptions,
): Promise<readonly unknown[]> {
  const { items } = await client.list(Events, {
    // Events about objects that are in no namespace are in the default one.
    namespace: metadata.namespace ?? "default",
    fieldSelector: fieldSelector({ "involvedObject.uid": metadata.uid }),
    limit: MAX_EVENTS,
    signal,
    timeoutMs,
  });
  return items;
}

/** Returns the owners, the nearest first: of each object its controller, or else its first owner. */
async function ownersOf(
  client: Client,
  object: KubeObject,
  options: GatherOptions,
): Promise<Owner[]> {
  const owners: Owner[] = [];
  let at = object;
  while (owners.length < MAX_OWNERS) {
    const references = referencesOf(at);
    const reference = references.find(({ controller }) => controller === true) ?? references[0];
    if (reference === undefined) break;
    const { apiVersion, kind, name, uid, controller = false } = reference;
    const { signal, timeoutMs, namespace } = options;
    const resource = await client.resourceFor({ apiVersion, kind }, { signal, timeoutMs });
    const found = await client.get(metadataOf(resource), name, {
      signal,
      timeoutMs,
      namespace: resource.namespaced ? namespace : undefined,
    }).catch((error) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const isGone = found === undefined || found.metadata.uid !== uid;
    owners.push({
      name: `${kind} ${name}${isGone ? " (which is gone)" : ""}`,
      isController: controller,
    });
    if (isGone) break;
    at = found;
  }
  return owners;
}
