/** Compares `isApplied` with the API server: it must return true only if an apply would change nothing. */

import { assert } from "@std/assert";
import fc from "fast-check";
import { jsonEqual } from "../../src/base/mod.ts";
import { AppliedMemory, type Applier, isApplied, plainJson } from "../../src/fields/mod.ts";
import {
  apiVersionOf,
  type ApplyConfiguration,
  type Deployment,
  Deployments,
  type KubeObject,
  type Resource,
  StatusError,
  type Stored,
} from "../../src/types/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";
import { Things, World } from "../operator/apply/_world.ts";

type Fields = Record<string, unknown>;

/** Returns objects that have some of the fields. */
function some(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> {
  return fc.record(model, { requiredKeys: [] });
}

const text = fc.constantFrom("", "a", "b");
const whole = fc.constantFrom(0, 1, 2);
const textMap = fc.dictionary(fc.constantFrom("x", "y", "z.io/a"), text, { maxKeys: 2 });

const thingSpec = some({
  text,
  whole,
  flag: fc.boolean(),
  size: fc.constantFrom("small", "large"),
  either: fc.constantFrom(0, 1, "1", "50%"),
  map: textMap,
  atomicMap: textMap,
  nested: some({ a: whole, b: some({ c: text, d: text }) }),
  atomicList: fc.array(whole, { maxLength: 2 }),
  set: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
  items: fc.uniqueArray(
    fc.record({
      port: fc.constantFrom(1, 2),
      protocol: fc.constantFrom("TCP", "UDP", undefined),
      name: fc.constantFrom("n", "m", undefined),
      tags: fc.option(fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }), {
        nil: undefined,
      }),
    }, { requiredKeys: ["port"] }),
    { maxLength: 3, selector: ({ port, protocol = "TCP" }) => `${port}/${protocol}` },
  ),
  anything: some({
    a: whole,
    list: fc.array(fc.record({ k: whole }), { maxLength: 2 }),
    deep: some({ x: text, y: text, z: fc.constant({}) }),
  }),
});

const thing = fc.record({
  labels: fc.option(textMap, { nil: undefined }),
  spec: fc.option(thingSpec, { nil: undefined, freq: 10 }),
}).map(({ labels, spec }) => ({ metadata: { labels }, spec }));

const container = fc.record({
  image: fc.constantFrom("nginx", "redis"),
  env: fc.uniqueArray(
    fc.oneof(
      fc.record({ name: fc.constantFrom("A", "B"), value: text }, { requiredKeys: ["name"] }),
      fc.record({
        name: fc.constantFrom("A", "B"),
        valueFrom: fc.constantFrom(
          { fieldRef: { fieldPath: "metadata.name" } },
          { fieldRef: { fieldPath: "metadata.name", apiVersion: "v1" } },
          { resourceFieldRef: { resource: "limits.cpu" } },
          { resourceFieldRef: { resource: "limits.cpu", divisor: "1000m" } },
        ),
      }),
    ),
    { maxLength: 2, selector: ({ name }) => name },
  ),
  args: fc.array(text, { maxLength: 2 }),
  ports: fc.uniqueArray(
    fc.record({
      containerPort: fc.constantFrom(80, 81),
      protocol: fc.constantFrom("TCP", "UDP"),
      name: fc.constantFrom("http", ""),
    }, { requiredKeys: ["containerPort"] }),
    {
      maxLength: 2,
      selector: ({ containerPort, protocol }) => `${containerPort}/${protocol ?? "TCP"}`,
    },
  ),
  securityContext: some({ privileged: fc.boolean(), runAsUser: whole }),
  resources: some({ limits: some({ cpu: fc.constantFrom("1", "1000m", "500m", "0.5") }) }),
}, { requiredKeys: ["image"] });

const deployment = fc.record({
  labels: fc.option(textMap, { nil: undefined }),
  replicas: fc.option(whole, { nil: undefined }),
  paused: fc.option(fc.boolean(), { nil: undefined }),
  names: fc.uniqueArray(fc.constantFrom("main", "side"), { minLength: 1, maxLength: 2 }),
  containers: fc.array(container, { minLength: 2, maxLength: 2 }),
  nodeSelector: fc.option(textMap, { nil: undefined }),
  hostNetwork: fc.option(fc.constant(false), { nil: undefined }),
}).map(({ labels, replicas, paused, names, containers, nodeSelector, hostNetwork }) => ({
  metadata: { labels },
  spec: {
    replicas,
    paused,
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: {
        nodeSelector,
        hostNetwork,
        containers: names.map((name, i) => ({ ...containers[i]!, name })),
      },
    },
  },
}));

/** Returns lists of steps: the manager under test applies, another manager applies, or another one patches. */
function steps(object: fc.Arbitrary<Fields>) {
  return fc.array(
    fc.record({ who: fc.constantFrom("own", "own", "apply", "patch"), object }),
    { minLength: 2, maxLength: 6 },
  );
}

interface Tally {
  equal: number;
  changed: number;
  /** Applies that changed nothing, although `isApplied` returned false. */
  needless: number;
}

/**
 * Returns the object and the fields of the manager under test: the state that an apply can change. An apply may also take an
 * empty map away from another manager, which has no effect.
 */
function view({ metadata, ...rest }: KubeObject): unknown {
  const { managedFields, resourceVersion: _, ...shown } = metadata;
  const own = (managedFields ?? []).filter(({ manager }) => manager === "own");
  return { ...rest, metadata: shown, own: own.map(({ fieldsV1 }) => fieldsV1) };
}

/** Plays steps on a new object, and compares the prediction before each apply with its effect. */
async function play<T extends KubeObject>(
  world: World,
  resource: Resource<T>,
  name: string,
  played: readonly { readonly who: string; readonly object: Fields }[],
  tally: Tally,
): Promise<void> {
  const applier: Applier = {
    fieldManager: "own",
    apiVersion: apiVersionOf(resource),
    subresource: "",
  };
  const memory = new AppliedMemory();
  const named = { name, namespace: "default" };
  let live: Stored<T> | undefined;
  const withName = (object: Fields) =>
    plainJson({ ...object, metadata: { ...object["metadata"] as Fields, ...named } }) as Fields;
  // Each step is repeated: the second apply in a row must be skipped.
  for (const { who, object } of played.flatMap((step) => [step, step])) {
    const desired = withName(object);
    const configuration = desired as unknown as ApplyConfiguration<T>;
    try {
      if (who === "apply") live = await world.applyAs("other", resource, configuration);
      else if (who === "patch" && live !== undefined) {
        live = await world.client.patch<never, T>(resource, name, desired as never, {
          namespace: "default",
          fieldManager: "patcher",
        });
      } else if (who === "own") {
        const before = live;
        const equal = before !== undefined && isApplied(desired, before, applier);
        const remembered = before !== undefined && memory.isApplied(desired, before, applier);
        live = await world.applyAs("own", resource, configuration);
        const unchanged = before !== undefined && jsonEqual(view(before), view(live));
        const story = () => JSON.stringify({ desired, before });
        if (equal || remembered) assert(unchanged, `not equal: ${story()}`);
        if (equal) tally.equal++;
        else if (unchanged) tally.needless++;
        else tally.changed++;
        memory.note(desired, before, live, applier, resource);
        if (before?.metadata.resourceVersion === live.metadata.resourceVersion) {
          assert(memory.isApplied(desired, live, applier), `applied again and again: ${story()}`);
        }
      }
    } catch (error) {
      // The server rejects invalid objects, and nothing changes.
      if (!StatusError.is(error)) throw error;
    }
  }
}

/** Both predictions must occur, and few applies may be needless. */
function requireFew({ equal, changed, needless }: Tally): void {
  assert(equal > 50 && changed > 50 && needless * 10 < equal, `${equal} ${changed} ${needless}`);
}

function property<T extends KubeObject>(
  world: World,
  resource: Resource<T>,
  object: fc.Arbitrary<Fields>,
  tally: Tally,
) {
  let count = 0;
  return fc.asyncProperty(steps(object), async (played) => {
    await play(world, resource, `o-${count++}`, played, tally);
  });
}

Deno.test("isApplied() is true for custom resources if and only if an apply changes nothing", async () => {
  await using world = new World();
  await world.installThings();
  const tally: Tally = { equal: 0, changed: 0, needless: 0 };
  await assertProperty(property(world, Things, thing, tally), 300);
  requireFew(tally);
});

Deno.test("isApplied() is true for Deployments if and only if an apply changes nothing", async () => {
  await using world = new World();
  const tally: Tally = { equal: 0, changed: 0, needless: 0 };
  await assertProperty(
    property<Deployment>(world, Deployments, deployment as fc.Arbitrary<Fields>, tally),
    150,
  );
  requireFew(tally);
});
