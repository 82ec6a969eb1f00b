// Compiles: the first example of the page about operators, with each property of its objects.

import {
  type Client,
  ConfigMaps,
  defineResource,
  Deployments,
  Manager,
  Secrets,
} from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { z } from "zod";
import { same } from "./_same.ts";

const Widgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: z.object({ size: z.int().min(1).default(1), image: z.string(), secret: z.string() }),
  status: z.object({ ready: z.int() }),
  rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
});

export function widgets(client: Client): Manager {
  const manager = new Manager(client, { name: "widgets", definitions: [Widgets] });
  manager.controller(Widgets, { workers: 4 })
    .owns(Deployments)
    .references(Secrets, ({ spec }) => [spec.secret])
    .reconcile(
      async (
        {
          object: { spec, status: old, metadata, kind, apiVersion },
          name,
          namespace,
          apply,
          cache,
          status,
        },
      ) => {
        same<[typeof spec.size, typeof spec.image, typeof spec.secret], [number, string, string]>(
          true,
        );
        same<[typeof kind, typeof apiVersion], [string | undefined, string | undefined]>(true);
        same<typeof metadata.resourceVersion, string>(true);
        const secret = cache(Secrets).get(spec.secret, namespace);
        if (secret === undefined) {
          status({ ready: 0 }).condition("Available", "False", "NoSecret", `No ${spec.secret}`);
          return;
        }
        same<typeof secret.data, Readonly<Record<string, string>> | undefined>(true);
        const deployment = await apply(Deployments, {
          metadata: { name },
          spec: { replicas: spec.size, selector: { matchLabels: { widget: name } } },
        });
        status({ ready: deployment.status?.readyReplicas ?? old?.ready ?? 0 });
        return { prune: true };
      },
    );
  manager.controller(ConfigMaps, { when: changed("data", "metadata.labels") }).reconcile(
    ({ object }) => {
      same<typeof object.data, Readonly<Record<string, string>> | undefined>(true);
    },
  );
  return manager;
}
