/**
 * The life of an API in tests: whether a CustomResourceDefinition can replace another one, and whether conversions between
 * versions lose something.
 *
 * {@linkcode assertCompatible} compares two definitions by rules, and by trying valid objects of the old one with the new one.
 * {@linkcode roundTrip} converts objects to the other versions and back. {@linkcode crdDocs} describes a kind in Markdown.
 *
 * @module
 */

export {
  assertCompatible,
  compareDefinitions,
  type CompatibilityOptions,
} from "./assert_compatible.ts";
export type { BreakingChange } from "./breaking_changes.ts";
export type { Compatibility } from "./compatibility.ts";
export type { Counterexample } from "./counterexamples.ts";
export { crdDocs } from "./crd_docs.ts";
export type { GivenDefinition } from "./given_definition.ts";
export { roundTrip, type RoundTripOptions } from "./round_trip.ts";
