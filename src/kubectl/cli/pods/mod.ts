/**
 * The Pods of what runs them.
 *
 * @module
 */

export { podSelectorOf } from "./pod_selector.ts";
