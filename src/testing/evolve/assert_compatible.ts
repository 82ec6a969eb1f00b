import {
  closestName,
  describeValue,
  ENVIRONMENT_CHECKS,
  isCount,
  isList,
  type OptionChecks,
  type Random,
  requireOptions,
  visibleText,
} from "@kubeloop/controller/internal/base";
import { SeededRandom } from "../seeded_random.ts";
import { type BreakingChange, breakingChanges } from "./breaking_changes.ts";
import { Compatibility } from "./compatibility.ts";
import { findCounterexamples } from "./counterexamples.ts";
import { type GivenDefinition, readDefinition } from "./given_definition.ts";

/** The number of objects of each version that are tried by default. */
const RUNS = 500;

/** Options of {@linkcode compareDefinitions} and {@linkcode assertCompatible}. */
export interface CompatibilityOptions {
  /**
   * The changes that are accepted: a rule, such as `description`, or a rule and a path, such as `maximum spec.size`. An
   * object that is refused because of such a change does not count. Default: none.
   */
  readonly allow?: readonly string[] | undefined;
  /** The number of valid objects of each old version that are tried with the new one. Default 500; 0 tries none. */
  readonly runs?: number | undefined;
  /** The random source of the objects. Default: a seeded one, so that the result is always the same. */
  readonly random?: Random | undefined;
}

const CHECKS: OptionChecks<CompatibilityOptions> = {
  allow: isList,
  runs: isCount(0),
  random: ENVIRONMENT_CHECKS.random,
};

/**
 * Compares two CustomResourceDefinitions of one name, by rules and by trying objects: {@linkcode assertCompatible} throws what
 * this function returns.
 *
 * @param before The old definition: a CustomResourceDefinition, or a resource of `defineResource`.
 * @param after The new definition, of the same name.
 * @param options The changes that are allowed, and the number of objects.
 * @returns The differences that can break something.
 * @throws {TypeError} If one of them is not a definition, or they have different names.
 * @throws {RangeError} If an option cannot be used.
 *
 * @example
 * ```ts
 * import { defineResource } from "@kubeloop/controller/types";
 * import { compareDefinitions } from "@kubeloop/testing/evolve";
 * import { assertEquals } from "@std/assert";
 *
 * const widgets = (maximum: number) =>
 *   defineResource({
 *     group: "acme.io",
 *     version: "v1",
 *     kind: "Widget",
 *     spec: { type: "object", properties: { size: { type: "integer", maximum } } },
 *   });
 *
 * const { changes, counterexamples, isCompatible } = compareDefinitions(widgets(9), widgets(5));
 * assertEquals(isCompatible, false);
 * assertEquals(changes, [
 *   { version: "v1", path: "spec.size", rule: "maximum", message: "9 → 5" },
 * ]);
 * assertEquals(counterexamples.map(({ object }) => object.spec), [{ size: 6 }]);
 * ```
 */
export function compareDefinitions(
  before: GivenDefinition,
  after: GivenDefinition,
  options: CompatibilityOptions = {},
): Compatibility {
  requireOptions("assertCompatible()", options, CHECKS);
  const { allow = [], random = new SeededRandom(1), runs = RUNS } = options;
  const [old, now] = [readDefinition(before, "before"), readDefinition(after, "after")];
  if (old.name !== now.name) {
    throw new TypeError(
      `Cannot compare ${old.name} with ${now.name}: give two definitions of the same name`,
    );
  }
  const isAllowed = allowance(allow);
  const all = breakingChanges(old, now);
  const found = findCounterexamples(old, now, { runs, random, changes: all, isAllowed });
  const { counterexamples, untried } = found;
  const changes = all.filter((change) => !isAllowed(change));
  return new Compatibility({
    name: now.name,
    changes,
    counterexamples,
    untried: runs === 0 ? [] : untried,
  });
}

/** The names of the rules. Keywords without a rule of their own are rules as well. */
const RULES: readonly string[] = [
  "additionalProperties",
  "allOf",
  "anyOf",
  "default",
  "description",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "existingFieldRemoval",
  "format",
  "kind",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "nullable",
  "oneOf",
  "pattern",
  "required",
  "scope",
  "servedVersionRemoval",
  "storedVersionRemoval",
  "subresources",
  "type",
  "uniqueItems",
  "xvalidations",
];

function allowance(allow: readonly string[]): (change: BreakingChange) => boolean {
  for (const entry of allow as readonly unknown[]) {
    const [rule = ""] = typeof entry === "string" ? entry.split(" ", 1) : [];
    if (RULES.includes(rule) || rule.startsWith("x-kubernetes-")) continue;
    const meant = closestName(rule, RULES);
    const what = typeof entry === "string" ? `"${visibleText(rule, 60)}"` : describeValue(entry);
    throw new RangeError(
      `allow has no rule ${what}: ${
        meant === undefined ? `expected ${RULES.join(", ")}` : `did you mean "${meant}"?`
      }`,
    );
  }
  const known = new Set(allow);
  return ({ path, rule }) => known.has(rule) || known.has(`${rule} ${path}`);
}

/**
 * Asserts that a CustomResourceDefinition can replace another one without breaking its clients or stored objects.
 *
 * It has the rules of crdify, with their names: a field that is removed or required now, a smaller `maximum`, another `type`,
 * `default`, `pattern`, `description` and so on. Besides, valid objects of each old version are made, and tried with the new
 * schema and its CEL rules. The error has the smallest object that is refused. Rules about `oldSelf` are compared as texts
 * only.
 *
 * Versions that are served together are compared with each other, too, unless a webhook converts their objects:
 * {@linkcode roundTrip} tests that.
 *
 * @param before The old definition: a CustomResourceDefinition, or a resource of `defineResource`.
 * @param after The new definition, of the same name.
 * @param options The changes that are allowed, and the number of objects.
 * @throws {Error} If something breaks. The message lists all changes, and objects that were valid and are refused.
 * @throws {TypeError} If one of them is not a definition, or they have different names.
 * @throws {RangeError} If an option cannot be used.
 *
 * @example
 * ```ts
 * import { defineResource } from "@kubeloop/controller/types";
 * import { assertCompatible } from "@kubeloop/testing/evolve";
 * import { assertThrows } from "@std/assert";
 *
 * const kind = { group: "acme.io", version: "v1", kind: "Widget" } as const;
 * const size = { type: "integer", minimum: 0 } as const;
 * const color = { type: "string" } as const;
 * const before = defineResource({
 *   ...kind,
 *   spec: { type: "object", properties: { color, size } },
 * });
 * const after = defineResource({
 *   ...kind,
 *   spec: { type: "object", properties: { color, size } },
 *   rules: [{ rule: "!has(self.size) || self.size < 100", message: "size must be below 100" }],
 * });
 *
 * assertCompatible(before, before);
 * assertThrows(
 *   () => assertCompatible(before, after),
 *   Error,
 *   '"spec":{"size":100}',
 * );
 * ```
 */
export function assertCompatible(
  before: GivenDefinition,
  after: GivenDefinition,
  options: CompatibilityOptions = {},
): void {
  const compatibility = compareDefinitions(before, after, options);
  if (!compatibility.isCompatible) throw new Error(String(compatibility));
}
