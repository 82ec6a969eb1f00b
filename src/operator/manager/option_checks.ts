import { isRecord, requireDelay, requireEach, requireFunctions } from "../../base/mod.ts";
import { requireNamespaces, requireOptions } from "../builder/mod.ts";
import type { ManagerOptions } from "./manager_options.ts";

/** The highest port. */
const MAX_PORT = 65_535;

/**
 * Checks the options of a manager, as far as their parts do not do it.
 *
 * @throws {TypeError} When an option is of another type, or two exclude each other.
 * @throws {RangeError} When a number is out of range.
 */
export function requireManagerOptions(options: ManagerOptions): void {
  requireOptions("Manager", options);
  const { name, dryRun, definitions, gracefulStopTimeoutMs, cacheSyncTimeoutMs } = options;
  requireEach(requireDelay, { gracefulStopTimeoutMs, cacheSyncTimeoutMs });
  requireNamespaces(options.namespaces);
  if (name !== undefined && (typeof name !== "string" || name === "")) {
    throw new TypeError(`name must be a text that is not empty: received ${JSON.stringify(name)}`);
  }
  // Any other value must not turn a dry run into writes.
  if (dryRun !== undefined && typeof dryRun !== "boolean") {
    throw new TypeError(`dryRun must be true or false: received ${JSON.stringify(dryRun)}`);
  }
  if (definitions !== undefined && !Array.isArray(definitions)) {
    throw new TypeError("definitions must be a list of resources, as in [Widgets]");
  }
  for (const checks of [options.healthChecks, options.readyChecks]) {
    if (checks === undefined) continue;
    requireOptions("healthChecks and readyChecks each", checks);
    requireFunctions(checks);
  }
  requireHttp(options.http);
  if (options.leaderElection !== undefined && options.sharding !== undefined) {
    throw new TypeError(
      "A manager cannot have both leaderElection and sharding: with sharding, every replica reconciles its share",
    );
  }
}

function requireHttp(http: ManagerOptions["http"]): void {
  if (http === undefined) return;
  const port: unknown = isRecord(http) ? http.port : undefined;
  if (Number.isInteger(port) && Number(port) >= 0 && Number(port) <= MAX_PORT) return;
  throw new RangeError(
    `http.port must be a whole number from 0 to ${MAX_PORT}: received ${String(port)}`,
  );
}
