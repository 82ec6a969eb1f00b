/**
 * Small controllers with one bug each, for the tests of what a simulation reports.
 *
 * @module
 */

import {
  type Cached,
  type ConfigMap,
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  create,
  patch,
  type Plan,
  type Process,
  type ProcessEnv,
  remove,
  settle,
  type Simulation,
  simulation,
  type SimulationOptions,
} from "@kubeloop/testing/simulation";

/** The custom resource of all these controllers. */
/** The plan of an operator that starts again on a replica of the server that is behind. {@linkcode scaler} fails. */
export const STALE: Plan = {
  seed: 1,
  faults: [{
    fault: "stale",
    process: "operator",
    step: 5,
    at: "ADDED widgets.example.com default/w #1",
    forMs: 5000,
  }],
};

export interface Widget extends KubeObject {
  spec?: { size?: number };
  status?: { ready?: number; id?: string; phase?: string; target?: number };
}

/** The descriptor of {@linkcode Widget}. */
export const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

/** The arguments of the reconcile function of a small controller. */
interface Context<C> extends ProcessEnv<C> {
  readonly call: { readonly namespace: string };
  /** The ConfigMaps in the cache. */
  maps(): readonly Cached<ConfigMap>[];
}

/** Returns a process that reconciles widgets, and watches ConfigMaps. */
function widgetOperator<C = undefined>(
  reconcile: (widget: Cached<Widget>, context: Context<C>) => Promise<void>,
): Process<C> {
  return async (env) => {
    const factory = new SharedInformerFactory(env.client);
    const widgets = factory.informer(Widgets);
    const maps = factory.informer(ConfigMaps, { namespace: "default" });
    const controller = new Controller({
      informer: widgets,
      waitFor: [maps],
      async reconcile(key) {
        const widget = widgets.indexer.getByKey(key);
        if (widget === undefined) return;
        await reconcile(widget, {
          ...env,
          call: { namespace: widget.metadata.namespace ?? "" },
          maps: () => maps.indexer.list(),
        });
      },
    });
    maps.addEventHandler({
      onAdd: (map) => enqueueOwners(map),
      onUpdate: (_, map) => enqueueOwners(map),
      onDelete: (map) => {
        if ("metadata" in map) enqueueOwners(map);
      },
    });
    const enqueueOwners = ({ metadata }: Cached<ConfigMap>) => {
      for (const { name } of metadata.ownerReferences ?? []) controller.enqueue(`default/${name}`);
    };
    await controller.run({ signal: env.signal });
  };
}

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Keeps one ConfigMap for each unit of the size, and deletes surplus ones by their name. */
export function scaler(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "scaler",
    process: widgetOperator(async (widget, { call, client, maps }) => {
      if (widget.metadata.deletionTimestamp !== undefined) return;
      const size = widget.spec?.size ?? 1;
      for (let i = 0; i < size; i++) {
        const name = `${widget.metadata.name}-${i}`;
        if (maps().some(({ metadata }) => metadata.name === name)) continue;
        const ownerReferences = [controllerReference(widget, Widgets)];
        await client.create(ConfigMaps, { metadata: { name, ownerReferences } }, call);
      }
      for (const { metadata } of maps()) {
        if (Number(metadata.name!.split("-")[1]) < size) continue;
        await ignoreMissing(client.delete(ConfigMaps, metadata.name!, call));
      }
      if (widget.status?.ready !== size) {
        await client.patchStatus(Widgets, widget.metadata.name!, { status: { ready: size } }, call);
      }
    }),
    workload: [
      create(Widgets, "w", { spec: { size: 3 } }),
      settle(),
      patch(Widgets, "w", { spec: { size: 1 } }),
      settle(),
      patch(Widgets, "w", { spec: { size: 3 } }),
      settle(),
    ],
    ...options,
  });
}

/** Gives its ConfigMap a generated name, and looks for it in the cache only. */
export function duplicator(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "duplicator",
    process: widgetOperator(async (widget, { call, client, maps }) => {
      if (widget.metadata.deletionTimestamp !== undefined) return;
      const owned = maps().filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === widget.metadata.uid)
      );
      if (owned.length === 0) {
        await client.create(ConfigMaps, {
          metadata: {
            generateName: `${widget.metadata.name}-`,
            ownerReferences: [controllerReference(widget, Widgets)],
          },
        }, call);
      }
      if (widget.status?.ready !== 1) {
        await client.patchStatus(Widgets, widget.metadata.name!, { status: { ready: 1 } }, call);
      }
    }),
    workload: [create(Widgets, "w"), settle(), remove(Widgets, "w"), settle()],
    always: [({ server }) => server.count(ConfigMaps, "default") <= 2 || "two ConfigMaps for one"],
    ...options,
  });
}

/** Load balancers by their id. */
export class Balancers {
  readonly made: string[] = [];

  /** Makes a load balancer. */
  make(name: string): string {
    this.made.push(name);
    return `lb-${this.made.length}`;
  }

  /** The state that is compared at the end of runs. */
  state(): unknown {
    return this.made;
  }

  /** Each name has one load balancer at most. */
  invariant(): true | string {
    return new Set(this.made).size === this.made.length || `${this.made.length} load balancers`;
  }
}

/** Makes a load balancer, and then writes its id down. */
export function leaker(
  options: Partial<SimulationOptions<Balancers>> = {},
): Simulation<Balancers> {
  return simulation<Balancers>({
    name: "leaker",
    process: widgetOperator<Balancers>(async (widget, { call, client, cloud }) => {
      if (widget.status?.id !== undefined || widget.metadata.deletionTimestamp) return;
      const id = cloud.make(widget.metadata.name!);
      await client.patchStatus(Widgets, widget.metadata.name!, { status: { id } }, call);
    }),
    world: { cloud: () => new Balancers() },
    workload: [create(Widgets, "w"), settle()],
    ...options,
  });
}

/** Writes the new size down first, and then never does what is left of it. */
export function forgetter(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "forgetter",
    process: widgetOperator(async (widget, { call, client }) => {
      if (widget.metadata.deletionTimestamp !== undefined) return;
      const { name = "" } = widget.metadata;
      const size = widget.spec?.size ?? 1;
      if (widget.status?.ready === size) return;
      await client.patchStatus(Widgets, name, { status: { ready: size } }, call);
      const data = { size: String(size) };
      try {
        await client.patch(ConfigMaps, name, { data }, call);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        const ownerReferences = [controllerReference(widget, Widgets)];
        await client.create(ConfigMaps, { metadata: { name, ownerReferences }, data }, call);
      }
    }),
    workload: [
      create(Widgets, "w", { spec: { size: 1 } }),
      settle(),
      patch(Widgets, "w", { spec: { size: 3 } }),
      settle(),
    ],
    ...options,
  });
}

const FINALIZER = "example.com/widgets";

/** Replaces the list of finalizers with one of its own. */
export function dropper(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "dropper",
    process: widgetOperator(async (widget, { call, client }) => {
      const { deletionTimestamp, finalizers = [], name = "" } = widget.metadata;
      if (deletionTimestamp !== undefined) {
        if (!finalizers.includes(FINALIZER)) return;
        await ignoreMissing(client.patch(Widgets, name, { metadata: { finalizers: [] } }, call));
      } else if (!finalizers.includes(FINALIZER)) {
        await client.patch(Widgets, name, { metadata: { finalizers: [FINALIZER] } }, call);
      }
    }),
    workload: [create(Widgets, "w"), settle(), remove(Widgets, "w"), settle()],
    ...options,
  });
}

/** Has no bug that a simulation could find. */
export function careful(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "careful",
    process: widgetOperator(async (widget, { call, client, maps }) => {
      if (widget.metadata.deletionTimestamp !== undefined) return;
      const { name = "" } = widget.metadata;
      if (maps().some(({ metadata }) => metadata.name === name)) return;
      const ownerReferences = [controllerReference(widget, Widgets)];
      await client.create(ConfigMaps, { metadata: { name, ownerReferences } }, call);
    }),
    workload: [create(Widgets, "w"), settle()],
    ...options,
  });
}

/** Counts the sizes that it has seen, so that it must see each. */
export function counter(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "counter",
    process: widgetOperator(async (widget, { call, client }) => {
      const { name = "" } = widget.metadata;
      const size = widget.spec?.size ?? 1;
      if (widget.status?.target === size) return;
      const status = { target: size, ready: (widget.status?.ready ?? 0) + 1 };
      await client.patchStatus(Widgets, name, { status }, call);
    }),
    workload: [
      create(Widgets, "w", { spec: { size: 1 } }),
      settle(),
      patch(Widgets, "w", { spec: { size: 3 } }),
      patch(Widgets, "w", { spec: { size: 2 } }),
      settle(),
    ],
    ...options,
  });
}

/** Writes its status for ever. */
export function spinner(options: Partial<SimulationOptions> = {}): Simulation {
  return simulation({
    name: "spinner",
    process: widgetOperator(async (widget, { call, client }) => {
      const ready = (widget.status?.ready ?? 0) + 1;
      await client.patchStatus(Widgets, widget.metadata.name ?? "", { status: { ready } }, call);
    }),
    workload: [create(Widgets, "w"), settle()],
    ...options,
  });
}
