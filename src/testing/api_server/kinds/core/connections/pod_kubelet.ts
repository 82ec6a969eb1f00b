import {
  badRequest,
  getArray,
  getString,
  internalError,
  type JsonObject,
  notFound,
} from "../../../../values/mod.ts";
import type { ClusterView } from "../../record/mod.ts";

/**
 * Finds the node whose kubelet has the logs and runs the commands of a Pod. Returns undefined if the Pod has no node.
 *
 * @throws {ApiError} 404, if the node does not exist; 500, if it has no address.
 */
export function requireKubelet(pod: JsonObject, cluster: ClusterView): string | undefined {
  const name = getString(pod, "spec", "nodeName");
  if (name === "") return undefined;
  const node = cluster.get("nodes", "", name);
  // A real server says so, with the name of the node.
  if (node === undefined) throw notFound({ group: "", plural: "pods" }, name);
  requireAddress(node);
  return name;
}

/**
 * Requires an address at which the kubelet of a node can be called.
 *
 * @throws {ApiError} 500
 */
export function requireAddress(node: JsonObject): void {
  if (getArray(node, "status", "addresses").length > 0) return;
  throw internalError("no preferred addresses found; known addresses: []");
}

/**
 * Returns the name of the container of a request.
 *
 * @throws {ApiError} 400, if the Pod does not have it, or if the request names none of several.
 */
export function requireContainer(pod: JsonObject, container: string): string {
  const names = ["initContainers", "containers", "ephemeralContainers"]
    .flatMap((list) => getArray(pod, "spec", list))
    .map((one) => getString(one, "name"));
  const name = getString(pod, "metadata", "name");
  if (container !== "") {
    if (names.includes(container)) return container;
    throw badRequest(`container ${container} is not valid for pod ${name}`);
  }
  const [only, ...others] = getArray(pod, "spec", "containers");
  if (only !== undefined && others.length === 0) return getString(only, "name");
  const choice = names.join(" ");
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${choice}]`,
  );
}
