/**
 * Runs a program while it is written: starts it with the runtime of this process, restarts it when one of its files changes,
 * and prints its reconciles as they happen. The cluster is one in the memory of another process, or that of a context.
 *
 * @module
 */

export { type Account, AccountToken } from "./account_token.ts";
export { writeChildConfig } from "./child_config.ts";
export { MemoryCluster } from "./cluster.ts";
export { importedFiles, importedPackages } from "./imported_files.ts";
export { develop } from "./develop.ts";
export { LoadedManifests } from "./loaded_manifests.ts";
export { preloadModule } from "./preload.ts";
export { currentRuntime } from "./runtime.ts";
