import {
  type Cached,
  type ConfigMap,
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  DeletedFinalStateUnknown,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import type { Process, ProcessEnv } from "@kubeloop/testing/simulation";

/** A custom resource that wants a number of ConfigMaps. */
export interface Widget extends KubeObject {
  spec?: { size?: number; text?: string };
  status?: { made?: number; seen?: number };
}

/** The resource `widgets.example.com`. */
export const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

/** The flaws of a controller of Widgets. */
export interface Flaws {
  /** Deletes a surplus ConfigMap by its name alone. */
  readonly deletesByName?: boolean;
  /** Counts in memory what it has made, and never looks again. */
  readonly remembers?: boolean;
  /** Counts its reconciles in the status. */
  readonly counts?: boolean;
  /** Sets the finalizers as a whole. */
  readonly overwrites?: boolean;
  /** Takes an error for success, and trusts its own status. */
  readonly swallows?: boolean;
  /** Calls the external world before it notes that. */
  readonly calls?: boolean;
}

/** The external world: it gives out numbers. */
export class Counter {
  readonly given: string[] = [];

  give(name: string): Promise<number> {
    this.given.push(name);
    return Promise.resolve(this.given.length);
  }

  state(): unknown {
    return this.given.length;
  }
}

/** Returns a controller that makes the ConfigMaps that Widgets want. */
export function widgetController(flaws: Flaws = {}): Process<Counter | undefined> {
  return async ({ client, cloud, signal }: ProcessEnv<Counter | undefined>) => {
    const informers = new SharedInformerFactory(client);
    const widgets = informers.informer(Widgets);
    const maps = informers.informer(ConfigMaps, { namespace: "default" });
    const made = new Set<string>();
    const controller: Controller = new Controller({
      informer: widgets,
      waitFor: [maps],
      async reconcile(key) {
        const widget = widgets.indexer.getByKey(key);
        if (widget === undefined) return;
        const { name, namespace, uid } = widget.metadata;
        const call = { namespace };
        if (widget.metadata.deletionTimestamp !== undefined) {
          if (!flaws.overwrites) return;
          await client.patch(Widgets, name, { metadata: { finalizers: null } }, call);
          return;
        }
        if (flaws.overwrites && widget.metadata.finalizers === undefined) {
          await client.patch(Widgets, name, { metadata: { finalizers: ["example.com/f"] } }, call);
        }
        if (flaws.swallows && widget.status?.made === widget.spec?.size) return;
        const size = widget.spec?.size ?? 0;
        const mine = maps.indexer.list().filter(({ metadata }) =>
          metadata.ownerReferences?.some((owner) => owner.uid === uid)
        );
        for (let i = 0; i < size; i++) {
          const metadata = {
            name: `${name}-${i}`,
            ownerReferences: [controllerReference(widget, Widgets)],
          };
          if (mine.some((map) => map.metadata.name === metadata.name)) continue;
          if (flaws.remembers && made.has(metadata.name)) continue;
          made.add(metadata.name);
          if (flaws.calls) await cloud!.give(metadata.name);
          const creating = client.create(ConfigMaps, { metadata }, call);
          await (flaws.swallows ? creating.catch(() => {}) : creating);
        }
        for (const map of mine.slice().reverse()) {
          if (Number(map.metadata.name.split("-")[1]) < size) continue;
          const preconditions = flaws.deletesByName ? undefined : { uid: map.metadata.uid };
          await client.delete(ConfigMaps, map.metadata.name, { ...call, preconditions })
            .catch((error) => {
              if (!isNotFound(error)) throw error;
            });
        }
        if (widget.status?.made === size && !flaws.counts) return;
        const status = {
          made: size,
          ...(flaws.counts && { seen: (widget.status?.seen ?? 0) + 1 }),
        };
        await client.patchStatus(Widgets, name, { status }, call);
      },
    });
    const enqueueOwner = (map: Cached<ConfigMap>) => {
      for (const { name } of map.metadata.ownerReferences ?? []) {
        controller.enqueue(`default/${name}`);
      }
    };
    maps.addEventHandler({
      onAdd: enqueueOwner,
      onUpdate: (_, map) => enqueueOwner(map),
      onDelete: (last) => {
        const map = DeletedFinalStateUnknown.lastKnownState(last);
        if (map !== undefined) enqueueOwner(map);
      },
    });
    await controller.run({ signal });
  };
}
