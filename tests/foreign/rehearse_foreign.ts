/**
 * Rehearses changes of a real operator, in Go: nothing differs between a version and itself, and a feature gate shows.
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
const VERSION = "v1.6.0";

/** Builds the operator in `folder`, and returns its program and the folder of its sources. */
async function build(folder: string) {
  const go = async (...args: string[]) => {
    const { stderr, stdout, success } = await new Deno.Command("go", {
      args,
      cwd: folder,
      env: { GOBIN: folder },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  const { Dir } = JSON.parse(await go("mod", "download", "-json", `${MODULE}@${VERSION}`));
  await go("install", `${MODULE}@${VERSION}`);
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

const cluster = {
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  metadata: { name: "demo", namespace: "default" },
  spec: {
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
  },
} as KubeObject;

const FLAGS = [
  "--metrics-addr=127.0.0.1:0",
  "--health-probe-bind-address=127.0.0.1:0",
  "--enable-leader-election=false",
];

Deno.test({
  name: "a change of a Go operator is rehearsed",
  // The build takes minutes: it runs nightly.
  ignore: seededRuns.factor <= 1 || !(await hasGo("the rehearsal of a Go operator")),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const { path, sources } = await build(folder);
      const run = (...flags: string[]) => ({
        command: [path, ...FLAGS, ...flags] as [string, ...string[]],
      });
      const world = [...await definitions(sources), cluster];
      const options = { world, before: run(), quietMs: 10_000 };
      const same = await rehearse({ ...options, after: run() });
      assertEquals([same.tables(), same.notes], [[], []], String(same));
      const gated = await rehearse({ ...options, after: run("--feature-gates=RayCronJob=true") });
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
