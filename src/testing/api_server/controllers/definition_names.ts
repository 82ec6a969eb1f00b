import { type CustomResourceDefinition, formatTime } from "@kubeloop/controller/types";
import { type Json, jsonEqual, quote } from "../../values/mod.ts";

/** A condition of a definition. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

type Names = CustomResourceDefinition["spec"]["names"];

/** The names that a definition may use, with the conditions that say so. */
export interface NamesDecision {
  readonly acceptedNames: Names;
  readonly namesAccepted: DefinitionCondition;
  readonly established: DefinitionCondition;
}

/** Returns the conditions of a definition. */
export function conditionsOf({ status }: CustomResourceDefinition): DefinitionCondition[] {
  return (status?.conditions ?? []) as DefinitionCondition[];
}

/** Reports whether a definition has a condition with the status `True`. */
export function hasCondition(crd: CustomResourceDefinition, type: string): boolean {
  return conditionsOf(crd).some((one) => one.type === type && one.status === "True");
}

/** Returns the conditions of a definition, with `condition` in its place. Its time stays if its status does. */
export function withCondition(
  crd: CustomResourceDefinition,
  condition: DefinitionCondition,
): DefinitionCondition[] {
  const conditions = conditionsOf(crd);
  const known = conditions.find(({ type }) => type === condition.type);
  if (known === undefined) return [...conditions, condition];
  const { lastTransitionTime } = known.status === condition.status ? known : condition;
  const next = { ...condition, lastTransitionTime };
  return conditions.map((one) => one === known ? next : one);
}

/** The names among which a name must be unique in its group: names of resources, or names of kinds. */
type NameSort = "resource" | "kind";

/** Returns the identity of a name in a group. */
function nameId(group: string, sort: NameSort, name: string): string {
  return `${group} ${sort} ${name}`;
}

/** Returns the identities of the names that a definition has. */
export function acceptedNameIds({ spec: { group }, status }: CustomResourceDefinition): string[] {
  const { plural, singular, shortNames = [], kind, listKind } =
    (status?.acceptedNames ?? {}) as Partial<Names>;
  const idsOf = (sort: NameSort, names: readonly (string | undefined)[]) =>
    names.flatMap((name) => name ? [nameId(group, sort, name)] : []);
  return [
    ...idsOf("resource", [plural, singular, ...shortNames]),
    ...idsOf("kind", [kind, listKind]),
  ];
}

/** Returns the group of a definition that waits for names of other definitions; empty if it has its names. */
export function groupOfWaiting(crd: CustomResourceDefinition): string[] {
  const waits = crd.metadata.deletionTimestamp === undefined && !hasCondition(crd, "NamesAccepted");
  return waits ? [crd.spec.group] : [];
}

/**
 * Decides which names a definition may use: the names that no definition of its group has.
 *
 * @param isUsed Whether a definition has the name with that identity.
 */
export function decideNames(
  crd: CustomResourceDefinition,
  isUsed: (id: string) => boolean,
  nowMs: number,
): NamesDecision {
  const isNameUsed = (sort: NameSort, name: string) => isUsed(nameId(crd.spec.group, sort, name));
  const wanted = crd.spec.names;
  const present = (crd.status?.acceptedNames ?? {}) as Partial<Names>;
  const accepted: Record<string, unknown> = { ...present };
  let conflict: { reason: string; message: string } | undefined;
  const decide = (key: keyof Names, reason: string, sort: NameSort) => {
    const name = wanted[key] as string | undefined;
    if (name !== present[key] && name !== undefined && isNameUsed(sort, name)) {
      conflict = { reason, message: `${quote(name)} is already in use` };
    } else accepted[key] = name;
  };
  decide("plural", "PluralConflict", "resource");
  decide("singular", "SingularConflict", "resource");
  const taken = (wanted.shortNames ?? []).filter((name) =>
    !(present.shortNames ?? []).includes(name) && isNameUsed("resource", name)
  );
  if (taken.length > 0) {
    const texts = taken.map((name) => `${quote(name)} is already in use`);
    const message = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
    conflict = { reason: "ShortNamesConflict", message };
  } else accepted["shortNames"] = wanted.shortNames;
  decide("kind", "KindConflict", "kind");
  decide("listKind", "ListKindConflict", "kind");
  accepted["categories"] = wanted.categories;
  const lastTransitionTime = formatTime(nowMs);
  const status = conflict === undefined ? "True" as const : "False" as const;
  const { reason, message } = conflict ??
    { reason: "NoConflicts", message: "no conflicts found" };
  const acceptedNames = inOrder(accepted);
  return {
    acceptedNames,
    namesAccepted: { type: "NamesAccepted", status, lastTransitionTime, reason, message },
    established: establishedOf(crd, status === "True", lastTransitionTime),
  };
}

/** Removes undefined names. Like the real server, it keeps an empty plural and kind. */
function inOrder(names: Record<string, unknown>): Names {
  const { plural = "", singular, shortNames, kind = "", listKind, categories } = names;
  const given = { plural, singular, shortNames, kind, listKind, categories };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as Names;
}

function establishedOf(
  crd: CustomResourceDefinition,
  accepted: boolean,
  lastTransitionTime: string,
): DefinitionCondition {
  const known = conditionsOf(crd).find(({ type }) => type === "Established");
  if (known?.status === "True" || (known !== undefined && !accepted)) return known;
  return {
    type: "Established",
    status: "False",
    lastTransitionTime,
    ...(accepted
      ? { reason: "Installing", message: "the initial names have been accepted" }
      : { reason: "NotAccepted", message: "not all names are accepted" }),
  };
}

/** Reports whether a decision is what the status of a definition says already. */
export function isDecided(
  { status, ...crd }: CustomResourceDefinition,
  { acceptedNames, namesAccepted, established }: NamesDecision,
): boolean {
  const same = (a: unknown, b: unknown) => jsonEqual((a ?? null) as Json, (b ?? null) as Json);
  const known = conditionsOf({ status, ...crd } as CustomResourceDefinition);
  return same(status?.acceptedNames, acceptedNames) &&
    [namesAccepted, established].every(({ lastTransitionTime: _, ...one }) =>
      known.some(({ lastTransitionTime: __, ...other }) => same(one, other))
    );
}
