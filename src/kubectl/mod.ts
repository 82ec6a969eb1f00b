/**
 * What kubectl does, as functions: copying files to and from a container.
 *
 * A client enters. Imports only `client`, `base` and `types`.
 *
 * @module
 */

export { copyFrom, copyTo } from "./copy.ts";
export type { ContainerPath, CopyOptions, CopyProgress, CopyResult } from "./copy_options.ts";
