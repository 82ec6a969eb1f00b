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

/** The maximum number of owners, including owners of owners. */
const MAX_OWNERS = 8;

/** The maximum number of Events that are read. */
const MAX_EVENTS = 500;

/** An object with its owners and Events. */
export interface Gathered {
  readonly object: Stored<KubeObject>;
  readonly owners: readonly Owner[];
  readonly events: readonly unknown[];
  /** The parts that could not be read, with the reasons. */
  readonly problems: readonly string[];
}

/** The namespace of an object, and the limits of each request. */
export interface GatherOptions {
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Reads an object, its owners and its Events. Owners and Events are optional: failures become `problems`. */
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
    // Events about cluster-scoped objects are in the default namespace.
    namespace: metadata.namespace ?? "default",
    fieldSelector: fieldSelector({ "involvedObject.uid": metadata.uid }),
    limit: MAX_EVENTS,
    signal,
    timeoutMs,
  });
  return items;
}

/** Returns the owners, the nearest first: for each object its controller owner, or else its first owner. */
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
