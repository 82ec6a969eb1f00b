import {
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import type { ProcessEnv } from "@kubeloop/testing/simulation";

/** A custom resource that wants a number of ConfigMaps. */
export interface Widget extends KubeObject {
  spec?: { size?: number };
  status?: { made?: number };
}

/** The resource `widgets.example.com`. */
export const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

/** A small controller: it makes the ConfigMaps that a Widget wants, and deletes the others. */
export async function widgetController({ client, signal }: ProcessEnv): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const widgets = informers.informer(Widgets);
  const maps = informers.informer(ConfigMaps, { namespace: "default" });
  const controller = new Controller({
    informer: widgets,
    waitFor: [maps],
    async reconcile(key) {
      const widget = widgets.indexer.getByKey(key);
      if (widget === undefined) return;
      const { name, namespace, uid } = widget.metadata;
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
        await client.create(ConfigMaps, { metadata }, { namespace });
      }
      for (const { metadata } of mine) {
        if (Number(metadata.name.split("-")[1]) < size) continue;
        const preconditions = { uid: metadata.uid };
        await client.delete(ConfigMaps, metadata.name, { namespace, preconditions })
          .catch((error) => {
            if (!isNotFound(error)) throw error;
          });
      }
      if (widget.status?.made === size) return;
      await client.patchStatus(Widgets, name, { status: { made: size } }, { namespace });
    },
  });
  const enqueueAll = () => {
    for (const { metadata } of widgets.indexer.list()) {
      controller.enqueue(`default/${metadata.name}`);
    }
  };
  maps.addEventHandler({ onAdd: enqueueAll, onDelete: enqueueAll });
  await controller.run({ signal });
}
