import {
  describeError,
  encodeBase64,
  isRecord,
  parseJson,
  silentLogger,
  stringifyJson,
} from "@kubeloop/controller/internal/base";
import { Client, type Unstructured } from "@kubeloop/controller/client";
import {
  apiVersionOf,
  type CustomResourceDefinition,
  isAlreadyExists,
  type KubeObject,
  resourceName,
} from "@kubeloop/controller/types";
import {
  ApiServer,
  isMinor,
  type KubernetesMinor,
  type ServerState,
  type StateObject,
} from "../../api_server/mod.ts";
import { SeededRandom } from "../../seeded_random.ts";
import { VirtualClock } from "../../virtual_clock.ts";
import type { WorldObjects } from "./world_lines.ts";

/** A world that an API server can start from. */
export interface WorldState {
  readonly state: ServerState;
  readonly kubernetes: KubernetesMinor | undefined;
  /** The wall time of the newest object, in milliseconds. */
  readonly wallMs: number;
  /** The kinds that are left out, and why. */
  readonly notes: readonly string[];
}

const NUMBER = /^[1-9][0-9]{0,14}$/;

/**
 * Returns the state of a server that holds these objects and the objects of a new cluster. Objects with a resource version are
 * not validated: a real server has stored them, perhaps an older one. Others are manifests, which are created.
 *
 * @throws {SyntaxError} If a manifest cannot be created.
 */
export async function worldState({ kubernetes, objects }: WorldObjects): Promise<WorldState> {
  const minor = /^v?(\d+\.\d+)/.exec(kubernetes ?? "")?.[1];
  const known = minor !== undefined && isMinor(minor) ? minor : undefined;
  const manifests = objects.filter(({ metadata }) => !isStored(metadata));
  const { names, state } = await newCluster(known, manifests);
  for (const object of objects) {
    if (object.kind !== "CustomResourceDefinition") continue;
    const { group, names: { kind, plural }, versions } = (object as CustomResourceDefinition).spec;
    for (const { name } of versions) names.set(`${group}/${name} ${kind}`, `${plural}.${group}`);
  }
  const merged = new Map<string, StateObject>();
  for (const one of state.objects) {
    merged.set(keyIn(one.resource, parseJson(one.text) as KubeObject), one);
  }
  const unknown = new Map<string, number>();
  let newest = Number(state.resourceVersion);
  let wallMs = Date.UTC(2026, 0, 1);
  for (const object of objects) {
    const { creationTimestamp, resourceVersion } = object.metadata;
    const resource = names.get(`${object.apiVersion} ${object.kind}`);
    if (resource === undefined) {
      const kind = `${object.kind} of ${object.apiVersion}`;
      unknown.set(kind, (unknown.get(kind) ?? 0) + 1);
      continue;
    }
    const key = keyIn(resource, object);
    const created = merged.get(key);
    const stored = isStored(object.metadata)
      ? storable(resource, object)
      : given(parseJson(created!.text) as KubeObject, object);
    if (isStored(object.metadata)) newest = Math.max(newest, Number(resourceVersion));
    const createdMs = Date.parse(creationTimestamp ?? "");
    if (createdMs > wallMs) wallMs = createdMs;
    merged.set(key, Object.freeze({ resource, text: stringifyJson(stored) }));
  }
  return {
    state: Object.freeze({
      resourceVersion: String(newest),
      objects: Object.freeze([...merged.values()]),
    }),
    kubernetes: known,
    wallMs: wallMs + 60_000,
    notes: [...unknown].map(([kind, count]) =>
      `${count} object${count === 1 ? "" : "s"} left out, because the server does not serve ${kind}`
    ),
  };
}

function isStored({ resourceVersion }: KubeObject["metadata"]): boolean {
  return NUMBER.test(resourceVersion ?? "");
}

function keyIn(resource: string, { metadata: { name, namespace } }: KubeObject): string {
  return `${resource} ${namespace ?? ""}/${name}`;
}

/** Returns a created object with the fields that a manifest sets and a create does not take. */
function given(created: KubeObject, manifest: KubeObject): KubeObject {
  const { status } = manifest as { status?: unknown };
  const { ownerReferences, uid } = manifest.metadata;
  return {
    ...created,
    metadata: {
      ...created.metadata,
      ...(uid !== undefined && { uid }),
      ...(ownerReferences !== undefined && { ownerReferences }),
    },
    ...(status !== undefined && { status }),
  } as KubeObject;
}

/** Returns the state of a new cluster with these manifests, and the full names of its resources by API version and kind. */
async function newCluster(
  kubernetes: KubernetesMinor | undefined,
  manifests: readonly KubeObject[],
) {
  const clock = new VirtualClock();
  const server = new ApiServer({
    clock,
    random: new SeededRandom(1),
    logger: silentLogger,
    kubernetes,
  });
  const client = new Client({ ...server.clientOptions, userAgent: "kubectl" });
  await clock.advance(5000);
  const isDefinition = ({ kind }: KubeObject) => kind === "CustomResourceDefinition";
  for (const manifest of manifests.filter(isDefinition)) await create(client, clock, manifest);
  await clock.advance(5000);
  for (const manifest of manifests) {
    if (!isDefinition(manifest)) await create(client, clock, manifest);
  }
  const names = new Map<string, string>();
  for (const resource of await clock.run(client.resources())) {
    names.set(`${apiVersionOf(resource)} ${resource.kind}`, resourceName(resource));
  }
  const state = server.state();
  await client.close();
  await server.close();
  return { names, state };
}

async function create(client: Client, clock: VirtualClock, manifest: KubeObject): Promise<void> {
  try {
    const { apiVersion = "", kind = "" } = manifest;
    const resource = await clock.run(client.resourceFor({ apiVersion, kind }));
    await clock.run(client.create(resource, manifest as Unstructured));
  } catch (error) {
    if (isAlreadyExists(error)) return;
    throw new SyntaxError(
      `Cannot create the ${manifest.kind} ${manifest.metadata.name} of the world: ${
        describeError(error)
      }`,
      { cause: error },
    );
  }
}

/** Returns an object in the form in which a server holds it. */
function storable(resource: string, object: KubeObject): KubeObject {
  const { data } = object as { data?: unknown };
  if (resource !== "secrets" || !isRecord(data)) return object;
  // The values of a snapshot are hashes, and the values of a Secret are Base64.
  const hashes = Object.entries(data).map(([key, value]) =>
    [
      key,
      String(value).startsWith("sha256:")
        ? encodeBase64(new TextEncoder().encode(String(value)))
        : value,
    ] as const
  );
  return { ...object, data: Object.fromEntries(hashes) } as KubeObject;
}
