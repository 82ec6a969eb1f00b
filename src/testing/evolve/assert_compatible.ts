import {
  checkedElsewhere,
  closestName,
  describeValue,
  type OptionChecks,
  type Random,
  requireCount,
  requireOptions,
  stringifyJson,
  visibleJson,
  visibleText,
} from "@kubeloop/controller/internal/base";
import { SeededRandom } from "../seeded_random.ts";
import { type BreakingChange, breakingChanges } from "./breaking_changes.ts";
import { type Counterexample, findCounterexamples } from "./counterexamples.ts";
import { type GivenDefinition, readDefinition } from "./given_definition.ts";

/** The number of objects of each version that are tried by default. */
const RUNS = 500;
/** The most changes that an error lists, and the longest object and refusal in it, in characters. */
const MAX_LISTED = 50;
const MAX_OBJECT = 5000;
const MAX_REFUSAL = 500;

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
  allow: checkedElsewhere,
  runs: (name, value) => requireCount(name, value as number, 0),
  random: checkedElsewhere,
};

/** The differences of two definitions that can break something. */
export interface Compatibility {
  /** The name of the definition, such as `widgets.acme.io`. */
  readonly name: string;
  /** The changes that a rule names and that are not allowed. */
  readonly changes: readonly BreakingChange[];
  /** Objects that were valid before, and that are refused now: at most three for each version. */
  readonly counterexamples: readonly Counterexample[];
  /** Versions that were checked only by rules, because no valid object was found. */
  readonly untried: readonly string[];
}

/**
 * Compares two CustomResourceDefinitions of one kind, by rules and by trying objects.
 *
 * @param before The old definition: a CustomResourceDefinition, or a resource of `defineResource`.
 * @param after The new definition.
 * @throws {TypeError} If one of them is not a definition, or they have different names.
 * @throws {RangeError} If an option cannot be used.
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
  return { name: now.name, changes, counterexamples, untried: runs === 0 ? [] : untried };
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
  if (!Array.isArray(allow)) {
    throw new TypeError(`allow must be a list of rules: received ${describeValue(allow)}`);
  }
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
  if (isCompatible(compatibility)) return;
  throw new Error(compatibilityText(compatibility));
}

/** Reports whether nothing breaks. */
export function isCompatible({ changes, counterexamples }: Compatibility): boolean {
  return changes.length === 0 && counterexamples.length === 0;
}

/** Returns the differences as lines of text. */
export function compatibilityText(compatibility: Compatibility): string {
  const { changes, counterexamples, name, untried } = compatibility;
  if (isCompatible(compatibility)) {
    return [`${name} is compatible`, ...untriedLines(untried)].join("\n");
  }
  const lines = changes.slice(0, MAX_LISTED).map(({ message, path, rule, version }) =>
    `- ${[version, visibleText(path, 300)].filter((part) => part !== "").join(" ")}${
      version + path === "" ? "" : ": "
    }${rule}: ${message}`
  );
  const more = changes.length - MAX_LISTED;
  return [
    `${name} can break its clients or stored objects`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more changes`] : []),
    ...counterexamples.flatMap(({ error, object, version }) => [
      `An object of ${version} that was valid is refused: ${
        visibleText(`${error.field}: ${error.message}`, MAX_REFUSAL)
      }`,
      `  ${visibleText(visibleJson(stringifyJson(object)), MAX_OBJECT)}`,
    ]),
    ...untriedLines(untried),
  ].join("\n");
}

function untriedLines(untried: readonly string[]): readonly string[] {
  return untried.map((version) =>
    `No valid object of ${version} was found, so only the rules were checked`
  );
}
