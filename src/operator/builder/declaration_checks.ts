import {
  checkedElsewhere,
  describeValue,
  hasMethods,
  isCount,
  isDelay,
  isFlag,
  isFunction,
  isOneOf,
  type OptionCheck,
  type OptionChecks,
  requireOptions,
} from "../../base/mod.ts";
import { type KubeObject, parseSelector, type Resource } from "../../types/mod.ts";
import type {
  CacheScope,
  ControllerBuilderOptions,
  FinalizerSteps,
  OwnsOptions,
  ReferencesOptions,
  RequiredRight,
  WatchesOptions,
} from "./plan.ts";
import type { EveryOptions } from "./periodic_keys.ts";

/** The shortest and the longest period of `every`, in milliseconds. */
const MIN_PERIOD_MS = 1_000;
const MAX_PERIOD_MS = 366 * 24 * 3_600_000;

/** The names of the options of a scope; {@linkcode requireScope} checks them. */
export const SCOPE_CHECKS: OptionChecks<CacheScope> = {
  namespaces: checkedElsewhere,
  labelSelector: checkedElsewhere,
  fieldSelector: checkedElsewhere,
  optional: isFlag,
};

/** The checks of the options of `ControllerBuilder.references`. */
export const REFERENCES_CHECKS: OptionChecks<ReferencesOptions> = { optional: isFlag };

const isFraction: OptionCheck = (name, value): void => {
  if (typeof value === "number" && value >= 0 && value <= 1) return;
  throw new RangeError(
    `${name} is a fraction of the period, from 0 to 1: received ${describeValue(value)}`,
  );
};

const isPeriod: OptionCheck = (name, value): void => {
  if (typeof value === "number" && value >= MIN_PERIOD_MS && value <= MAX_PERIOD_MS) return;
  throw new RangeError(
    `${name} is a period in milliseconds, from a second to a year: received ${
      describeValue(value)
    }`,
  );
};

const EVERY_CHECKS: OptionChecks<EveryOptions> = {
  ms: (_, value) => isPeriod("every.ms", value),
  jitter: (_, value) => isFraction("every.jitter", value),
  firstList: (_, value) => isOneOf("now", "due")("every.firstList", value),
};

const isEvery: OptionCheck = (name, value): void => {
  requireOptions(name, value, EVERY_CHECKS);
  isPeriod("every.ms", value.ms);
};

/** The checks of the options of `Manager.controller`. */
export const CONTROLLER_CHECKS: OptionChecks<ControllerBuilderOptions<KubeObject>> = {
  ...SCOPE_CHECKS,
  name: checkedElsewhere,
  workers: isCount(1),
  when: isFunction,
  fieldManager: checkedElsewhere,
  reconcileTimeoutMs: isDelay,
  staleSyncTimeoutMs: isDelay,
  maxRetries: checkedElsewhere,
  rateLimiter: hasMethods("a rate limiter", "when", "forget"),
  onGiveUp: isFunction,
  every: isEvery,
  supersede: isFlag,
  status: isFlag,
  events: isFlag,
  conditionMetrics: isFlag,
  everyReplica: isFlag,
};

/** The checks of the options of `ControllerBuilder.owns`. */
export const OWNS_CHECKS: OptionChecks<OwnsOptions<KubeObject>> = {
  ...SCOPE_CHECKS,
  when: isFunction,
};

/** The checks of the options of `ControllerBuilder.watches`. */
export const WATCHES_CHECKS: OptionChecks<WatchesOptions<KubeObject>> = {
  ...OWNS_CHECKS,
  map: isFunction,
};

/** The checks of the options of `ControllerBuilder.finalizer`. */
export const FINALIZER_CHECKS: OptionChecks<FinalizerSteps<KubeObject>> = {
  apply: isFunction,
  cleanup: isFunction,
};

/**
 * Checks the scope of a cache.
 *
 * @throws {TypeError} If a part is of another type.
 * @throws {SyntaxError} If the label selector is invalid.
 */
export function requireScope({ namespaces, labelSelector, fieldSelector }: CacheScope): void {
  requireNamespaces(namespaces);
  for (const [name, selector] of Object.entries({ labelSelector, fieldSelector })) {
    if (selector === undefined || typeof selector === "string") continue;
    throw new TypeError(`${name} must be a text such as "app=web", received ${show(selector)}`);
  }
  if (labelSelector !== undefined) parseSelector(labelSelector);
}

/**
 * Checks the namespaces of a cache.
 *
 * @throws {TypeError} If `namespaces` is not a list of names, or empty.
 */
export function requireNamespaces(namespaces: unknown): void {
  if (namespaces === undefined) return;
  const isName = (name: unknown) => typeof name === "string" && name !== "";
  if (Array.isArray(namespaces) && namespaces.length > 0 && namespaces.every(isName)) return;
  throw new TypeError(
    `namespaces must be a list of names, as in ["default"], received ${show(namespaces)}. ` +
      "Leave it out for all namespaces",
  );
}

/**
 * Checks the verbs of a right.
 *
 * @throws {TypeError} If `verbs` is not a list of verbs, or empty.
 */
export function requireVerbs(verbs: RequiredRight["verbs"]): void {
  const isVerb = (verb: unknown) => typeof verb === "string" && verb !== "";
  if (Array.isArray(verbs) && verbs.length > 0 && verbs.every(isVerb)) return;
  throw new TypeError(
    `needs() takes a list of verbs, as in ["get", "create"], received ${show(verbs)}`,
  );
}

/**
 * Checks the subresource of a right.
 *
 * @throws {TypeError} If `subresource` is not a name.
 */
export function requireSubresource(subresource: RequiredRight["subresource"]): void {
  if (subresource === undefined || (typeof subresource === "string" && subresource !== "")) return;
  throw new TypeError(
    `The subresource of needs() must be a name, as in "eviction": received ${show(subresource)}`,
  );
}

/**
 * Checks a resource.
 *
 * @throws {TypeError} If `resource` has no plural, kind or version.
 */
export function requireResource(what: string, resource: unknown): void {
  const { plural, kind, version } = (resource ?? {}) as Partial<Resource>;
  if (typeof plural === "string" && typeof kind === "string" && typeof version === "string") return;
  throw new TypeError(`${what} needs a resource, such as Pods or the result of defineResource()`);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
