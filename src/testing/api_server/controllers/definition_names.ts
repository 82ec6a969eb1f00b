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

/**
 * Decides which names a definition may use: the names that no other definition of its group has.
 *
 * @param others The other definitions of the group.
 */
export function decideNames(
  crd: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  nowMs: number,
): NamesDecision {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of [crd, ...others]) {
    const names = status?.acceptedNames as Names | undefined;
    for (const name of [names?.plural, names?.singular, ...names?.shortNames ?? []]) {
      if (name) resources.add(name);
    }
    for (const name of [names?.kind, names?.listKind]) if (name) kinds.add(name);
  }
  const wanted = crd.spec.names;
  const present = (crd.status?.acceptedNames ?? {}) as Partial<Names>;
  const accepted: Record<string, unknown> = { ...present };
  let conflict: { reason: string; message: string } | undefined;
  const decide = (key: keyof Names, reason: string, used: ReadonlySet<string>) => {
    const name = wanted[key] as string | undefined;
    if (name !== present[key] && name !== undefined && used.has(name)) {
      conflict = { reason, message: `${quote(name)} is already in use` };
    } else accepted[key] = name;
  };
  decide("plural", "PluralConflict", resources);
  decide("singular", "SingularConflict", resources);
  const taken = (wanted.shortNames ?? []).filter((name) =>
    !(present.shortNames ?? []).includes(name) && resources.has(name)
  );
  if (taken.length > 0) {
    const texts = taken.map((name) => `${quote(name)} is already in use`);
    const message = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
    conflict = { reason: "ShortNamesConflict", message };
  } else accepted["shortNames"] = wanted.shortNames;
  decide("kind", "KindConflict", kinds);
  decide("listKind", "ListKindConflict", kinds);
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
