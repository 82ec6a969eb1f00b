import {
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformer,
} from "@kubeloop/controller";
import {
  assertClean,
  create,
  patch,
  type ProcessEnv,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";

interface Widget extends KubeObject {
  spec?: { size?: number };
  status?: { ready?: number };
}
const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

function operator(broken: boolean) {
  return async ({ client, signal, logger }: ProcessEnv) => {
    const widgets = new SharedInformer<Widget>(client.listerWatcher(Widgets), {
      name: "widgets",
      clock: client.environment.clock,
      random: client.environment.random,
      logger,
    });
    const maps = new SharedInformer(client.listerWatcher(ConfigMaps, { namespace: "default" }), {
      name: "configmaps",
      clock: client.environment.clock,
      random: client.environment.random,
      logger,
    });
    const controller: Controller = new Controller({
      informer: widgets,
      waitFor: [maps],
      async reconcile(key) {
        const w = widgets.indexer.getByKey(key);
        if (!w || w.metadata.deletionTimestamp) return;
        const call = { namespace: w.metadata.namespace };
        const size = w.spec?.size ?? 1;
        const mine = maps.indexer.list().filter((m) =>
          m.metadata.ownerReferences?.some((o) => o.uid === w.metadata.uid)
        );
        for (let i = 0; i < size; i++) {
          if (mine.some((m) => m.metadata.name === `${w.metadata.name}-${i}`)) continue;
          if (broken) {
            if (mine.length + (i - mine.length) < size) {
              await client.create(ConfigMaps, {
                metadata: {
                  generateName: `${w.metadata.name}-`,
                  labels: { i: String(i) },
                  ownerReferences: [controllerReference(w, Widgets)],
                },
              }, call);
            }
          } else {await client.create(ConfigMaps, {
              metadata: {
                name: `${w.metadata.name}-${i}`,
                ownerReferences: [controllerReference(w, Widgets)],
              },
            }, call);}
        }
        for (const m of mine) {
          if (Number(m.metadata.name!.split("-")[1]) >= size) {
            await client.delete(ConfigMaps, m.metadata.name!, {
              ...call,
              preconditions: { uid: m.metadata.uid },
            }).catch((e) => {
              if (!isNotFound(e)) throw e;
            });
          }
        }
        if (w.status?.ready !== size) {
          await client.patchStatus(Widgets, w.metadata.name!, { status: { ready: size } }, call);
        }
      },
    });
    maps.addEventHandler({
      onAdd: (m) => {
        for (const o of m.metadata.ownerReferences ?? []) controller.enqueue(`default/${o.name}`);
      },
      onDelete: () => {},
      onUpdate: () => {},
    });
    await controller.run({ signal });
  };
}
const sim = simulation({
  process: operator(Deno.args.includes("--broken")),
  workload: [
    create(Widgets, "w", { spec: { size: 2 } }),
    settle(),
    patch(Widgets, "w", { spec: { size: 3 } }),
    settle(),
    patch(Widgets, "w", { spec: { size: 1 } }),
    settle(),
  ],
  resources: [Widgets],
  always: [({ server }) => server.count(ConfigMaps, "default") <= 4 || "surplus"],
});
const ref = await sim.reference();
console.log("ref", ref.wrong, ref.notes, ref.requests, ref.virtualMs, ref.history.moments.length, [
  ...ref.state.keys(),
]);
const s = performance.now();
const report = await sim.explore({ budget: { plans: Number(Deno.args[0] ?? 200), findings: 5 } });
console.log(report.toString().slice(0, 6000));
console.log(((performance.now() - s) / report.plans).toFixed(2), "ms per plan");
