/**
 * RuntimeClasses.
 *
 * @module
 */

export { RUNTIME_CLASS } from "./runtime_class.ts";
