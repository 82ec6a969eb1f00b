import type { Random } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { ObjectGenerator, SchemaChecks, shrink } from "../samples/mod.ts";
import { type FieldError, jsonEqual, jsonKey, type JsonObject } from "../values/mod.ts";
import type { BreakingChange } from "./breaking_changes.ts";
import type { DefinitionParts } from "./given_definition.ts";

/** The most counterexamples of one version. */
const MAX_FOUND = 3;

/** An object that was valid, and that the new schema or its rules refuse. */
export interface Counterexample {
  /** The version of the object. */
  readonly version: string;
  /** The smallest such object that was found. */
  readonly object: KubeObject & { readonly [field: string]: unknown };
  /** Why the new definition refuses the object, as a server says it. */
  readonly error: { readonly field: string; readonly reason: string; readonly message: string };
}

/** The objects of a version that were tried. */
export interface Trial {
  readonly counterexamples: readonly Counterexample[];
  /** The versions for which no valid object was found. */
  readonly untried: readonly string[];
}

/**
 * Makes objects that the old definition allows, and returns some that the new one refuses.
 *
 * @param runs The number of objects for each version.
 * @param changes The changes that the rules name.
 * @param isAllowed Reports whether a change is allowed, so that its refusals do not count.
 */
export function findCounterexamples(
  before: DefinitionParts,
  after: DefinitionParts,
  { changes, isAllowed, random, runs }: {
    readonly runs: number;
    readonly random: Random;
    readonly changes: readonly BreakingChange[];
    readonly isAllowed: (change: BreakingChange) => boolean;
  },
): Trial {
  const counterexamples: Counterexample[] = [];
  const untried: string[] = [];
  const tried = new Set<string>();
  for (const { name: version, schema } of before.versions) {
    const other = after.versions.find(({ name }) => name === version);
    if (other === undefined || jsonEqual(schema, other.schema)) continue;
    // Versions often have the same schema, so that the same objects would be found again.
    const schemas = jsonKey([schema, other.schema]);
    if (tried.has(schemas)) continue;
    tried.add(schemas);
    const generator = new ObjectGenerator(schema, {
      type: { apiVersion: `${before.group}/${version}`, kind: before.kind },
      namespaced: before.scope !== "Cluster",
      random: random.fork?.(version) ?? random,
      other: other.schema,
    });
    const own = changes.filter((change) => change.version === version);
    const refusals = new Refusals(generator.checks, new SchemaChecks(other.schema), {
      allowed: own.filter(isAllowed),
      others: own.filter((change) => !isAllowed(change)),
    });
    const found = new Map<string, Counterexample>();
    for (let run = 0; run < runs && found.size < MAX_FOUND; run++) {
      const object = generator.next();
      if (object === undefined) {
        if (run === 0) untried.push(version);
        break;
      }
      for (const { field, reason } of refusals.of(object)) {
        const place = placeOf(field);
        const isSame = (error: FieldError) =>
          placeOf(error.field) === place && error.reason === reason;
        if (found.has(place) || found.size >= MAX_FOUND) continue;
        const smallest = shrink(
          object,
          (smaller) => refusals.isValidBefore(smaller) && refusals.of(smaller).some(isSame),
        );
        const error = refusals.of(smallest).find(isSame)!;
        found.set(place, { version, object: smallest as JsonObject & KubeObject, error });
      }
    }
    counterexamples.push(...found.values());
  }
  return { counterexamples, untried };
}

/** Rules whose refusals may be at a field below. */
const DEEP: ReadonlySet<string> = new Set(["allOf", "anyOf", "not", "oneOf", "xvalidations"]);

/** The refusals of a new schema, for objects of an old one. */
class Refusals {
  readonly #before: SchemaChecks;
  readonly #after: SchemaChecks;
  readonly #changes: {
    readonly allowed: readonly BreakingChange[];
    readonly others: readonly BreakingChange[];
  };

  constructor(
    before: SchemaChecks,
    after: SchemaChecks,
    changes: {
      readonly allowed: readonly BreakingChange[];
      readonly others: readonly BreakingChange[];
    },
  ) {
    this.#before = before;
    this.#after = after;
    this.#changes = changes;
  }

  isValidBefore(object: JsonObject): boolean {
    return this.#before.errorsOf(object).length === 0;
  }

  /** Returns the errors of an object as its users write it, and as it is stored with the old defaults. */
  of(object: JsonObject): readonly FieldError[] {
    const errors = this.#after.errorsOf(object);
    const counted = errors.length > 0 ? errors : this.#after.errorsOf(this.#before.stored(object));
    return counted.filter(({ field }) => !this.#isAllowed(placeOf(field)));
  }

  #isAllowed(place: string): boolean {
    const { allowed, others } = this.#changes;
    if (others.some(({ path }) => path === place)) return false;
    return allowed.some(({ path, rule }) =>
      rule !== "description" && (path === place || (DEEP.has(rule) && isWithin(place, path)))
    );
  }
}

/** Returns the path of a field with `*` for items. */
function placeOf(field: string): string {
  return field === "<nil>" ? "" : field.replace(/\[\d{1,9}\]/g, "[*]");
}

/** Reports whether a place is below a path. */
function isWithin(place: string, path: string): boolean {
  return path !== "" && place.startsWith(path) && ".[".includes(place[path.length]!);
}
