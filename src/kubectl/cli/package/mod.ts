/**
 * The files that install an operator: manifests, a kustomization, a Helm chart or a Dockerfile, from its declared `Manager`.
 *
 * Everything here is a function of the declaration, so that the files can be kept in a repository and compared.
 *
 * @module
 */

export { chartFiles, RELEASE_NAMESPACE } from "./chart.ts";
export { type Declaration, declare, type DeclareOptions, type ManagerLike } from "./declaration.ts";
export { dockerfile } from "./dockerfile.ts";
export type { ContainerRuntime, Files, Variable } from "./files.ts";
export { kustomizeFiles, manifestFiles } from "./manifest_files.ts";
