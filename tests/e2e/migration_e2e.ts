/**
 * Migrates stored objects on a real API server, by the program and by kube-controller-manager, and counts them in etcd by the
 * version in which they are stored.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, CustomResourceDefinitions, loadConfig } from "@kubeloop/controller";
import { installDefinitions, migrateDefinitions } from "@kubeloop/controller/crd";
import { widgetsIn } from "../crd/_stored_versions.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { binary } from "./binaries.ts";
import { Cluster } from "./cluster.ts";

const COUNT = 1_200;
const Widgets = widgetsIn("v1");
const NAME = "widgets.acme.io";

/** A client of a cluster, and what etcd holds. */
async function setUp(cluster: Cluster) {
  const logger = new RecordingLogger();
  const client = new Client({ ...await loadConfig({ kubeconfig: cluster.kubeconfig }), logger });
  const storedVersions = async () =>
    (await client.get(CustomResourceDefinitions, NAME)).status?.storedVersions;
  /** Returns the numbers of objects in etcd by the version in which they are stored. */
  const inEtcd = async () => {
    const prefix = "/registry/acme.io/widgets/";
    const response = await fetch(`${cluster.etcdUrl}/v3/kv/range`, {
      method: "POST",
      body: JSON.stringify({ key: btoa(prefix), range_end: btoa(prefix.replace(/.$/, "0")) }),
    });
    const { kvs = [] } = await response.json();
    const counts: Record<string, number> = {};
    for (const { value } of kvs) {
      const version = JSON.parse(atob(value)).apiVersion.split("/")[1];
      counts[version] = (counts[version] ?? 0) + 1;
    }
    return counts;
  };
  const create = async (count: number) => {
    for (let i = 0; i < count; i += 50) {
      await Promise.all(
        Array.from({ length: Math.min(50, count - i) }, (_, j) =>
          client.create(Widgets, {
            metadata: { name: `w-${i + j}`, namespace: "default" },
            spec: { size: i + j },
          })),
      );
    }
  };
  return {
    client,
    logger,
    storedVersions,
    inEtcd,
    create,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

Deno.test("stored objects of a real API server are migrated", async (t) => {
  // Without StorageVersionMigrations, as before Kubernetes 1.37.
  const apiServerFlags = ["--runtime-config=storagemigration.k8s.io/v1=false"];
  await using cluster = await Cluster.start({ apiServerFlags });
  await using world = await setUp(cluster);
  const { client, logger, inEtcd, storedVersions } = world;

  await t.step(
    "by the program, which is stopped and starts again, while others write",
    async () => {
      await installDefinitions(client, [Widgets]);
      await world.create(COUNT);
      await installDefinitions(client, [widgetsIn("v2")]);
      assertEquals(await inEtcd(), { v1: COUNT });
      assertEquals(await storedVersions(), ["v1", "v2"]);

      const stop = new AbortController();
      const info = logger.info.bind(logger);
      logger.info = (line, ...rest) => {
        info(line, ...rest);
        if (line.includes("1000 rewritten")) stop.abort(new Error("stopped"));
      };
      await assertRejects(
        () => migrateDefinitions(client, [Widgets], { signal: stop.signal }),
        Error,
        "stopped",
      );
      const between = await inEtcd();
      assert(between["v1"]! > 0 && between["v2"]! >= 1_000, JSON.stringify(between));
      assertEquals(await storedVersions(), ["v1", "v2"]);

      logger.lines.length = 0;
      const others = (async () => {
        for (let i = COUNT - 1; i >= COUNT - 40; i -= 2) {
          const call = { namespace: "default" };
          await client.patch(Widgets, `w-${i}`, { spec: { size: 1 } }, call);
          await client.delete(Widgets, `w-${i - 1}`, call);
        }
      })();
      const [definition] = await migrateDefinitions(client, [Widgets]);
      await others;
      assertEquals(await inEtcd(), { v2: COUNT - 20 });
      assertEquals(definition?.status?.storedVersions, ["v2"]);
      assertEquals(definition?.metadata.annotations, undefined);
      // The first page was done, and the second one not noted.
      const pages = logger.of("info").filter((line) => line.startsWith("Stored objects"));
      assertEquals(pages, [
        `Stored objects of ${NAME}: 500 rewritten, 0 refused, 200 left`,
        `Stored objects of ${NAME}: 700 rewritten, 0 refused, 0 left`,
      ]);
    },
  );
});

Deno.test("kube-controller-manager migrates stored objects", async () => {
  await using cluster = await Cluster.start();
  const path = await binary("kube-controller-manager");
  await using world = await setUp(cluster);
  const { client, logger, inEtcd, storedVersions } = world;
  const log = await Deno.open(`${cluster.folder}/manager.log`, { create: true, write: true });
  const manager = new Deno.Command(path, {
    args: [
      `--kubeconfig=${cluster.kubeconfig}`,
      "--controllers=storage-version-migrator-controller,garbage-collector-controller",
      "--leader-elect=false",
      "--secure-port=0",
      "--kube-api-qps=1000",
      "--kube-api-burst=1000",
    ],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const piped = manager.stderr.pipeTo(log.writable);
  try {
    await installDefinitions(client, [Widgets]);
    await world.create(200);
    for (const [version, before] of [["v2", "v1"], ["v3", "v2"]] as const) {
      await installDefinitions(client, [widgetsIn(version)]);
      assertEquals(await storedVersions(), [before, version]);
      logger.lines.length = 0;
      const watched = watchVersions(client);
      await migrateDefinitions(client, [Widgets]);
      // The server does not forget the former version at its start.
      const seen = await watched();
      assert(seen.includes(`${before},${version} True`), seen.join("; "));
      assert(!seen.includes(`${version} True`), seen.join("; "));
      assertEquals(logger.of("warn"), []);
      assertEquals(await inEtcd(), { [version]: 200 });
      assertEquals(await storedVersions(), [version]);
    }
  } finally {
    manager.kill("SIGKILL");
    await manager.status;
    await piped;
  }
});

/** Watches the versions that the definition names; the returned function ends that. */
function watchVersions(client: Client): () => Promise<string[]> {
  const stop = new AbortController();
  const seen: string[] = [];
  const ended = (async () => {
    const scope = { fieldSelector: `metadata.name=${NAME}`, signal: stop.signal };
    for await (const event of await client.watch(CustomResourceDefinitions, scope)) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { status } = event.object;
      const migrating = status?.conditions?.find(({ type }) => type === "StorageMigrating");
      seen.push(`${status?.storedVersions?.join()} ${migrating?.status}`);
    }
  })().catch(() => {});
  return async () => {
    stop.abort();
    await ended;
    return seen;
  };
}
