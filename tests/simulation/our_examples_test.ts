import { ConfigMaps, Manager, type Pod, Pods, SharedInformer } from "@kubeloop/controller";
import {
  assertClean,
  create,
  patch,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { PodController } from "../../examples/pod_controller.ts";
import { podSetController, PodSets } from "../../examples/replicas_controller.ts";
import { scaled } from "../support/seeded_runs.ts";
import { websiteController, Websites } from "../../examples/crd_controller.ts";

const plans = scaled(12);

Deno.test("the controller of PodSets passes", async () => {
  const sim = simulation({
    process: ({ client, logger, signal }) => {
      const manager = new Manager(client, { logger, definitions: [PodSets] });
      podSetController(manager);
      return manager.run({ signal });
    },
    // Without heartbeats, hours pass quickly.
    world: {
      actors: { workloads: false, nodeController: false, kubelet: { heartbeatMs: 36_000_000 } },
    },
    workload: [
      create(PodSets, "web", { spec: { replicas: 2, image: "nginx" } }),
      settle(),
      patch(PodSets, "web", { spec: { replicas: 1 } }),
      settle(),
      patch(PodSets, "web", { spec: { replicas: 2 } }),
      settle(),
      remove(PodSets, "web"),
      settle(),
    ],
    always: [({ server }) => server.count(Pods) <= 4 || "surplus Pods"],
  });
  assertClean(await sim.explore({ budget: { plans, ms: Infinity } }));
});

Deno.test("the controller of Websites passes", async () => {
  const sim = simulation({
    process: ({ client, logger, signal }) => {
      const manager = new Manager(client, { logger, definitions: [Websites] });
      websiteController(manager);
      return manager.run({ signal });
    },
    workload: [
      create(Websites, "home", { spec: { title: "Home", contentFrom: "greeting" } }),
      settle(),
      create(ConfigMaps, "greeting", { data: { text: "hello" } }),
      settle(),
      patch(Websites, "home", { spec: { title: "At home" } }),
      patch(ConfigMaps, "greeting", { data: { text: "hello again" } }),
      settle(),
      remove(ConfigMaps, "greeting"),
      settle(),
    ],
  });
  assertClean(await sim.explore({ budget: { plans, ms: Infinity } }));
});

Deno.test("the controller that reads Pods writes nothing", async () => {
  const sim = simulation({
    process: ({ client, clock, logger, signal }) => {
      const informer = new SharedInformer<Pod>(client.listerWatcher(Pods), { clock, logger });
      return new PodController(informer, logger, clock).run(2, signal);
    },
    workload: [
      create(Pods, "web", { spec: { containers: [{ name: "main", image: "nginx" }] } }),
      settle(),
      remove(Pods, "web"),
      settle(),
    ],
    resources: [Pods],
  });
  assertClean(await sim.explore({ budget: { plans, ms: Infinity } }));
});
