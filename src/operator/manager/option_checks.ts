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
import { requirePort } from "../../serving/mod.ts";
import { requireNamespaces, requireResource } from "../builder/mod.ts";
import type { ManagerOptions } from "./manager_options.ts";

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

const isHostname: OptionCheck = (name, value): void => {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(
    `${name} must be a host name or an IP address: received ${describeValue(value)}`,
  );
};

const HTTP_CHECKS: OptionChecks<NonNullable<ManagerOptions["http"]>> = {
  port: (_, value) => requirePort("http.port", value),
  hostname: (_, value) => isHostname("http.hostname", value),
};

const isHttp: OptionCheck = (name, value): void => {
  requireOptions(name, value, HTTP_CHECKS);
  requirePort("http.port", value.port);
};

const CHECKS: OptionChecks<ManagerOptions> = {
  ...ENVIRONMENT_CHECKS,
  name: isName,
  namespaces: (_, value) => requireNamespaces(value),
  // The parts check the rest. Null or false must not disable leader election silently.
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
 * Checks the options of a manager that its parts do not check.
 *
 * @throws {TypeError} If an option is unknown or of another type, or two options exclude each other.
 * @throws {RangeError} If a number is out of range.
 */
export function requireManagerOptions(options: ManagerOptions): void {
  requireOptions("Manager", options, CHECKS);
  if (options.leaderElection !== undefined && options.sharding !== undefined) {
    throw new TypeError(
      "A manager cannot have both leaderElection and sharding: with sharding, every replica reconciles its share",
    );
  }
}
