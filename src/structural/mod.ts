/**
 * Structural schemas, which CustomResourceDefinitions have: pruning, defaults, validation, formats, patterns.
 *
 * Imports `values`.
 *
 * @module
 */

export { applyStructuralDefaults, TooLargeError } from "./default.ts";
export { hasFormat, isKnownFormat } from "./formats.ts";
export { PatternError, patternOf } from "./pattern.ts";
export { prune, type Pruned, type PrunedMetadata } from "./prune.ts";
export { compileStructural, hasRules, propertyOf, type Structural } from "./structural.ts";
export { blocksRules, type NumberRules, previousItems, validateStructural } from "./validate.ts";
