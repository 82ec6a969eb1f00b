/** Nothing is written for a paused object, whatever goes wrong, and everything is done when it is resumed. */

import { assert, assertEquals } from "@std/assert";
import {
  ConfigMaps,
  defineResource,
  type KubeObject,
  Manager,
  type Resource,
} from "@kubeloop/controller";
import {
  act,
  assertClean,
  create,
  patch,
  type ProcessEnv,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { nightlyTest } from "../../support/kinds_of_tests.ts";

interface Widget extends KubeObject {
  spec?: { size?: number };
  status?: { ready?: number; conditions?: { type: string; status: string }[] };
}

const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

const PAUSED = "kubeloop.dev/paused";
/** The number of plans outside of the nightly run. */
const PLANS = 10;
const namespace = "default";

/** The writes that the operator should not have sent. */
class Watchman {
  readonly broken: string[] = [];
  invariant(): true | string {
    return this.broken.length === 0 || this.broken.join("; ");
  }
}

/** Copies the size of a Widget, slowly. Reports each write that it sends although its cache shows a pause. */
async function operator({ client, clock, cloud, signal }: ProcessEnv<Watchman>): Promise<void> {
  const sent: string[] = [];
  const observed = client.observed({
    sends({ method, path }) {
      const isOurs = path.includes("/configmaps/") || path.includes("/widgets/");
      if (method !== "GET" && isOurs && isPaused()) sent.push(`${method} ${path}`);
    },
    ended({ error, method, path }) {
      const at = sent.indexOf(`${method} ${path}`);
      if (at < 0) return;
      sent.splice(at, 1);
      // A request that is refused at the last moment is not sent.
      if (error instanceof Error && error.message.includes("the object is paused")) return;
      // The condition of the pause itself.
      if (!path.endsWith("/status")) cloud.broken.push(`${method} ${path} for a paused object`);
    },
    wrote({ object, subresource }) {
      const { status } = object as { status?: { ready?: number; conditions?: { type: string }[] } };
      if (subresource !== "status" || !isPaused()) return;
      if (status?.conditions?.some(({ type }) => type === "Paused") !== true) {
        cloud.broken.push("a status without the condition Paused");
      }
    },
  });
  const manager = new Manager(observed);
  const widgets = manager.cache(Widgets);
  const isPaused = () => {
    try {
      const { metadata } = widgets.get("a", namespace) ?? {};
      return metadata?.deletionTimestamp === undefined &&
        metadata?.annotations?.[PAUSED] !== undefined;
    } catch {
      return false;
    }
  };
  manager.controller(Widgets, { supersede: true })
    .owns(ConfigMaps)
    .finalizer("example.com/cleanup", { cleanup: () => {} })
    .reconcile(async ({ apply, name, object, signal, status }) => {
      const { size = 0 } = object.spec ?? {};
      for (const part of ["x", "y"]) {
        await apply(ConfigMaps, {
          metadata: { name: `${name}-${part}` },
          data: { size: `${size}` },
        });
        await new Promise<void>((resolve) => {
          const timer = clock.setTimer(resolve, 500);
          signal.addEventListener("abort", () => {
            timer.cancel();
            resolve();
          }, { once: true });
        });
      }
      status({ ready: size }).condition("Ready", "True", "Copied");
      return { prune: true };
    });
  await manager.run({ signal });
}

const size = (n: number) => patch(Widgets, "a", { spec: { size: n } });
/** Sets the annotation. A step of its own kind, because the state depends on when it comes. */
const paused = (value: string | null) =>
  act<Watchman>(`pause ${value}`, ({ client }) => {
    const annotations = { [PAUSED]: value };
    return client.patch(Widgets, "a", { metadata: { annotations } }, { namespace });
  });

/** Waits until the resumed object is copied. Otherwise, what a pause has ended depends on when it came. */
const copied = (value: number) =>
  act<Watchman>(`size ${value} is copied`, ({ server }) => {
    for (const part of ["x", "y"]) {
      const { data } = server.get(ConfigMaps, `a-${part}`, namespace) ?? {};
      assertEquals(data, { size: `${value}` });
    }
    const { status } = server.get(Widgets, "a", namespace) as Widget;
    assertEquals(status?.ready, value);
    assert(
      status?.conditions?.every(({ type, status }) => type !== "Paused" || status === "False"),
    );
  });

/** Tries plans of a Widget that is paused and resumed several times. */
async function explore(plans: number): Promise<void> {
  const sim = simulation({
    name: "pauses",
    process: operator,
    resources: [Widgets],
    world: { cloud: () => new Watchman() },
    mask: () => undefined,
    workload: [
      create(Widgets, "a", { spec: { size: 1 } }),
      settle(),
      size(2),
      paused("true"),
      size(3),
      settle(),
      remove(ConfigMaps, "a-x"),
      settle(),
      paused(null),
      copied(3),
      paused("what?"),
      size(4),
      settle(),
      paused(null),
      size(5),
      copied(5),
      paused("true"),
      settle(),
      remove(Widgets, "a"),
      settle(),
    ],
  });
  const report = await sim.explore({ budget: { plans, ms: Infinity } });
  assertClean(report);
  assert(report.plans > 0);
}

Deno.test(`no write is sent for a paused object in ${PLANS} plans`, () => explore(PLANS));

nightlyTest("no write is sent for a paused object in 10,000 plans", () => explore(10_000));
