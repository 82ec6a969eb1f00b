import {
  describeValue,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isDelay,
  isFlag,
  isName,
  isObject,
  isRecord,
  type OptionCheck,
  type OptionChecks,
  requireFunctions,
  requireOptions,
} from "../../base/mod.ts";
import { requireNamespaces, requireResource } from "../builder/mod.ts";
import type { ManagerOptions } from "./manager_options.ts";

/** The highest port. */
const MAX_PORT = 65_535;

const isDefinitions: OptionCheck = (name, value): void => {
  if (!Array.isArray(value)) {
    throw new TypeError(`${name} must be a list of resources, as in [Widgets]`);
  }
  for (const definition of value) requireResource(name, definition);
};

const areOptions: OptionCheck = (name, value): void => {
  if (isRecord(value)) return;
  throw new TypeError(`${name} takes an object with options: received ${describeValue(value)}`);
};

const areChecks: OptionCheck = (name, value): void => {
  isObject(name, value);
  requireFunctions(value as Readonly<Record<string, unknown>>);
};

const isPort: OptionCheck = (name, value): void => {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_PORT) return;
  throw new RangeError(
    `${name} must be a whole number from 0 to ${MAX_PORT}: received ${describeValue(value)}`,
  );
};

const isHostname: OptionCheck = (name, value): void => {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(
    `${name} must be a host name or an IP address: received ${describeValue(value)}`,
  );
};

const HTTP_CHECKS: OptionChecks<NonNullable<ManagerOptions["http"]>> = {
  port: (_, value) => isPort("http.port", value),
  hostname: (_, value) => isHostname("http.hostname", value),
};

const isHttp: OptionCheck = (name, value): void => {
  requireOptions(name, value, HTTP_CHECKS);
  isPort("http.port", value.port);
};

const CHECKS: OptionChecks<ManagerOptions> = {
  ...ENVIRONMENT_CHECKS,
  name: isName,
  namespaces: (_, value) => requireNamespaces(value),
  // Their parts check the rest. Null or false must not turn a replica that waits for its lease into one that reconciles.
  leaderElection: areOptions,
  sharding: areOptions,
  webhooks: areOptions,
  definitions: isDefinitions,
  http: isHttp,
  healthChecks: areChecks,
  unhealthyWhenHung: isFlag,
  readyChecks: areChecks,
  gracefulStopTimeoutMs: isDelay,
  cacheSyncTimeoutMs: isDelay,
  tracer: hasMethods("a tracer", "startActiveSpan"),
  recordObjects: isFlag,
  dryRun: isFlag,
};

/**
 * Checks the options of a manager, as far as their parts do not do it.
 *
 * @throws {TypeError} When an option is unknown or of another type, or two exclude each other.
 * @throws {RangeError} When a number is out of range.
 */
export function requireManagerOptions(options: ManagerOptions): void {
  requireOptions("Manager", options, CHECKS);
  if (options.leaderElection !== undefined && options.sharding !== undefined) {
    throw new TypeError(
      "A manager cannot have both leaderElection and sharding: with sharding, every replica reconciles its share",
    );
  }
}
