/** An apply that would change nothing is not sent, although the server changes values of built-in kinds before it stores them. */

import { assert, assertEquals } from "@std/assert";
import { desiredObject } from "../../src/operator/apply/desired_object.ts";
import { AppliedMemory, ApplyPass } from "../../src/operator/mod.ts";
import { silentLogger } from "../../src/base/mod.ts";
import { type Applier, isApplied } from "../../src/fields/mod.ts";
import { apiVersionOf, StatusError } from "../../src/types/mod.ts";
import { fuzz } from "../support/seeded_runs.ts";
import { type Loose, named, type Variant, variants } from "./_stored_objects.ts";
import { World } from "../operator/apply/_world.ts";

/** Matches the variants that are applied again after each start, because the object does not prove that nothing would change. */
const SENT_AGAIN: readonly RegExp[] = [
  // Fields that the server overwrites with its own, or drops because a feature is off.
  /^CertificateSigningRequest /,
  /^DeviceClass spec.extendedResourceName=/,
  /^EndpointSlice endpoints.0.deprecatedTopology=/,
  /^StatefulSet spec.updateStrategy=.*maxUnavailable/,
  // Fields that are derived from one another.
  /^Node spec.podCIDR/,
  /^PersistentVolumeClaim spec.dataSource/,
  /^ReplicationController spec.selector=\{\}/,
  /^Service spec.sessionAffinity=/,
  // Fields whose feature gate is off.
  /^Pod spec.volumes.1.secret.items.0.user=/,
  // Keys of lists that are missing.
  /^Pod spec.imagePullSecrets.0.name=/,
  /^ServiceAccount secrets/,
];

interface Tally {
  equal: number;
  /** Applies that changed nothing, although `isApplied` returned false. */
  readonly needless: string[];
}

/** The state that an apply can change; the fields that the applier owns only if `owned` is true. */
function view({ metadata, ...rest }: Loose, owned: boolean): string {
  const { managedFields = [], resourceVersion: _, generation: __, ...shown } = metadata;
  const own = managedFields.filter(({ manager }: Loose) => manager === "own");
  delete rest.status;
  return JSON.stringify([rest, shown, ...(owned ? own.map((one: Loose) => one.fieldsV1) : [])]);
}

/** Applies a variant until nothing changes, then the object that it varies, then the variant. */
async function play(world: World, variant: Variant, name: string, tally: Tally): Promise<void> {
  const { resource, what, base, object } = variant;
  const story = `${resource.kind} ${what}`;
  const applier: Applier = {
    fieldManager: "own",
    apiVersion: apiVersionOf(resource),
    subresource: "",
  };
  const bodyOf = (one: Loose) =>
    desiredObject(resource, named(one, resource, name), undefined, false).body as Loose;
  const [desired, other] = [bodyOf(object), bodyOf(base)];
  const apply = (body: Loose): Promise<Loose> =>
    world.client.apply(resource, body, { fieldManager: "own", force: true });
  // An empty list is not applied to own it.
  const owned = !what.endsWith("=[]");
  const place = { namespace: resource.namespaced ? "default" : undefined, gracePeriodSeconds: 0 };
  try {
    let live = await apply(desired);
    for (let tries = 0; tries < 4; tries++) {
      const again = await apply(desired);
      const isSame = again.metadata.resourceVersion === live.metadata.resourceVersion;
      live = again;
      if (isSame) break;
    }
    if (isApplied(desired, live, applier)) tally.equal++;
    else if (!SENT_AGAIN.some((one) => one.test(story))) tally.needless.push(story);
    for (const next of [other, desired]) {
      const isSame = isApplied(next, live, applier);
      const after = await apply(next);
      if (isSame) assertEquals(view(after, owned), view(live, owned), story);
      live = after;
    }
  } catch (error) {
    // The server rejects invalid variants.
    if (!StatusError.is(error)) throw error;
  }
  await world.client.delete(resource, desired.metadata.name, place).catch(() => {});
}

Deno.test("isApplied() knows how the server stores empty, missing and differently written fields of every built-in kind", async () => {
  await using world = new World();
  const all = await variants(async (path) =>
    await (await world.server.fetch(new Request(`http://server${path}`))).json()
  );
  const tally: Tally = { equal: 0, needless: [] };
  await fuzz(300, async (random, inputs) => {
    // The whole objects, and some of the changes to them.
    const chosen = all.filter(({ what }) => what === "");
    const count = Math.min(inputs, all.length);
    while (chosen.length < count) chosen.push(all[Math.floor(random.next() * all.length)]!);
    for (const [i, variant] of chosen.entries()) await play(world, variant, `o-${i}`, tally);
    assertEquals(tally.needless, []);
  });
  assert(tally.equal > 80, String(tally.equal));
});

const POD = {
  metadata: { labels: { app: "x" } },
  spec: { containers: [{ name: "m", image: "i" }] },
};
const PATH = {
  path: "",
  pathType: "ImplementationSpecific",
  backend: { service: { name: "a", port: { name: "", number: 80 } } },
};

/** Objects as programs write them, each with a value that the server changes. */
const WRITTEN: Readonly<Record<string, readonly [path: string, kind: string, object: Loose]>> = {
  "a host that is empty": ["networking.k8s.io/v1", "Ingress", {
    spec: { rules: [{ host: "", http: { paths: [PATH] } }], tls: [{ secretName: "", hosts: [] }] },
  }],
  "a toleration without a value": ["apps/v1", "Deployment", {
    spec: {
      selector: { matchLabels: { app: "x" }, matchExpressions: [] },
      strategy: {},
      template: {
        ...POD,
        spec: {
          ...POD.spec,
          dnsPolicy: "",
          tolerations: [{ key: "a", operator: "Exists", value: "", effect: "" }],
        },
      },
    },
  }],
  "subjects without a group": ["rbac.authorization.k8s.io/v1", "RoleBinding", {
    roleRef: { kind: "Role", name: "a" },
    subjects: [
      { kind: "ServiceAccount", name: "x", namespace: "default" },
      { kind: "User", name: "u" },
      { kind: "Group", name: "g", namespace: "" },
    ],
  }],
  "rules with empty lists": ["rbac.authorization.k8s.io/v1", "Role", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"], resourceNames: [] }],
  }],
  "limits from which others follow": ["v1", "LimitRange", {
    spec: {
      limits: [{ type: "Container", default: { cpu: "1000m" }, max: { memory: "1024Mi" } }],
    },
  }],
  "ports without a protocol": ["networking.k8s.io/v1", "NetworkPolicy", {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }], from: [] }], policyTypes: [] },
  }],
  "an address that the server chooses": ["v1", "Service", {
    spec: { clusterIP: "", type: "", ports: [{ port: 80, targetPort: 0, nodePort: 0 }] },
  }],
  "a Pod with tolerations": ["v1", "Pod", {
    spec: { ...POD.spec, tolerations: [{ key: "a", operator: "Exists" }] },
  }],
  "a time of another zone": ["coordination.k8s.io/v1", "Lease", {
    spec: { renewTime: "2026-01-01T02:00:00.123456+02:00" },
  }],
  "data with line breaks": ["v1", "Secret", { type: "", data: { a: "aGVs\nbG8=\n" } }],
};

for (const [what, [apiVersion, kind, written]] of Object.entries(WRITTEN)) {
  Deno.test(`apply() sends ${what} once, and not after a restart`, async () => {
    await using world = new World();
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const plural = `${kind.toLowerCase().replace(/y$/, "ie").replace(/ss$/, "sse")}s`;
    const resource = { group, version, plural, kind, namespaced: true };
    const metadata = { name: "a", namespace: "default" };
    const pass = (cached: Loose) =>
      new ApplyPass({
        client: world.client,
        fieldManager: "own",
        lookup: () => cached,
        children: () => [],
        memory: new AppliedMemory(),
        logger: silentLogger,
        signal: new AbortController().signal,
      });
    const stored = await pass(undefined).apply(resource, { ...written, metadata });
    world.takeRequests();
    await pass(stored).apply(resource, { ...written, metadata });
    assertEquals(world.takeRequests(), []);
  });
}
