import {
  isRecord,
  requireDelay,
  requireEach,
  requireFunctions,
  requireMethods,
} from "../../base/mod.ts";
import { requireFlag, requireNamespaces, requireOptions, requireResource } from "../builder/mod.ts";
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
  const { name, dryRun, recordObjects, definitions, metrics, tracer } = options;
  const { leaderElection, sharding, webhooks, gracefulStopTimeoutMs, cacheSyncTimeoutMs } = options;
  requireEach(requireDelay, { gracefulStopTimeoutMs, cacheSyncTimeoutMs });
  requireNamespaces(options.namespaces);
  if (name !== undefined && (typeof name !== "string" || name === "")) {
    throw new TypeError(`name must be a text that is not empty: received ${JSON.stringify(name)}`);
  }
  // Any other value must not turn a dry run into writes.
  requireFlag("dryRun", dryRun);
  requireFlag("recordObjects", recordObjects);
  if (definitions !== undefined && !Array.isArray(definitions)) {
    throw new TypeError("definitions must be a list of resources, as in [Widgets]");
  }
  for (const definition of definitions ?? []) requireResource("definitions", definition);
  // Nor must null or false turn a replica that waits for its lease into one that reconciles.
  for (const [option, value] of Object.entries({ leaderElection, sharding, webhooks })) {
    if (value !== undefined) requireOptions(option, value);
  }
  if (metrics !== undefined) {
    requireMethods("a provider of metrics", metrics, "counter", "gauge", "histogram");
  }
  if (tracer !== undefined) requireMethods("a tracer", tracer, "startActiveSpan");
  for (const checks of [options.healthChecks, options.readyChecks]) {
    if (checks === undefined) continue;
    requireOptions("healthChecks and readyChecks each", checks);
    requireFunctions(checks);
  }
  requireHttp(options.http);
  if (leaderElection !== undefined && sharding !== undefined) {
    throw new TypeError(
      "A manager cannot have both leaderElection and sharding: with sharding, every replica reconciles its share",
    );
  }
}

function requireHttp(http: ManagerOptions["http"]): void {
  if (http === undefined) return;
  const port: unknown = isRecord(http) ? http.port : undefined;
  if (!Number.isInteger(port) || Number(port) < 0 || Number(port) > MAX_PORT) {
    throw new RangeError(
      `http.port must be a whole number from 0 to ${MAX_PORT}: received ${String(port)}`,
    );
  }
  const { hostname } = http;
  if (hostname === undefined || (typeof hostname === "string" && hostname !== "")) return;
  throw new TypeError(
    `http.hostname must be a host name or an IP address: received ${JSON.stringify(hostname)}`,
  );
}
