import { SharedInformer } from "../../../src/cache/mod.ts";
import { Controller } from "../../../src/controller/mod.ts";
import { type ConfigMap, ConfigMaps } from "../../../src/types/mod.ts";
import {
  ItemExponentialFailureRateLimiter,
  RateLimitingQueue,
} from "../../../src/workqueue/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { isAboutA, object, prepare } from "./_config_maps.ts";
import { NO_FIELD } from "./_reasons.ts";

/** Returns a controller that paints ConfigMaps blue. */
function controllerOf(day: Day): Controller {
  const { client, clock } = day;
  const informer = new SharedInformer<ConfigMap>(
    client.listerWatcher(ConfigMaps, { namespace }),
    { resource: ConfigMaps },
  );
  const limiter = new ItemExponentialFailureRateLimiter<string>(10, 10_000);
  return new Controller({
    informer,
    queue: new RateLimitingQueue(
      {
        when: day.user("RateLimiter.when()", (key: string) => limiter.when(key), isAboutA),
        forget: day.user("RateLimiter.forget()", (key: string) => limiter.forget(key), isAboutA),
        numRequeues: day.user(
          "RateLimiter.numRequeues()",
          (key: string) => limiter.numRequeues(key),
          isAboutA,
        ),
      },
      { clock },
    ),
    maxRetries: 3,
    onGiveUp: day.user("onGiveUp", () => {}),
    reconcile: day.user("reconcile", async (key: string, { signal }: { signal: AbortSignal }) => {
      const map = informer.indexer.getByKey(key);
      if (map === undefined || map.data?.color === "blue") return;
      const name = map.metadata.name ?? "";
      await client.patch(ConfigMaps, name, { data: { color: "blue" } }, { namespace, signal });
      // Asks the rate limiter.
      return { requeueAfterMs: 0 };
    }, isAboutA),
  });
}

/** Controllers without a manager. */
export const controllers: readonly Row[] = [
  {
    name: "Controller.run()",
    covers: [
      "Controller.run",
      "Controller.enqueue",
      "Controller[Symbol.asyncDispose]",
      "ControllerOptions.reconcile",
      "ControllerOptions.onGiveUp",
      "RateLimiter.when",
      "RateLimiter.forget",
      "RateLimiter.numRequeues",
      "SyncedInformer.runShared",
      "KeySource.addChangeHandler",
      "KeySource.addChangeHandler(handler)",
      "KeySource.removeEventHandler",
      "ReconcileQueue.get",
    ],
    prepare,
    start: async (day) => {
      const controller = day.part("controller", () => controllerOf(day));
      controller.enqueue(`${namespace}/none`);
      await controller.run({ signal: day.signal, workers: 2 });
      await controller[Symbol.asyncDispose]();
    },
    isDone: ({ misbehaviour, server }) =>
      (misbehaviour === undefined ? ["a", "b", "c"] : ["b", "c"]).every((name) =>
        server.get(ConfigMaps, name, namespace)?.data?.color === "blue"
      ),
    limitMs: 200_000,
    object,
    inOrder: ["reconcile"],
    not: NO_FIELD,
  },
];
