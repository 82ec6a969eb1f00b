/**
 * The manager of a program: what runs, in which order it starts and stops, and what it tells about itself.
 *
 * A client and declarations enter; a running program with health, metrics and stories leaves.
 *
 * @module
 */

export type { Check, Checks } from "./checks.ts";
export { Manager, type ManagerRbacOptions } from "./manager.ts";
export type { ManagerOptions } from "./manager_options.ts";
export type { Part } from "./part.ts";
