/**
 * Leases.
 *
 * @module
 */

export { LEASE } from "./lease.ts";
