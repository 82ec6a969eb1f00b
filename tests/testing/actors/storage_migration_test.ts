import { assertEquals } from "@std/assert";
import {
  Client,
  ConfigMaps,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  defineResource,
  type KubeObject,
} from "../../../mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import {
  ValidatingAdmissionPolicies,
  ValidatingAdmissionPolicyBindings,
} from "../../../src/kinds/admissionregistration/v1.ts";
import {
  type StorageVersionMigration,
  StorageVersionMigrations,
} from "../../../src/kinds/storagemigration/v1.ts";
import { ApiServer, SeededRandom, startActors, VirtualClock } from "../../../src/testing/mod.ts";

const Widgets = defineResource<KubeObject & { spec?: { size?: number } }>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

function definition(storage: string): CustomResourceDefinition {
  return {
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: ["v1", "v2"].map((name) => ({
        name,
        served: true,
        storage: name === storage,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { size: { type: "integer" } } },
            },
          },
        },
      })),
    },
  };
}

/** A server of Kubernetes 1.37 with its controllers. */
async function cluster() {
  const clock = new VirtualClock({ wallStartMs: Date.parse("2026-01-01T00:00:00Z") });
  const server = new ApiServer({
    clock,
    random: new SeededRandom(1),
    logger: silentLogger,
    kubernetes: "1.37",
  });
  const client = new Client({ ...server.clientOptions, userAgent: "test" });
  const actors = startActors(server, { nodes: 0 });
  const run = async <T>(work: Promise<T>, ms = 1000): Promise<T> => {
    const result = await clock.run(work);
    await clock.advance(ms);
    return result;
  };
  await clock.advance(1000);
  const migrate = (name: string, group: string, resource: string, ms?: number) =>
    run(
      client.create(StorageVersionMigrations, {
        metadata: { name },
        spec: { resource: { group, resource } },
      }),
      ms,
    );
  const migration = (name: string) =>
    server.get(StorageVersionMigrations, name) as StorageVersionMigration | undefined;
  return {
    server,
    client,
    run,
    migrate,
    migration,
    async [Symbol.asyncDispose]() {
      await actors.stop();
      await client.close();
      await server.close();
    },
  };
}

/** Returns the conditions of an object, such as `Running=False: Migration completed`. */
function conditions(
  object: KubeObject & { status?: StorageVersionMigration["status"] } | undefined,
): string[] {
  return (object?.status?.conditions ?? []).map(({ type, status, message }) =>
    `${type}=${status}: ${message}`
  );
}

/** Creates two objects that are stored in v1, and makes v2 the storage version. */
async function outdated({ client, run }: Awaited<ReturnType<typeof cluster>>) {
  await run(client.create(CustomResourceDefinitions, definition("v1")));
  for (const [index, name] of ["a", "b"].entries()) {
    await run(
      client.create(Widgets, {
        metadata: { name, namespace: "default" },
        spec: { size: index + 1 },
      }),
    );
  }
  const { metadata: { resourceVersion } } = await run(
    client.get(CustomResourceDefinitions, "widgets.example.com"),
  );
  const next = definition("v2");
  await run(
    client.update(CustomResourceDefinitions, {
      ...next,
      metadata: { ...next.metadata, resourceVersion },
    }),
  );
}

Deno.test("a StorageVersionMigration stores the objects of a custom resource again in the storage version", async () => {
  await using world = await cluster();
  await outdated(world);
  const { server, client, run, migrate, migration } = world;
  const before = server.objects(Widgets).map(({ metadata }) => Number(metadata.resourceVersion));
  assertEquals(
    server.get(CustomResourceDefinitions, "widgets.example.com")?.status?.storedVersions,
    ["v1", "v2"],
  );
  await migrate("m", "example.com", "widgets", 5000);
  assertEquals(conditions(migration("m")), [
    "Running=False: Migration completed",
    "Succeeded=True: Migration completed",
  ]);
  const after = server.objects(Widgets).map(({ metadata }) => Number(metadata.resourceVersion));
  assertEquals(after.every((revision, index) => revision > before[index]!), true);
  const crd = server.get(CustomResourceDefinitions, "widgets.example.com")!;
  assertEquals(crd.status?.storedVersions, ["v2"]);
  assertEquals(
    conditions(crd as KubeObject).filter((one) => one.startsWith("StorageMigrating")),
    ["StorageMigrating=False: The migration has succeeded and the stored versions have been updated"],
  );
  // A patch that changes nothing does not store an object again that is in the storage version.
  await run(client.patch(Widgets, "a", {}, { namespace: "default" }));
  assertEquals(
    server.objects(Widgets).map(({ metadata }) => Number(metadata.resourceVersion)),
    after,
  );
});

Deno.test("StorageVersionMigrations of one resource run one after the other", async () => {
  await using world = await cluster();
  const { client, run, migration } = world;
  await run(client.create(ConfigMaps, { metadata: { name: "c", namespace: "default" } }));
  const names = ["one", "two", "three"];
  const isRunning = (name: string) => conditions(migration(name))[0]?.startsWith("Running=True");
  let most = 0;
  world.server.onWrite(() => most = Math.max(most, names.filter(isRunning).length));
  await run(
    Promise.all(names.map((name) =>
      client.create(StorageVersionMigrations, {
        metadata: { name },
        spec: { resource: { group: "", resource: "configmaps" } },
      })
    )),
    5000,
  );
  assertEquals(most, 1);
  for (const name of names) {
    assertEquals(conditions(migration(name)), [
      "Running=False: Migration completed",
      "Succeeded=True: Migration completed",
    ]);
  }
});

Deno.test("a StorageVersionMigration fails for an object that cannot be written again", async () => {
  await using world = await cluster();
  await outdated(world);
  const { server, client, run, migrate, migration } = world;
  await run(client.create(ValidatingAdmissionPolicies, {
    metadata: { name: "frozen" },
    spec: {
      matchConstraints: {
        resourceRules: [{
          apiGroups: ["example.com"],
          apiVersions: ["*"],
          operations: ["UPDATE"],
          resources: ["widgets"],
        }],
      },
      validations: [{ expression: "object.metadata.name != 'b'", message: "b is frozen" }],
    },
  }));
  await run(client.create(ValidatingAdmissionPolicyBindings, {
    metadata: { name: "frozen" },
    spec: { policyName: "frozen", validationActions: ["Deny"] },
  }));
  await migrate("m", "example.com", "widgets", 5000);
  assertEquals(conditions(migration("m")), [
    "Running=False: Migration completed",
    'Failed=True: 1/2 not yet migrated. migration encountered unhandled error: widgets.example.com "b" is forbidden: ' +
    "ValidatingAdmissionPolicy 'frozen' with binding 'frozen' denied request: b is frozen",
  ]);
  const crd = server.get(CustomResourceDefinitions, "widgets.example.com")!;
  assertEquals(crd.status?.storedVersions, ["v2"]);
  assertEquals(
    conditions(crd as KubeObject).filter((one) => one.startsWith("StorageMigrating")),
    ["StorageMigrating=False: The migration has failed"],
  );
});

Deno.test("a StorageVersionMigration waits a minute for its resource, and fails for one without the verbs", async () => {
  await using world = await cluster();
  const { run, migrate, migration } = world;
  await migrate("none", "example.com", "nothing", 50_000);
  assertEquals(conditions(migration("none")), ["Running=True: The migration is running"]);
  await run(Promise.resolve(), 20_000);
  assertEquals(conditions(migration("none")), [
    "Running=False: Migration completed",
    "Failed=True: resource does not exist in discovery",
  ]);
  await migrate("events", "", "events", 70_000);
  assertEquals(
    conditions(migration("events"))[1],
    "Failed=True: migration encountered unhandled error: resource does not exist in GC: %!w(<nil>)",
  );
  await migrate("reviews", "authorization.k8s.io", "subjectaccessreviews", 5000);
  assertEquals(
    conditions(migration("reviews"))[1],
    'Failed=True: resource "authorization.k8s.io/v1, Resource=subjectaccessreviews" does not support discovery operations: [update patch list]',
  );
});
