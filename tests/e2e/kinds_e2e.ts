/**
 * Compares the descriptors of the built-in kinds with what a real server serves.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { Client, loadConfig } from "@kubeloop/controller";
import { Deployments } from "@kubeloop/controller/types/apps/v1";
import { apiVersionOf } from "../../src/types/mod.ts";
import { descriptors } from "../kinds/_descriptors.ts";
import { World } from "./world.ts";

/** The answer of `/api/v1` and `/apis/GROUP/VERSION`. */
interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

Deno.test("a real kube-apiserver", async (t) => {
  await using world = await World.create();
  await using client = new Client(await loadConfig({ kubeconfig: world.kubeconfig }));
  await t.step("serves its kinds as the descriptors have them", async () => {
    const all = [...(await descriptors()).values()];
    const { groups } = JSON.parse(await client.getRaw("/apis"));
    const served: string[] = groups.flatMap((
      { versions }: { versions: { groupVersion: string }[] },
    ) => versions.map(({ groupVersion }) => groupVersion));
    let compared = 0;
    for (const groupVersion of ["v1", ...served]) {
      const own = all.filter((one) => apiVersionOf(one) === groupVersion);
      if (own.length === 0) continue;
      const path = groupVersion === "v1" ? "/api/v1" : `/apis/${groupVersion}`;
      const { resources }: ResourceList = JSON.parse(await client.getRaw(path));
      for (const { name, kind, namespaced } of resources) {
        if (name.includes("/")) continue;
        const found = own.find(({ plural }) => plural === name);
        assertEquals([found?.kind, found?.namespaced], [kind, namespaced], `${name} of ${path}`);
        compared++;
      }
    }
    assert(compared > 60, `${compared} kinds`);
  });

  await t.step("accepts what the types allow, and answers with what they promise", async () => {
    const { namespace } = world;
    const { spec } = await client.create(Deployments, {
      metadata: { name: "web", namespace },
      spec: {
        selector: { matchLabels: { app: "web" } },
        strategy: { rollingUpdate: { maxSurge: "30%" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: {
            containers: [{
              name: "main",
              image: "nginx",
              readinessProbe: { httpGet: { path: "/", port: 80 } },
              resources: { requests: { cpu: "500m" } },
              env: [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
            }],
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [{
                  topologyKey: "kubernetes.io/hostname",
                  labelSelector: { matchLabels: { app: "web" } },
                }],
              },
            },
          },
        },
      },
    }, { fieldValidation: "Strict" });
    const [container] = spec!.template.spec!.containers;
    assertEquals(
      [spec?.strategy?.type, spec?.strategy?.rollingUpdate?.maxSurge, container?.imagePullPolicy],
      ["RollingUpdate", "30%", "Always"],
    );
    assertEquals(container?.readinessProbe?.periodSeconds, 10);
  });
});
