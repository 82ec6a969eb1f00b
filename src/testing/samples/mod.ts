/**
 * Values that a schema of a custom resource allows: samples, extremes, and objects by chance.
 *
 * Imports `values`, and `structural` and `cel` of the library.
 *
 * @module
 */

export { type GeneratorOptions, ObjectGenerator } from "./generator.ts";
export { sampleOf } from "./sample_of.ts";
export { propertiesOf, requiredOf, type SchemaNode, wishesOf } from "./schema_node.ts";
export { SchemaChecks } from "./schema_checks.ts";
export { shrink, shrinking } from "./shrink.ts";
export { valuesOf } from "./values_of.ts";
