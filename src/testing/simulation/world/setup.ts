import { Client } from "@kubeloop/controller/client";
import { crd } from "@kubeloop/controller/crd";
import {
  parseJson,
  requireCount,
  requireDelay,
  requireEach,
  silentLogger,
} from "@kubeloop/controller/internal/base";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  isAlreadyExists,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  resourceName,
  StatusError,
  type Stored,
} from "@kubeloop/controller/types";
import { ApiServer, type ServerState, type ServerWrite } from "../../api_server/mod.ts";
import { VirtualClock } from "../../virtual_clock.ts";
import { SeededRandom } from "../../seeded_random.ts";
import { registerDefaults } from "./defaulting.ts";
import type { Process, RunLimits, SimulationOptions } from "./options.ts";

/** The limits of a run. */
export type Limits = { readonly [K in keyof RunLimits]-?: number };

/** The values that all runs of a simulation share. */
export interface Setup<C> {
  readonly options: SimulationOptions<C>;
  /** The processes by name. */
  readonly processes: ReadonlyMap<string, Process<C>>;
  /** The state of the server at the start of each run. */
  readonly state: ServerState;
  /** The names of the installed CustomResourceDefinitions, as in `widgets.example.com`. */
  readonly definitions: ReadonlySet<string>;
  /** The objects of the options, as the server has stored them. */
  readonly given: readonly ServerWrite[];
  /** The UIDs of the objects that exist from the start. */
  readonly uids: ReadonlySet<string>;
  readonly limits: Limits;
  /** The resources whose objects have random names. */
  readonly anonymous: Set<string>;
}

/** Installs the custom resources and creates the first objects, once for all runs of a simulation. */
export async function prepare<C>(options: SimulationOptions<C>): Promise<Setup<C>> {
  const clock = new VirtualClock();
  const server = new ApiServer({
    clock,
    random: new SeededRandom(options.seed ?? 1).fork("setup"),
    logger: silentLogger,
  });
  const client = new Client({ ...server.clientOptions, userAgent: "user" });
  const given = [...options.resources ?? []];
  const targets = options.workload.flatMap(({ target }) => target?.resource ?? []);
  const resources = [...targets, ...options.objects?.map(({ resource }) => resource) ?? []];
  for (const definition of given) {
    if ("metadata" in definition) {
      await clock.run(install(client, definition as CustomResourceDefinition));
    } else resources.unshift(definition as ResourceDescriptor);
  }
  for (const resource of resources) {
    if (isServed(server, resource)) continue;
    await clock.run(install(client, definitionOf(resource)));
    await clock.advance(5000);
  }
  await clock.advance(5000);
  await clock.run(registerDefaults(client, options.world?.neighbours ?? []));
  const first: ServerWrite[] = [];
  server.onWrite((write) => first.push(write));
  for (const { resource, object } of options.objects ?? []) {
    const { namespace = resource.namespaced ? "default" : undefined } = object.metadata;
    await clock.run(
      client.create(resource as Resource, object, namespace === undefined ? {} : { namespace }),
    );
  }
  const state = server.state();
  const definitions = server.objects(CustomResourceDefinitions);
  await client.close();
  await server.close();
  return {
    options,
    processes: processesOf(options),
    state,
    definitions: new Set(definitions.map(({ metadata }) => metadata.name!)),
    given: first,
    uids: new Set(
      state.objects.map(({ text }) => (parseJson(text) as Stored<KubeObject>).metadata.uid),
    ),
    limits: limitsOf(options.limits),
    anonymous: new Set(),
  };
}

function limitsOf(given: RunLimits = {}): Limits {
  const {
    quietMs = 30_000,
    stepMs = 900_000,
    recoveryMs = 1_800_000,
    requests = 5000,
    writesPerMinute = 60,
    virtualMs = 43_200_000,
  } = given;
  requireEach(requireDelay, { quietMs, stepMs, recoveryMs, virtualMs });
  requireCount("requests", requests, 1);
  requireCount("writesPerMinute", writesPerMinute, 1);
  return { quietMs, stepMs, recoveryMs, requests, writesPerMinute, virtualMs };
}

function processesOf<C>(
  { process, replicas = 1 }: SimulationOptions<C>,
): ReadonlyMap<string, Process<C>> {
  const named = typeof process === "function" ? { operator: process } : process;
  const out = new Map<string, Process<C>>();
  for (const [name, start] of Object.entries(named)) {
    if (typeof start !== "function") {
      throw new TypeError(`The process ${JSON.stringify(name)} must be a function`);
    }
    if (replicas === 1) out.set(name, start);
    else for (let i = 1; i <= replicas; i++) out.set(`${name}-${i}`, start);
  }
  return out;
}

function isServed(server: ApiServer, resource: ResourceDescriptor): boolean {
  try {
    server.count(resource);
    return true;
  } catch (error) {
    if (StatusError.is(error)) return false;
    throw error;
  }
}

async function install(client: Client, definition: CustomResourceDefinition): Promise<void> {
  try {
    await client.create(CustomResourceDefinitions, definition as never);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** Returns the definition of a resource: its own one, or a definition that allows any fields, with a status subresource. */
function definitionOf(resource: ResourceDescriptor): CustomResourceDefinition {
  if ("definition" in resource) return crd(resource as Resource);
  const { group, kind, namespaced, plural, version } = resource;
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    metadata: { name: resourceName(resource) },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: anything },
      }],
    },
  } as CustomResourceDefinition & KubeObject;
}
