import type { ClusterView, Confirmation } from "../kinds/mod.ts";
import { objectKey, type Storage } from "../storage/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import type { JsonObject } from "../../values/mod.ts";

/** Returns what the admission of a request in `namespace` can see of the objects in a storage. */
export function clusterView(storage: Storage, namespace: string): ClusterView {
  return {
    namespace,
    get(resource, namespace, name) {
      const stored = storage.store(resource).get(objectKey(namespace, name));
      return stored?.parse() as unknown as JsonObject | undefined;
    },
    list: (resource, namespace) =>
      storage.store(resource).list(namespace).map((one) => one.parse() as unknown as JsonObject),
  };
}

/** Returns what admission knows of a request when it confirms an object. */
export function confirmationOf(exchange: ResourceExchange, cluster: ClusterView): Confirmation {
  const { info, server, user, warnings } = exchange;
  return {
    cluster,
    subresource: info.subresource,
    warn: (text) => warnings.push(text),
    isAllowed: (access) => server.authorizer.decide(user, access).allowed,
  };
}
