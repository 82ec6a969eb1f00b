/**
 * Minimal, hand-written interfaces of the Kubernetes API, and the descriptors that say where each kind lives.
 *
 * Any object with `metadata` works; a custom resource is one interface and one {@linkcode defineResource}.
 *
 * @module
 */

export * from "./core.ts";
export * from "./crd.ts";
export * from "./explain_error.ts";
export * from "./label_selector.ts";
export * from "./lease.ts";
export * from "./list_options.ts";
export * from "./meta.ts";
export * from "./metadata_of.ts";
export * from "./object_reader.ts";
export * from "./resource.ts";
export * from "./resource_version.ts";
export type { SelectorRequirement } from "./selector_requirement.ts";
export * from "./status.ts";
export * from "./status_error.ts";
export * from "./time.ts";
export * from "./watch_event.ts";
export * from "./workloads.ts";
