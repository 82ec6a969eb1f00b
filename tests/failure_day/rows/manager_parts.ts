import { delay } from "../../../src/base/mod.ts";
import {
  allOf,
  anyOf,
  Manager,
  not as isNot,
  type Reconciliation,
} from "../../../src/operator/mod.ts";
import { ConfigMaps } from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { isAboutA } from "./_config_maps.ts";
import { NO_FIELD } from "./_reasons.ts";
import { areDone, object, prepare, type Widget, Widgets } from "./_widgets.ts";

const STOP_MS = 12_000;

/** A counter, a gauge and a histogram. */
const SERIES = { inc: () => {}, dec: () => {}, add: () => {}, set: () => {}, observe: () => {} };

/** Returns a manager with a part, checks, a removable cache, a tracer and predicates that are made of others. */
function managerOf(day: Day): Manager {
  const { client, clock } = day;
  const manager = new Manager(client, {
    gracefulStopTimeoutMs: STOP_MS,
    healthChecks: { health: day.user("healthChecks", () => true) },
    readyChecks: { ready: day.user("readyChecks", () => true) },
    metrics: {
      counter: day.user("counter", () => SERIES),
      gauge: day.user("gauge", () => SERIES),
      histogram: day.user("histogram", () => SERIES),
    } as never,
  });
  manager.add({
    name: "part",
    everyReplica: true,
    run: day.user(
      "run() of a part",
      ({ signal }: { readonly signal: AbortSignal }) =>
        delay(3_600_000_000, { clock, signal }).catch(() => {}),
    ),
  });
  const short = {
    name: "short",
    run: ({ signal }: { readonly signal: AbortSignal }) =>
      delay(3_600_000_000, { clock, signal }).catch(() => {}),
  };
  manager.add(short);
  const extra = manager.cache(ConfigMaps, { namespaces: ["kube-system"] });
  const predicate = day.user("predicate", () => true, isAboutA);
  const controller = manager.controller(Widgets, {
    reconcileTimeoutMs: 30_000,
    when: allOf(anyOf(predicate), isNot(isNot(predicate))) as never,
  })
    .owns(ConfigMaps)
    .reconcile(async ({ apply, cache, name, remove, status }: Reconciliation<Widget>) => {
      await apply(ConfigMaps, { metadata: { name: `${name}-config` } });
      const old = cache(ConfigMaps).get(`old-${name}`, namespace);
      if (old !== undefined) await remove(ConfigMaps, old);
      status({ ready: 1 });
      return { prune: true };
    });
  day.time.setTimer(() => {
    controller.trigger(`${namespace}/a`);
    // The manager may be over.
    manager.remove(short).catch(() => {});
    manager.removeCache(extra).catch(() => {});
  }, 1_500);
  return manager;
}

/** The parts of a manager other than its controllers. */
export const managerParts: readonly Row[] = [
  {
    name: "Manager with a part, checks and stories",
    covers: [
      "Manager.add",
      "Manager.remove",
      "ControllerHandle.trigger",
      "MetricsProvider.counter",
      "MetricsProvider.gauge",
      "MetricsProvider.histogram",
      "StoryBook.close",
      "Manager.removeCache",
      "Manager.handler",
      "Manager.stories",
      "ManagerOptions.healthChecks",
      "ManagerOptions.readyChecks",
      "Part.run",
      "StoryBook.stories",
      "Reconciliation.prune",
      "Reconciliation.remove",
      "Reconciliation.settle",
      "Reconciliation.writeStatus",
      "CacheReader.get",
      "allOf(undefined)",
      "anyOf(undefined)",
      "not(predicate)",
    ],
    prepare,
    start: async (day) => {
      const { signal } = day;
      const manager = day.part("manager", () => managerOf(day));
      const tell = async () => {
        for await (const _ of manager.stories({ signal })) day.part("story", () => true);
      };
      const told = tell().catch(() => {});
      const ask = () => {
        for (const path of ["/healthz", "/readyz"]) {
          void manager.handler(
            new Request(`http://localhost${path}`, { signal: AbortSignal.any([signal]) }),
          );
        }
      };
      day.time.setTimer(ask, 2_000);
      await manager.run({ signal });
      await told;
    },
    isDone: (day) => day.time.now() > 3_000 && day.has("story") && areDone(day),
    stopMs: STOP_MS,
    limitMs: 200_000,
    object,
    ending: ["run() of a part"],
    inOrder: ["run() of a part"],
    not: NO_FIELD,
  },
];
