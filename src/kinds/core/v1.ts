// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `core/v1`, and the descriptors of its resources.
 *
 * @module
 */

export * from "./types.ts";
export {
  ConfigMaps,
  Events,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
  ServiceAccounts,
  Services,
} from "../often.ts";
