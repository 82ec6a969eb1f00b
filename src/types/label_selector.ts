import type { LabelSelector } from "./meta.ts";
import {
  checkRequirement,
  holds,
  requirementText,
  type SelectorRequirement,
} from "./selector_requirement.ts";
import { parseRequirements } from "./selector_text.ts";

/**
 * Which labels an object must have, ready to be asked: made by {@linkcode parseSelector} of text or by
 * {@linkcode labelSelectorAsSelector} of a {@linkcode LabelSelector}. It cannot change.
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
  /** Matches every object. */
  static readonly everything: Selector = new Selector([]);
  /** Matches no object. */
  static readonly nothing: Selector = new Selector(undefined);

  /** What must all hold; undefined when nothing matches. */
  readonly #requirements: readonly SelectorRequirement[] | undefined;

  /** The selector of `requirements`, which must all hold; of undefined, which never do. */
  constructor(requirements: readonly SelectorRequirement[] | undefined) {
    requirements?.forEach(checkRequirement);
    this.#requirements = requirements
      ?.map((requirement) => ({ ...requirement, values: [...requirement.values].sort() }))
      .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  }

  /** Whether it matches everything, so that labels need not be looked at. */
  get isEmpty(): boolean {
    return this.#requirements?.length === 0;
  }

  /** Whether it matches nothing, whatever the labels. */
  get matchesNothing(): boolean {
    return this.#requirements === undefined;
  }

  /** Whether an object with these labels is selected. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean {
    if (this.#requirements === undefined) return false;
    for (const requirement of this.#requirements) if (!holds(requirement, labels)) return false;
    return true;
  }

  /**
   * The text that the API takes as `labelSelector`, sorted by key and value. Empty for the one that selects everything.
   *
   * @throws {RangeError} For the one that matches nothing, which has no text.
   */
  toString(): string {
    if (this.#requirements === undefined) {
      throw new RangeError("A selector that matches nothing cannot be written as text");
    }
    return this.#requirements.map(requirementText).join();
  }
}

/**
 * Reads a selector in the API's text form: requirements `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`,
 * `a>1`, `a<1`, separated by commas. Empty text selects everything.
 *
 * @throws {SyntaxError} When it is not in that form, or holds a key or a value that no label can have.
 *
 * @example
 * ```ts
 * import { parseSelector } from "@kubeloop/controller/types";
 * import { assert } from "@std/assert";
 *
 * assert(parseSelector("app in (web, api),!canary").matches({ app: "api" }));
 * assert(parseSelector("").isEmpty);
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
 * Makes a {@linkcode LabelSelector} ready to be asked. As in the API, an empty one selects everything and a missing one
 * nothing.
 *
 * @throws {TypeError} When an operator is unknown, lacks its values or has some it may not have, or when a key or a value
 * is none that a label can have.
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
  return new Selector([
    ...Object.entries(matchLabels).map(([key, value]) => (
      { key, operator: "In" as const, values: [value] }
    )),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values })),
  ]);
}
