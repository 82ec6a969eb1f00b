import { type Client, isUnknownKind, NoMatchError } from "@kubeloop/controller/client";
import { delay, isRecord, jsonEqual, toError } from "@kubeloop/controller/internal/base";
import { SERVER_METADATA, withoutMetadata } from "@kubeloop/controller/internal/fields";
import {
  type ApplyConfiguration,
  isConflict,
  isNotFound,
  type KubeObject,
  type ResourceDescriptor,
  StatusError,
  type Stored,
} from "@kubeloop/controller/types";
import type { Manifest } from "./manifests.ts";
import type { ApplyResult } from "./results.ts";

/** The maximum number of attempts if other writes interfere, or the server does not yet serve the kind. */
const MAX_TRIES = 10;
const PAUSE_MS = 500;

/** The parts of a call of `applyAll` that {@linkcode applyOne} uses. */
export interface ApplyContext {
  readonly client: Client;
  /** The namespace of objects without one. */
  readonly namespace: string;
  readonly fieldManager: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Labels that are added to all objects. */
  readonly labels: Readonly<Record<string, string>>;
  /** The resources of the CustomResourceDefinitions among the objects, by `apiVersion/kind`. */
  readonly defined: ReadonlyMap<string, ResourceDescriptor>;
  /** The namespaces that this call has created. */
  readonly newNamespaces: Set<string>;
}

/** The result of an object, and its versions before and after. */
export interface Applied {
  readonly result: ApplyResult;
  readonly resource: ResourceDescriptor | undefined;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** Applies one object. It does not throw: errors are part of the result. */
export async function applyOne(context: ApplyContext, manifest: Manifest): Promise<Applied> {
  const { apiVersion, kind, metadata } = manifest.object;
  const name = metadata.name ?? "";
  let identity = { apiVersion, kind, name, namespace: metadata.namespace };
  let resource: ResourceDescriptor | undefined;
  let before: Stored<KubeObject> | undefined;
  let object: KubeObject = manifest.object;
  try {
    const defined = context.defined.get(`${apiVersion}/${kind}`);
    resource = defined ?? await context.client.resourceFor(manifest.object, {
      signal: context.signal,
    });
    object = placed(context, manifest.object, resource);
    identity = { ...identity, namespace: object.metadata.namespace };
    const after = await retried(context, defined !== undefined, async () => {
      before = await read(context, resource!, identity);
      return await apply(context, resource!, object);
    });
    const result: ApplyResult = {
      ...identity,
      status: statusOf(before, after),
      object: after,
    };
    return { result, resource, before, after };
  } catch (error) {
    const unchecked = uncheckedBecause(context, identity, error);
    const result: ApplyResult = unchecked === undefined
      ? { ...identity, status: "failed", error: toError(error) }
      : { ...identity, status: "created", unchecked };
    return { result, resource, before, after: unchecked === undefined ? undefined : object };
  }
}

/** Returns the object with its namespace, if it is not cluster-scoped, and the labels of the call. */
function placed(
  { labels, namespace }: ApplyContext,
  object: Manifest["object"],
  resource: ResourceDescriptor,
): KubeObject {
  const { namespace: own, ...metadata } = object.metadata;
  const labelled = Object.keys(labels).length === 0
    ? metadata
    : { ...metadata, labels: { ...metadata.labels, ...labels } };
  // Some manifests of cluster-scoped objects have a namespace. kubectl ignores it too.
  if (!resource.namespaced) return { ...object, metadata: labelled };
  return { ...object, metadata: { ...labelled, namespace: own ?? namespace } };
}

/** Reads the stored object; undefined if it does not exist. */
async function read(
  { client, signal }: ApplyContext,
  resource: ResourceDescriptor,
  { name, namespace }: Pick<ApplyResult, "name" | "namespace">,
): Promise<Stored<KubeObject> | undefined> {
  try {
    return await client.get(resource, name, { namespace, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function apply(
  { client, dryRun, fieldManager, force, signal }: ApplyContext,
  resource: ResourceDescriptor,
  object: KubeObject,
): Promise<Stored<KubeObject>> {
  const options = { fieldManager, force, dryRun, signal };
  const answer: unknown = await client.apply(
    resource,
    object as ApplyConfiguration<KubeObject>,
    options,
  );
  if (isRecord(answer) && isRecord(answer.metadata)) return answer as unknown as Stored<KubeObject>;
  throw new Error("The server answered the apply with something else than an object");
}

/** Repeats an apply after a conflict with another write, and while the server does not yet serve a new kind. */
async function retried<T>(
  { client, dryRun, signal }: ApplyContext,
  isNew: boolean,
  apply: () => Promise<T>,
): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await apply();
    } catch (error) {
      const passes = isRace(error) || (isNew && !dryRun && isUnserved(error));
      if (!passes || tries >= MAX_TRIES) throw error;
    }
    await delay(PAUSE_MS, { clock: client.environment.clock, signal });
  }
}

/** Reports whether the object has changed during the write. Conflicts of field managers are permanent. */
function isRace(error: unknown): boolean {
  return isConflict(error) && StatusError.is(error) &&
    error.status.details?.causes?.some(({ reason }) => reason === "FieldManagerConflict") !== true;
}

/** Reports whether the server does not serve the resource. If a namespace is missing, the details have its name. */
function isUnserved(error: unknown): boolean {
  return isNotFound(error) && StatusError.is(error) && error.status.details?.name === undefined;
}

function statusOf(
  before: Stored<KubeObject> | undefined,
  after: Stored<KubeObject>,
): ApplyResult["status"] {
  if (before === undefined || before.metadata.uid !== after.metadata.uid) return "created";
  // The first apply of a field that has its value already changes only the managed fields.
  const [old, now] = [before, after].map((object) => withoutMetadata(object, SERVER_METADATA));
  return jsonEqual(old, now) ? "unchanged" : "configured";
}

/** Returns the reason why a dry run cannot check an object; undefined for other errors. */
function uncheckedBecause(
  { defined, dryRun, newNamespaces }: ApplyContext,
  { apiVersion, kind, namespace = "" }: Pick<ApplyResult, "apiVersion" | "kind" | "namespace">,
  error: unknown,
): string | undefined {
  if (!dryRun || isUnknownKind(error)) return undefined;
  if (!isNotFound(error) && !NoMatchError.is(error)) return undefined;
  if (newNamespaces.has(namespace)) return `its Namespace ${namespace} does not exist yet`;
  return defined.has(`${apiVersion}/${kind}`)
    ? "its CustomResourceDefinition does not exist yet"
    : undefined;
}
