/**
 * TypeScript of CustomResourceDefinitions: the interfaces of their objects, and the descriptors of their resources.
 *
 * Parsed definitions enter, the text of a module leaves. The room reads no files and knows no command line.
 *
 * @module
 */

export { type GivenDefinition, typesOf, type TypesOfResult } from "./types_of.ts";
