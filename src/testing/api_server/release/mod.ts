/**
 * Minor versions of Kubernetes and their feature gates. Whatever differs between releases says so with a `Span`, and a
 * `Release` reports whether it has it.
 *
 * Imports the generated tables of `schema`.
 *
 * @module
 */

export { DEFAULT_MINOR, type KubernetesMinor } from "../schema/generated/mod.ts";
export { isMinor, MINOR_VERSIONS } from "./minors.ts";
export { DEFAULT_RELEASE, type MinorVersion, Release, releaseOf, type Span } from "./release.ts";
