/**
 * What kubectl does, as functions: copying files to and from a container.
 *
 * A client enters. Imports only `client`, `base` and `types`.
 *
 * @module
 */

export {
  type ContainerPath,
  copyFrom,
  type CopyOptions,
  type CopyProgress,
  type CopyResult,
  copyTo,
} from "./copy.ts";
