import type { Client } from "../../src/client/mod.ts";
import { ConfigMaps, Pods } from "../../src/types/mod.ts";

const inN = { namespace: "n" };
const pod = {
  metadata: { name: "p", namespace: "n" },
  spec: { containers: [{ name: "main", image: "nginx" }] },
};

/** One call for each client method that makes requests. */
export const CALLS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  "list()": (client) => client.list(Pods, inN),
  "list() of one page": (client) => client.list(Pods, { ...inN, limit: 10 }),
  "eachListItem()": (client) => client.eachListItem(Pods, () => {}, inN),
  "get()": (client) => client.get(Pods, "p", inN),
  "create()": (client) => client.create(Pods, pod),
  "update()": (client) => client.update(Pods, pod),
  "updateStatus()": (client) => client.updateStatus(Pods, pod),
  "patch()": (client) => client.patch(Pods, "p", { spec: {} }, inN),
  "patchStatus()": (client) => client.patchStatus(Pods, "p", { status: {} }, inN),
  "apply()": (client) => client.apply(Pods, pod, { fieldManager: "m" }),
  "delete()": (client) => client.delete(Pods, "p", inN),
  "deleteCollection()": (client) => client.deleteCollection(ConfigMaps, inN),
  "watch()": (client) => client.watch(Pods, inN),
  "logs()": (client) => client.logs("p", inN).next(),
  "getRaw()": (client) => client.getRaw("/version"),
  "listerWatcher().list()": (client) => client.listerWatcher(Pods, inN).list({}, {}),
  "listerWatcher().watch()": async (client) => {
    for await (const _event of await client.listerWatcher(Pods, inN).watch({}, {}));
  },
};
