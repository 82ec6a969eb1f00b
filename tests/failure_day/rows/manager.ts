import { Manager, type ManagerOptions, type Reconciliation } from "../../../src/operator/mod.ts";
import { type Cached, ConfigMaps, type Event, Events, Secrets } from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { isAboutA } from "./_config_maps.ts";
import { NO_FIELD } from "./_reasons.ts";
import { areDone, object, prepare, type Widget, Widgets } from "./_widgets.ts";

/** Longer than one request about a lease, and than the last Events may take. */
const STOP_MS = 12_000;
const LEASE = { name: "widgets", namespace };

/** Returns a manager whose controller makes a ConfigMap of each Widget, and says so in its status. */
function managerOf(day: Day, options: ManagerOptions = {}): Manager {
  const manager = new Manager(day.client, { gracefulStopTimeoutMs: STOP_MS, ...options });
  const when = (name: string) => day.user(name, () => true, isAboutA);
  manager.controller(Widgets, {
    workers: 2,
    reconcileTimeoutMs: 30_000,
    when: when("when of controller()"),
  })
    .owns(ConfigMaps, {
      when: when("when of owns()"),
    })
    .watches(Events, {
      when: when("when of watches()"),
      map: day.user(
        "map of watches()",
        ({ metadata }: Cached<Event>) => [metadata?.name ?? ""],
        isAboutA,
      ),
    })
    .references(
      Secrets,
      day.user(
        "of of references()",
        ({ spec }: Cached<Widget>) => [`size-${spec.size}`],
        isAboutA,
      ),
    )
    .indexes({
      size: day.user(
        "indexes()",
        ({ spec }: Cached<Widget>) => [`${spec.size}`],
        isAboutA,
      ),
    })
    .reconcile(day.user("reconcile()", async ({ apply, name, status }: Reconciliation<Widget>) => {
      await apply(ConfigMaps, {
        metadata: { name: `${name}-config` },
        data: { size: "1", ...(day.version === 1 && { old: "" }) },
      });
      status({ ready: 1 });
    }, isAboutA));
  return manager;
}

/** Managers. */
export const managers: readonly Row[] = [
  {
    name: "Manager.run() with leader election",
    covers: [
      "Manager.run",
      "Controller.runOwned",
      "Manager[Symbol.asyncDispose]",
      "ControllerBuilder.reconcile(reconcile)",
      "ControllerBuilder.indexes(indexes)",
      "ControllerBuilder.references(of)",
      "ControllerBuilderOptions.when",
      "OwnsOptions.when",
      "WatchesOptions.when",
      "WatchesOptions.map",
      "Reconciliation.apply",
    ],
    prepare,
    start: (day) =>
      day.part("manager", () => managerOf(day, { leaderElection: LEASE })).run({
        signal: day.signal,
      }),
    isDone: areDone,
    stopMs: STOP_MS,
    limitMs: 200_000,
    object,
    written: ({ server }) => server.objects(ConfigMaps, namespace),
  },
  {
    name: "Manager.run() with finalizers and Events",
    covers: ["FinalizerSteps.apply", "FinalizerSteps.cleanup", "ControllerBuilderOptions.onGiveUp"],
    prepare: async (client) => {
      await prepare(client);
      for (const name of ["a", "b", "c"]) {
        await client.patch(Widgets, name, { metadata: { finalizers: ["acme.io/clean"] } }, {
          namespace,
        });
      }
      for (const name of ["a", "b"]) await client.delete(Widgets, name, { namespace });
    },
    start: (day) =>
      day.part("manager", () => {
        const manager = new Manager(day.client, { gracefulStopTimeoutMs: STOP_MS });
        manager.controller(Widgets, {
          workers: 2,
          reconcileTimeoutMs: 30_000,
          maxRetries: 1,
          onGiveUp: day.user("onGiveUp of controller()", () => {}),
        })
          .finalizer("acme.io/clean", {
            apply: day.user("apply of finalizer()", () => {}, isAboutA),
            cleanup: day.user(
              "cleanup of finalizer()",
              () => {},
              isAboutA,
            ),
          })
          .reconcile(({ event, name, status }: Reconciliation<Widget>) => {
            event("Normal", "Seen", `saw ${name}`);
            status({ ready: 1 });
          });
        return manager;
      }).run({ signal: day.signal }),
    isDone: ({ misbehaviour, server }) =>
      server.get(Widgets, "b", namespace) === undefined &&
      server.get(Widgets, "c", namespace)?.status?.ready === 1 &&
      (misbehaviour !== undefined ||
        [undefined, 1].includes(server.get(Widgets, "a", namespace)?.status?.ready)),
    stopMs: STOP_MS,
    limitMs: 200_000,
    object,
    not: NO_FIELD,
  },
];
