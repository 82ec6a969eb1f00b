import type { LabelSelector } from "./minimal/mod.ts";
import {
  checkRequirement,
  holds,
  requirementText,
  type SelectorRequirement,
} from "./selector_requirement.ts";
import { parseRequirements } from "./selector_text.ts";

/**
 * A compiled label selector, which decides whether an object is selected by its labels. Selectors are immutable. Get
 * one from {@linkcode parseSelector}, or with {@linkcode labelSelectorAsSelector} from a {@linkcode LabelSelector}.
 *
 * @example
 * ```ts
 * import { parseSelector } from "@kubeloop/controller/types";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const selector = parseSelector("app=web,tier notin (db)");
 * assert(selector.matches({ app: "web" }));
 * assert(!selector.matches({ app: "web", tier: "db" }));
 * assertEquals(selector.toString(), "app=web,tier!=db");
 * ```
 */
export class Selector {
  /** The selector that matches every object. */
  static readonly everything: Selector = new Selector([]);
  /** The selector that matches no object. */
  static readonly nothing: Selector = new Selector(undefined);

  /** The requirements. An object must meet all of them. Undefined if the selector matches nothing. */
  readonly #requirements: readonly SelectorRequirement[] | undefined;

  /**
   * Creates a selector.
   *
   * @param requirements The requirements. An object must meet all of them. If undefined, the selector matches nothing.
   */
  constructor(requirements: readonly SelectorRequirement[] | undefined) {
    requirements?.forEach(checkRequirement);
    this.#requirements = requirements
      ?.map((requirement) => ({ ...requirement, values: [...requirement.values].sort() }))
      .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  }

  /**
   * Reports whether the selector matches everything, so that the labels need not be checked.
   *
   * @returns True if it has no requirements.
   */
  isEmpty(): boolean {
    return this.#requirements?.length === 0;
  }

  /** Whether the selector matches nothing, whatever the labels. */
  get matchesNothing(): boolean {
    return this.#requirements === undefined;
  }

  /** Reports whether an object with these labels is selected. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean {
    if (this.#requirements === undefined) return false;
    for (const requirement of this.#requirements) if (!holds(requirement, labels)) return false;
    return true;
  }

  /**
   * Returns the selector in the text form of the API's `labelSelector`, sorted by key and value. The text of a selector
   * that matches everything is empty.
   *
   * @throws {RangeError} When the selector matches nothing: there is no text form for it.
   */
  toString(): string {
    if (this.#requirements === undefined) {
      throw new RangeError("A selector that matches nothing cannot be written as text");
    }
    return this.#requirements.map(requirementText).join();
  }
}

/**
 * Parses a selector in the API's text form: requirements `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`,
 * `!a`, `a>1`, `a<1`, separated by commas. Empty text selects everything.
 *
 * @throws {SyntaxError} When the text is not in that form, or contains a key or a value that no label can have.
 *
 * @example
 * ```ts
 * import { parseSelector } from "@kubeloop/controller/types";
 * import { assert } from "@std/assert";
 *
 * assert(parseSelector("app in (web, api),!canary").matches({ app: "api" }));
 * assert(parseSelector("").isEmpty());
 * ```
 */
export function parseSelector(text: string): Selector {
  try {
    return new Selector(parseRequirements(text));
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read label selector ${JSON.stringify(text)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/**
 * Compiles a {@linkcode LabelSelector}. As in the API, an empty selector matches everything, and a missing one matches
 * nothing.
 *
 * @throws {TypeError} When an operator is unknown or is `Gt` or `Lt`, has no values but needs some, or has values but takes
 * none; or when no label can have one of the keys or values.
 *
 * @example
 * ```ts
 * import { labelSelectorAsSelector } from "@kubeloop/controller/types";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const selector = labelSelectorAsSelector({
 *   matchLabels: { app: "web" },
 *   matchExpressions: [{ key: "tier", operator: "Exists" }],
 * });
 * assert(selector.matches({ app: "web", tier: "front" }));
 * assertEquals(selector.toString(), "app=web,tier");
 * ```
 */
export function labelSelectorAsSelector(selector: LabelSelector | null | undefined): Selector {
  if (selector === null || selector === undefined) return Selector.nothing;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  for (const { key, operator } of matchExpressions) {
    // Only selectors in text form and node selectors have these operators.
    if (operator as string === "Gt" || operator as string === "Lt") {
      throw new TypeError(
        `Operator ${operator} of label "${key}" is not one of a LabelSelector, ` +
          "must be In, NotIn, Exists or DoesNotExist",
      );
    }
  }
  return new Selector([
    ...Object.entries(matchLabels).map(([key, value]) => (
      { key, operator: "In" as const, values: [value] }
    )),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values })),
  ]);
}
