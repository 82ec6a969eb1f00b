/** Other programs in the cluster, with wishes of their own. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  ConfigMaps,
  controllerReference,
  type Deployment,
  Deployments,
  type Stored,
} from "../../mod.ts";
import {
  assertClean,
  create,
  defaultingWebhook,
  gitOps,
  hpa,
  kubectlEdit,
  type Neighbour,
  type Process,
  settle,
  simulation,
  type World,
} from "../../src/testing/simulation/mod.ts";
import { type Widget, Widgets } from "./_operators.ts";

const CALL = { namespace: "default" };

/** Keeps a Deployment for each Widget. Writes the replicas only if `owns` says so. */
function operator(owns: "replicas" | "nothing else"): Process {
  return async ({ client, clock, logger }) => {
    const once = async () => {
      for (const widget of (await client.list(Widgets, CALL)).items) {
        const { metadata: { name }, spec } = widget;
        const found = (await client.list(Deployments, CALL)).items
          .find(({ metadata }) => metadata.name === name);
        const replicas = (spec as Widget["spec"])?.size ?? 1;
        if (found === undefined) {
          await client.create(Deployments, deployment(widget, replicas), CALL);
        } else if (owns === "replicas" && found.spec?.replicas !== replicas) {
          await client.patch(Deployments, name, { spec: { replicas } }, CALL);
        }
      }
    };
    for (;;) {
      await once().catch((error) => logger.error(error));
      await new Promise<void>((resolve) => clock.setTimer(resolve, 5000));
    }
  };
}

function deployment(widget: Stored<Widget>, replicas: number): Deployment {
  const { name } = widget.metadata;
  const labels = { app: name };
  const containers = [{ name: "main", image: "web" }];
  return {
    metadata: { name, ownerReferences: [controllerReference(widget, Widgets)] },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

function meeting(owns: "replicas" | "nothing else", world: World) {
  const workload = [create(Widgets, "w", { spec: { size: 2 } } as Widget), settle()];
  return simulation({ process: operator(owns), workload, world, limits: { stepMs: 180_000 } });
}

Deno.test("two that never settle are named, with the field that each of them changes", async () => {
  const world = { neighbours: [hpa(Deployments, "w", { replicas: 5 })] };
  const { wrong } = await meeting("replicas", world).reference();
  assertEquals(wrong[0]?.oracle, "liveness");
  assertStringIncludes(wrong[0]!.message, " undo each other: ");
  assertMatch(
    wrong[0]!.message,
    /operator changes deployments.apps default\/w, field spec.replicas, from 5 to 2/,
  );
  assertMatch(
    wrong[0]!.message,
    /horizontal-pod-autoscaler changes deployments.apps default\/w, field spec.replicas, from 2 to 5/,
  );
  assertClean(await meeting("nothing else", world).explore({ budget: { plans: 10 } }));
});

Deno.test("what a tool applies again and again, and what a person edits once, is known as theirs", async () => {
  const object = { metadata: { name: "settings" }, data: { mode: "fast" } };
  const sim = simulation({
    process: operator("nothing else"),
    workload: [create(Widgets, "w"), settle({ quietMs: 200_000 })],
    world: {
      neighbours: [
        gitOps([{ resource: ConfigMaps, object }]),
        kubectlEdit(ConfigMaps, "settings", { data: { mode: "slow" } }),
      ],
    },
    finally: [
      ({ writes }) => {
        const modes = writes().filter(({ key }) => key === "default/settings")
          .map(({ by, object }) => `${by} ${(object() as { data?: { mode: string } }).data?.mode}`);
        const first = ["gitops fast", "kubectl-edit slow", "gitops fast"];
        assertEquals(modes.slice(0, 3), first.slice(0, modes.length));
      },
    ],
  });
  assertClean(await sim.explore({ budget: { plans: 15 } }));
});

Deno.test("a webhook fills in fields when objects are created and updated", async () => {
  const webhook = defaultingWebhook([Deployments], (object) => {
    object.metadata.labels = { ...object.metadata.labels, mesh: "on" };
  });
  let labels: unknown;
  const sim = simulation({
    process: operator("nothing else"),
    workload: [create(Widgets, "w"), settle()],
    world: { neighbours: [webhook] },
    finally: [({ server }) => {
      labels = server.get(Deployments, "w", "default")?.metadata.labels;
    }],
  });
  assertClean(await sim.explore({ budget: { plans: 20 } }));
  assert(typeof labels === "object");
  assertEquals(labels, { mesh: "on" });
});

Deno.test("a condition for the end of each run sees the end state", async () => {
  const sim = simulation({
    process: operator("nothing else"),
    workload: [create(Widgets, "w"), settle()],
    finally: [({ server }) => server.count(Deployments) === 0 || "there is a Deployment"],
  });
  const { wrong } = await sim.reference();
  assertEquals(wrong.map(({ message }) => message), ["there is a Deployment"]);
});

Deno.test("a neighbour that fails is started again a minute later", async () => {
  const started: number[] = [];
  const neighbour: Neighbour = {
    name: "clumsy",
    start: ({ clock }) => {
      started.push(clock.now());
      if (started.length < 3) throw new Error("not yet");
    },
  };
  const workload = [settle({ quietMs: 200_000 })];
  const sim = simulation({ process: () => {}, workload, world: { neighbours: [neighbour] } });
  assertEquals((await sim.reference()).wrong, []);
  assertEquals(started.slice(0, 3), [0, 60_000, 120_000]);
});
