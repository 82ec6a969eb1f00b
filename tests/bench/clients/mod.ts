/**
 * The clients in JavaScript, by name. Each is loaded on request, so that the cost of one does not affect another. A client
 * whose name ends in `-protobuf` is the same client on a server that answers protobuf.
 *
 * @module
 */

import type { Encoding } from "../stub/representation.ts";
import type { InformerClient } from "./informer_client.ts";

const LOADERS: Readonly<Record<string, () => Promise<InformerClient<never>>>> = {
  "floor": async () => (await import("./floor.ts")).floor,
  "body": async () => (await import("./body.ts")).body,
  "kubeloop": async () => (await import("./kubeloop_keys.ts")).keys(),
  "kubeloop-objects": async () => (await import("./kubeloop.ts")).plain(),
  "kubeloop-transform": async () => (await import("./kubeloop.ts")).stripped(),
  "kubeloop-metadata": async () => (await import("./kubeloop.ts")).metadataOnly(),
  "kubeloop-controller": async () => (await import("./kubeloop_reconcilers.ts")).bareController(),
  "kubeloop-manager": async () => (await import("./kubeloop_reconcilers.ts")).managed(),
  "kubeloop-manager-filtered": async () => (await import("./kubeloop_reconcilers.ts")).filtered(),
  "kubeloop-manager-function": async () =>
    (await import("./kubeloop_reconcilers.ts")).withFunction(),
  "kubeloop-manager-owning": async () => (await import("./kubeloop_reconcilers.ts")).owning(),
  "client-node": async () => await (await import("./client_node.ts")).loadClientNode(),
};

const PROTOBUF = /-protobuf$/;

/** Returns the encoding that the server answers a client in. */
export function encodingOf(client: string): Encoding {
  return PROTOBUF.test(client) ? "protobuf" : "json";
}

/** The names of all JavaScript clients; the floor comes first. */
export const SCRIPT_CLIENTS: readonly string[] = Object.keys(LOADERS);

/** Loads a client by name. */
export async function loadClient(name: string): Promise<InformerClient> {
  const loader = LOADERS[name.replace(PROTOBUF, "")];
  if (loader === undefined) {
    throw new RangeError(`Unknown client "${name}": known are ${SCRIPT_CLIENTS.join(", ")}`);
  }
  // Items only go from the client's handlers to its own functions, so their type does not matter.
  return await loader() as InformerClient;
}
