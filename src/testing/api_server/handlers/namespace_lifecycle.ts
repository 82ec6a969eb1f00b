import type { Namespace } from "@kubeloop/controller/types";
import type { ServerContext } from "./exchange.ts";
import { forbidden, notFound } from "../../values/mod.ts";
import type { ResourceInfo } from "../kinds/mod.ts";

/**
 * Refuses a create in a namespace that does not exist or is being terminated.
 *
 * @throws {ApiError} 404 or 403.
 */
export function requireNamespace(
  server: ServerContext,
  namespace: string,
  resource: ResourceInfo,
  name: string,
): void {
  const stored = server.storage.store("namespaces").get(namespace);
  if (stored === undefined) {
    throw notFound({ group: "", plural: "namespaces" }, namespace);
  }
  const { metadata, status } = stored.parse() as Namespace;
  if (metadata.deletionTimestamp === undefined && status?.phase !== "Terminating") return;
  throw forbidden(
    resource.definition,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [{
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    }],
  );
}
