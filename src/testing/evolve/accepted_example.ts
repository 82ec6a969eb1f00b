import { Client } from "@kubeloop/controller/client";
import { silentLogger } from "@kubeloop/controller/internal/base";
import { writeYaml } from "@kubeloop/controller/internal/yaml";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  defineResource,
  type KubeObject,
  StatusError,
} from "@kubeloop/controller/types";
import { ApiServer } from "../api_server/mod.ts";
import { ObjectGenerator, sampleOf, type SchemaChecks, wishesOf } from "../samples/mod.ts";
import { SeededRandom } from "../seeded_random.ts";
import { getPath, getString, isObject, type JsonObject, withPath } from "../values/mod.ts";
import { VirtualClock } from "../virtual_clock.ts";
import type { DefinitionParts, VersionPart } from "./given_definition.ts";

/** The longest example with optional fields, in lines. */
const MAX_LINES = 60;
/** The number of random objects that are tried if the server refuses the samples. */
const MAX_RANDOM = 20;

/**
 * Returns an object of each version that a server accepts, as YAML, by the name of the version. A version is missing if the
 * server accepts none of the objects that are tried.
 *
 * @throws {Error} If the server refuses the definition.
 */
export async function acceptedExamples(
  definition: DefinitionParts,
): Promise<ReadonlyMap<string, string>> {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock, random: new SeededRandom(1), logger: silentLogger });
  const client = new Client(server.clientOptions);
  try {
    return await clock.run(examplesOf(definition, client));
  } finally {
    await client.close();
    await server.close();
  }
}

async function examplesOf(
  definition: DefinitionParts,
  client: Client,
): Promise<ReadonlyMap<string, string>> {
  const examples = new Map<string, string>();
  await install(definition, client);
  const { group, kind, names, scope, versions } = definition;
  for (const version of versions.filter(({ served }) => served)) {
    const resource = defineResource({
      group,
      version: version.name,
      kind,
      plural: getString(names, "plural"),
      namespaced: scope !== "Cluster",
    });
    for (const object of candidates(definition, version)) {
      const call = scope === "Cluster" ? {} : { namespace: "default" };
      const isAccepted = await client.create(resource, object, { ...call, dryRun: true })
        .then(() => true, (error) => {
          if (StatusError.is(error)) return false;
          throw error;
        });
      if (!isAccepted) continue;
      examples.set(version.name, writeYaml(object));
      break;
    }
  }
  return examples;
}

async function install({ name, raw }: DefinitionParts, client: Client): Promise<void> {
  const { metadata, spec } = raw as unknown as CustomResourceDefinition;
  const { annotations } = metadata;
  const object = {
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    // No webhook can be reached, and no object is read in another version.
    spec: { ...spec, conversion: { strategy: "None" } },
  };
  try {
    await client.create(CustomResourceDefinitions, object);
  } catch (error) {
    if (!StatusError.is(error)) throw error;
    throw new Error(`A server refuses the definition: ${error.message}`, { cause: error });
  }
}

/** Returns objects to try: one with samples of as many fields as fit, then smaller and random ones. */
function* candidates(
  { group, kind, scope }: DefinitionParts,
  { name: version, schema }: VersionPart,
): Generator<KubeObject> {
  const type = { apiVersion: `${group}/${version}`, kind };
  const sample = (isSmall: boolean): JsonObject => ({
    ...type,
    metadata: { name: "example" },
    ...Object.fromEntries(
      wishesOf(schema).map(([name, node]) => [name, sampleOf(node, { isSmall })]),
    ) as JsonObject,
  });
  const random = new SeededRandom(1);
  const generator = new ObjectGenerator(schema, { type, namespaced: scope !== "Cluster", random });
  const starts: JsonObject[] = [];
  for (let i = 0; i <= MAX_RANDOM; i++) {
    const start = i === 0 ? sample(true) : withoutStatus(generator.next());
    if (start === undefined) break;
    if (generator.checks.errorsOf(start).length === 0) starts.push(start);
  }
  const names = wishesOf(schema).map(([name]) => name);
  const isWhole = (object: JsonObject) => names.every((name) => object[name] !== undefined);
  starts.sort((a, b) => Number(isWhole(b)) - Number(isWhole(a)));
  const [first] = starts;
  const grownFirst = first && grown(first, sample(false), generator.checks);
  yield* [
    ...grownFirst === undefined ? [] : [grownFirst],
    ...starts,
  ] as (JsonObject & KubeObject)[];
}

function withoutStatus(object: JsonObject | undefined): JsonObject | undefined {
  if (object === undefined) return undefined;
  const { status: _, ...rest } = object;
  return rest;
}

/** Returns an object with as many of the fields and values of a fuller one as are valid together, within a number of lines. */
function grown(start: JsonObject, full: JsonObject, checks: SchemaChecks): JsonObject {
  let object = start;
  const isGood = (next: JsonObject) =>
    writeYaml(next).split("\n").length <= MAX_LINES && checks.errorsOf(next).length === 0;
  const add = (source: JsonObject, path: readonly string[]) => {
    for (const [name, value] of Object.entries(source)) {
      const at = [...path, name];
      const present = getPath(object, ...at);
      if (isObject(present) && isObject(value)) add(value, at);
      else {
        const next = withPath(object, at, value);
        if (isGood(next)) object = next;
      }
    }
  };
  add(full, []);
  return object;
}
