import { assertEquals } from "@std/assert";
import {
  DeltaFIFO,
  FilteringResourceEventHandler,
  IndexedStore,
  Informer,
  metaNamespaceKeyFunc,
  newInformer,
  Reflector,
  type ResourceEventHandler,
  SharedInformer,
  SharedInformerFactory,
  waitForCacheSync,
} from "../../../src/cache/mod.ts";
import {
  type Cached,
  type ConfigMap,
  ConfigMaps,
  type KubeObject,
} from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { isAboutA, object, prepare } from "./_config_maps.ts";
import { NO_OBJECT, NO_SERVER, NO_WRITE } from "./_reasons.ts";

/** Paints the ConfigMap `b`, several times: a watch that was cut sees the last one. */
function paint({ admin, time }: Day): void {
  for (const [ms, color] of [[1_000, "green"], [150_000, "blue"]] as const) {
    time.setTimer(
      () => void admin.patch(ConfigMaps, "b", { data: { color } }, { namespace }).catch(() => {}),
      ms,
    );
  }
}

/** The ConfigMaps that the handlers have seen, by name. */
function seenBy(day: Day): Map<string, string> {
  return day.part("seen", () => new Map<string, string>());
}

/** Reports whether the handlers have seen all objects, and the last change of one. */
function hasSeenAll(day: Day): boolean {
  const seen = seenBy(day);
  // With a misbehaving function, the others must be seen.
  const names = day.misbehaviour === undefined ? ["a", "b", "c"] : ["b", "c"];
  return names.every((name) => seen.has(name)) && seen.get("b") === "blue";
}

/** Returns an event handler that notes what it sees. */
function handlerOf(day: Day): ResourceEventHandler<Cached<ConfigMap>> {
  const seen = seenBy(day);
  const note = ({ data, metadata }: Cached<ConfigMap>) =>
    void seen.set(metadata.name ?? "", data?.color ?? "");
  return {
    onAdd: day.user("onAdd", (one: Cached<ConfigMap>) => note(one), isAboutA),
    onUpdate: day.user(
      "onUpdate",
      (_: Cached<ConfigMap>, one: Cached<ConfigMap>) => note(one),
      isAboutA,
    ),
    onDelete: day.user("onDelete", () => {}),
  };
}

const informs = {
  prepare,
  limitMs: 400_000,
  isDone: hasSeenAll,
  object,
  inOrder: ["onAdd", "onUpdate", "onDelete", "addChangeHandler()"],
  not: NO_WRITE,
} satisfies Partial<Row>;

/** Informers, and what they are made of. */
export const informers: readonly Row[] = [
  {
    ...informs,
    name: "SharedInformer.run()",
    covers: [
      "SharedInformer.run",
      "SharedInformer.whenSynced",
      "SharedInformer.setTransform",
      "SharedInformer.setTransform(transform)",
      "SharedInformer.setWatchErrorHandler",
      "SharedInformer.setWatchErrorHandler(handler)",
      "SharedInformer.addChangeHandler(handler)",
      "SharedInformer.addIndexers",
      "SharedInformer.addIndexers(indexers)",
      "SharedInformer.removeEventHandler",
      "SharedInformerOptions.transform",
      "SharedInformerOptions.indexers",
      "SharedInformerOptions.watchErrorHandler",
      "ResourceEventHandler.onAdd",
      "ResourceEventHandler.onUpdate",
      "ResourceEventHandler.onDelete",
      "HandlerRegistration.whenSynced",
      "ListerWatcher.list",
      "ListerWatcher.watch",
      "BatchedWatch.batches",
    ],
    start: async (day) => {
      const { client, signal } = day;
      const informer = day.part("informer", () => {
        paint(day);
        const informer = new SharedInformer<ConfigMap>(
          client.listerWatcher(ConfigMaps, { namespace }),
          {
            resource: ConfigMaps,
            transform: day.user("transform", (map: ConfigMap) => map, isAboutA),
            watchErrorHandler: day.user("watchErrorHandler", () => {}),
            indexers: {
              color: day.user(
                "indexers",
                ({ data }: Cached<ConfigMap>) => [data?.color ?? ""],
                isAboutA,
              ),
            },
          },
        );
        informer.addEventHandler(handlerOf(day));
        informer.addChangeHandler(day.user("addChangeHandler()", () => {}));
        return informer;
      });
      const synced = informer.whenSynced({ signal });
      synced.catch(() => {});
      await informer.run({ signal });
    },
  },
  {
    ...informs,
    name: "SharedInformerFactory",
    covers: [
      "SharedInformerFactory.start",
      "SharedInformerFactory.shutdown",
      "SharedInformerFactory.waitForCacheSync",
      "SharedInformerFactory.forget",
      "SharedInformerFactory[Symbol.asyncDispose]",
      "SharedInformerFactoryOptions.transform",
      "SharedInformerFactoryOptions.watchErrorHandler",
      "SharedInformer.runShared",
      "SharedInformer.shutDownEventHandler",
      "SharedInformer.keepParsed",
      "FilteringResourceEventHandler.onAdd",
      "FilteringResourceEventHandler.onUpdate",
      "FilteringResourceEventHandler.onDelete",
      "FilteringResourceEventHandlerOptions.filterFunc",
      "waitForCacheSync",
      "ListerWatcherSource.listerWatcher",
    ],
    start: async (day) => {
      paint(day);
      const { clock, client, signal } = day;
      const factory = new SharedInformerFactory(client, {
        namespace,
        transform: day.user<<T extends KubeObject>(object: T) => T>(
          "transform",
          (object) => object,
          isAboutA,
        ),
      });
      const informer = factory.informer(ConfigMaps);
      informer.keepParsed();
      const registration = informer.addEventHandler(
        new FilteringResourceEventHandler<Cached<ConfigMap>>({
          filterFunc: day.user("filterFunc", () => true, isAboutA),
          handler: handlerOf(day),
        }),
      );
      factory.start({ signal });
      try {
        await factory.waitForCacheSync({ signal });
        await waitForCacheSync({ clock, signal }, informer, registration);
        await informer.runShared({ signal });
      } finally {
        await informer.shutDownEventHandler(registration);
        await factory.shutdown();
      }
    },
  },
  {
    ...informs,
    name: "newInformer() and Informer.run()",
    covers: [
      "Informer.run",
      "Informer.whenSynced",
      "InformerConfig.process",
      "InformerConfig.shouldResync",
      "InformerConfig.watchErrorHandler",
      "NewInformerOptions.transform",
      "NewInformerOptions.indexers",
      "NewInformerOptions.watchErrorHandler",
      "DeltaFIFOOptions.keyFunc",
      "DeltaFIFOOptions.transformer",
    ],
    start: async (day) => {
      const { client, signal } = day;
      const [first, second] = day.part("informers", () => {
        paint(day);
        const { informer } = newInformer<ConfigMap>({
          listerWatcher: client.listerWatcher(ConfigMaps, { namespace }),
          resource: ConfigMaps,
          handler: handlerOf(day),
          transform: day.user("transform", (map: ConfigMap) => map, isAboutA),
          watchErrorHandler: day.user("watchErrorHandler of newInformer()", () => {}),
          indexers: {
            color: day.user(
              "indexers",
              ({ data }: Cached<ConfigMap>) => [data?.color ?? ""],
              isAboutA,
            ),
          },
        });
        const plain = new Informer<ConfigMap>({
          listerWatcher: client.listerWatcher(ConfigMaps, { namespace }),
          resource: ConfigMaps,
          resyncPeriodMs: 60_000,
          shouldResync: day.user("shouldResync", () => false),
          watchErrorHandler: day.user("watchErrorHandler of Informer", () => {}),
          process: day.user("process", () => {}),
          queue: new DeltaFIFO<ConfigMap>({
            keyFunc: day.user("keyFunc", metaNamespaceKeyFunc, isAboutA),
            transformer: day.user("transformer", (map: ConfigMap) => map, isAboutA),
            logger: day.log,
          }),
        });
        return [informer, plain] as const;
      });
      await Promise.all([first.run({ signal }), second.run({ signal })]);
    },
  },
  {
    ...informs,
    name: "Reflector.run() and listAndWatch()",
    covers: [
      "Reflector.run",
      "Reflector.listAndWatch",
      "ReflectorOptions.shouldResync",
      "ReflectorOptions.watchErrorHandler",
    ],
    start: async (day) => {
      const { client, signal } = day;
      const [first, second] = day.part("reflectors", () => {
        paint(day);
        return [0, 1].map(() =>
          new Reflector<ConfigMap>(
            client.listerWatcher(ConfigMaps, { namespace }),
            day.part("store", () => new IndexedStore<ConfigMap>(metaNamespaceKeyFunc)),
            {
              resource: ConfigMaps,
              resyncPeriodMs: 60_000,
              shouldResync: day.user("shouldResync", () => false),
              watchErrorHandler: day.user("watchErrorHandler", () => {}),
            },
          )
        ) as [Reflector<ConfigMap>, Reflector<ConfigMap>];
      });
      // A single list and watch ends with its first failure.
      const once = second.listAndWatch({ signal }).catch(() => {});
      await first.run({ signal });
      await once;
    },
    isDone: (day) =>
      day.part("store", () => new IndexedStore<ConfigMap>(metaNamespaceKeyFunc))
        .getByKey(`${namespace}/b`)?.data?.color === "blue",
  },
  {
    name: "DeltaFIFO",
    covers: [
      "DeltaFIFO.pop",
      "DeltaFIFO.pop(process)",
      "DeltaFIFO.tryPop(process)",
      "DeltaFIFO.wait",
      "DeltaFIFO.whenSynced",
      "DeltaFIFO.add",
      "DeltaFIFO.update",
      "DeltaFIFO.delete",
      "DeltaFIFO.replace",
      "DeltaFIFO.resync",
      "DeltaFIFO.addIfNotPresent",
      "DeltaFIFO.passTo",
      "DeltaFIFO.passTo(consumer)",
      "DeltaFIFO.transformer",
      "DeltaFIFO.close",
    ],
    start: async (day) => {
      const { signal, time } = day;
      const queue = day.part("queue", () => new DeltaFIFO<ConfigMap>({ logger: day.log }));
      const popped: string[] = [];
      const one = (name: string): ConfigMap => ({ metadata: { name, namespace } });
      const process = day.user("process", (deltas: readonly { object: unknown }[]) => {
        popped.push(`${deltas.length}`);
      });
      queue.add(one("a"));
      queue.update(one("a"));
      // It does not wait for promises of its function, and so does not handle them.
      queue.tryPop(() => void popped.push("first"));
      time.setTimer(() => {
        if (queue.isClosed()) return;
        queue.replace([one("a"), one("b")], "1");
        queue.delete(one("b"));
      }, 1_000);
      await queue.wait({ signal });
      await queue.pop(process as never, { signal });
      await queue.pop(process as never, { signal });
      await queue.whenSynced({ signal });
      queue.close();
      return popped;
    },
    normal: (_day, popped) => assertEquals((popped as string[]).length, 3),
    not: { ...NO_SERVER, ...NO_OBJECT, clock: "does not look at the clock" },
  },
];
