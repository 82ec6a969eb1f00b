/**
 * Rehearses changes of a real operator, in Go: nothing differs between a version and itself, a feature gate shows, and so does
 * what an upgrade starts anew.
 *
 * @module
 */

import type { KubeObject } from "@kubeloop/controller";
import { rehearse } from "@kubeloop/testing/simulation";
import { assert, assertEquals } from "@std/assert";
import { readYaml } from "../../src/yaml/mod.ts";
import { seededRuns } from "../support/seeded_runs.ts";
import { hasGo } from "./kubectl.ts";

const MODULE = "github.com/ray-project/kuberay/ray-operator";

/** Builds a version of the operator in `folder`, and returns its program and the folder of its sources. */
async function build(folder: string, version: string) {
  const go = async (...args: string[]) => {
    const { stderr, stdout, success } = await new Deno.Command("go", {
      args,
      cwd: folder,
      env: { GOBIN: folder },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  const { Dir } = JSON.parse(await go("mod", "download", "-json", `${MODULE}@${version}`));
  await go("install", `${MODULE}@${version}`);
  return { path: `${folder}/ray-operator`, sources: String(Dir) };
}

/** Returns the definitions of a version. */
async function definitions(sources: string): Promise<KubeObject[]> {
  const out: KubeObject[] = [];
  const folder = `${sources}/config/crd/bases`;
  for await (const { name } of Deno.readDir(folder)) {
    const text = await Deno.readTextFile(`${folder}/${name}`);
    out.push(await readYaml(text) as KubeObject);
  }
  return out;
}

const template = (name: string) => ({
  spec: { containers: [{ name, image: "rayproject/ray:2.52.0" }] },
});

const spec = {
  rayVersion: "2.52.0",
  headGroupSpec: { rayStartParams: {}, template: template("head") },
  workerGroupSpecs: [{
    groupName: "small",
    replicas: 2,
    minReplicas: 1,
    maxReplicas: 3,
    rayStartParams: {},
    template: template("worker"),
  }],
};
const cluster = {
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  metadata: { name: "demo", namespace: "default" },
  spec,
} as KubeObject;
const service = {
  apiVersion: "ray.io/v1",
  kind: "RayService",
  metadata: { name: "served", namespace: "default" },
  spec: { serveConfigV2: "applications: []\n", rayClusterConfig: spec },
} as KubeObject;

const FLAGS = [
  "--metrics-addr=127.0.0.1:0",
  "--health-probe-bind-address=127.0.0.1:0",
  "--enable-leader-election=false",
];

const run = (path: string, ...flags: string[]) => ({
  command: [path, ...FLAGS, ...flags] as [string, ...string[]],
});

// The builds take minutes: they run nightly.
const ignore = seededRuns.factor <= 1 || !(await hasGo("the rehearsal of a Go operator"));

Deno.test({
  name: "a change of a Go operator is rehearsed",
  ignore,
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const { path, sources } = await build(folder, "v1.6.0");
      const world = [...await definitions(sources), cluster];
      const options = { world, before: run(path), quietMs: 10_000 };
      const same = await rehearse({ ...options, after: run(path) });
      assertEquals([same.tables(), same.notes], [[], []], String(same));
      const gated = await rehearse({
        ...options,
        after: run(path, "--feature-gates=RayCronJob=true"),
      });
      assertEquals(
        gated.tables().map(({ rows, title }) => [title, ...rows]),
        [["Requests", "watch raycronjobs.ray.io: 0 → 1"]],
        String(gated),
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "the upgrade of a Go operator is rehearsed: it starts a second cluster for each service",
  ignore,
  async fn() {
    const [one, two] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
    try {
      const old = await build(one, "v1.4.0");
      const next = await build(two, "v1.5.0");
      const world = [...await definitions(next.sources), cluster, service];
      const options = { world, before: run(old.path), quietMs: 10_000 };
      const same = await rehearse({ ...options, after: run(old.path) });
      assertEquals([same.tables(), same.notes], [[], []], String(same));
      const { restarts, problems, refusals, writes } = await rehearse({
        ...options,
        after: run(next.path),
      });
      assertEquals([restarts, problems, refusals], [[], [], []]);
      const made = writes.filter(({ verb }) => verb === "create")
        .map(({ after, before, resource }) => [resource, before, after]);
      assertEquals(made.sort(), [["pods", 0, 3], ["rayclusters.ray.io", 0, 1], ["services", 0, 1]]);
      const field = "status.pendingServiceStatus.rayClusterName";
      assertEquals(writes.filter((one) => one.field === field).length, 1);
    } finally {
      await Promise.all([one, two].map((folder) => Deno.remove(folder, { recursive: true })));
    }
  },
});
