/**
 * PriorityClasses.
 *
 * @module
 */

export { PRIORITY_CLASS } from "./priority_class.ts";
