import type { Plan, PlanFault } from "../plans/mod.ts";

type Kind = PlanFault["fault"];

/** The plans of a kind of fault. */
export interface FaultCounts {
  /** The number of plans with this fault alone that were derived from the run without faults. */
  readonly derived: number;
  /** The number of plans with this fault alone that were run. */
  readonly alone: number;
  /** The number of plans with this fault that were run, alone or with others. */
  readonly plans: number;
  /** The number of these plans that changed nothing. */
  readonly noEffect: number;
}

type Counts = { -readonly [name in keyof FaultCounts]: number };

/** The result of a plan: whether it changed nothing, and the indices of its faults that took effect. */
export interface PlanResult {
  /** Whether the plan changed nothing. */
  readonly isIdle: boolean;
  /** The indices of the faults that took effect. */
  readonly taken: readonly number[];
  /** Whether the change of a property that the plan consists of has had an effect; undefined for other plans. */
  readonly isRead?: boolean | undefined;
}

/** The number of pairs that a text names. */
const SHOWN = 8;

/** The share of the derived plans that an exploration has run. */
export class Coverage {
  readonly #singles: readonly Plan[];
  readonly #counts = new Map<Kind, Counts>();
  readonly #met = new Set<Kind>();
  readonly #pairs = new Set<string>();
  /** The plans that change each property alone: how many have run, and whether one of them had an effect. */
  readonly #properties = new Map<string, { derived: number; ran: number; isRead: boolean }>();
  #ran = 0;
  #tookEffect = 0;

  /** Creates a coverage of nothing. `singles` are the plans with one fault; none if the plans were given. */
  constructor(singles: readonly Plan[]) {
    this.#singles = singles;
    for (const { faults } of singles) {
      const property = propertyOf(faults);
      if (property !== undefined) {
        const known = this.#properties.get(property);
        this.#properties.set(property, {
          derived: (known?.derived ?? 0) + 1,
          ran: 0,
          isRead: false,
        });
      }
      for (const kind of kindsOf(faults)) this.#countsOf(kind).derived++;
    }
  }

  /** The number of plans with one fault that were derived. */
  get derived(): number {
    return this.#singles.length;
  }

  /** The number of plans that were run. */
  get ran(): number {
    return this.#ran;
  }

  /** The number of plans that changed something. */
  get tookEffect(): number {
    return this.#tookEffect;
  }

  /** The counts by kind of fault. */
  get faults(): Readonly<Record<string, FaultCounts>> {
    return Object.fromEntries(this.#counts);
  }

  /** The kinds of faults that were derived, and that never took effect. */
  get neverMet(): readonly string[] {
    return [...this.#counts.keys()].filter((kind) => !this.#met.has(kind));
  }

  /** The pairs of kinds, as in `crash and hold`, that never took effect in one run; all of them if no pair was run. */
  get pairsNeverMet(): readonly string[] {
    const kinds = [...this.#counts.keys()];
    return kinds.flatMap((one, i) => kinds.slice(i).map((other) => pairOf(one, other)))
      .filter((pair) => !this.#pairs.has(pair));
  }

  /** The properties that a campaign has changed in all ways, without any effect on what the processes write and call. */
  get unread(): readonly string[] {
    return [...this.#properties].flatMap(([name, { derived, isRead, ran }]) =>
      ran === derived && !isRead ? [name] : []
    );
  }

  /** Counts a plan that was run. */
  count({ faults }: Plan, { isIdle, isRead, taken }: PlanResult): void {
    const property = this.#properties.get(propertyOf(faults) ?? "");
    if (property !== undefined && isRead !== undefined) {
      property.ran++;
      property.isRead ||= isRead;
    }
    this.#ran++;
    if (!isIdle) this.#tookEffect++;
    for (const kind of kindsOf(faults)) {
      const counts = this.#countsOf(kind);
      counts.plans++;
      if (faults.length === 1) counts.alone++;
      if (isIdle) counts.noEffect++;
    }
    if (isIdle) return;
    const kinds = taken.flatMap((index) => faults[index]?.fault ?? []).sort();
    kinds.forEach((kind, i) => {
      this.#met.add(kind);
      for (const other of kinds.slice(i + 1)) this.#pairs.add(pairOf(kind, other));
    });
  }

  /** Returns the coverage in words. */
  lines(): readonly string[] {
    const lines: string[] = [];
    if (this.#counts.size > 0) lines.push("", "Plans by kind of fault:");
    for (const [fault, counts] of this.#counts) lines.push(`  ${fault}: ${inWords(counts)}`);
    return [...lines, ...this.remarks()];
  }

  /** Returns the properties, faults and pairs of faults that have shown nothing, in words. */
  remarks(): readonly string[] {
    const lines: string[] = [];
    const { pairsNeverMet, unread } = this;
    if (unread.length > 0) lines.push(`Properties that changed nothing: ${unread.join(", ")}`);
    const neverMet = this.neverMet.filter((kind) => this.#counts.get(kind as Kind)!.plans > 0);
    if (neverMet.length > 0) lines.push(`Faults that never took effect: ${neverMet.join(", ")}`);
    if (this.derived > 0 && this.#ran > this.derived && pairsNeverMet.length > 0) {
      const more = pairsNeverMet.length - SHOWN;
      lines.push(
        `Pairs of faults that never met: ${pairsNeverMet.slice(0, SHOWN).join(", ")}${
          more > 0 ? `, and ${more} more` : ""
        }`,
      );
    }
    return lines;
  }

  #countsOf(kind: Kind): Counts {
    let counts = this.#counts.get(kind);
    if (counts === undefined) {
      this.#counts.set(kind, counts = { derived: 0, alone: 0, plans: 0, noEffect: 0 });
    }
    return counts;
  }
}

function inWords({ alone, derived, noEffect, plans }: FaultCounts): string {
  const parts = [derived > 0 ? `${alone} of ${derived} alone` : `${alone} alone`];
  if (plans > alone) parts.push(`${plans - alone} with others`);
  if (noEffect > 0) parts.push(`${noEffect} without effect`);
  return parts.join(", ");
}

function kindsOf(faults: readonly PlanFault[]): ReadonlySet<Kind> {
  return new Set(faults.map(({ fault }) => fault));
}

/** Returns the property that is all that a plan changes. */
function propertyOf([fault, ...others]: readonly PlanFault[]): string | undefined {
  if (fault?.fault !== "change" || others.length > 0 || fault.set.length > 1) return undefined;
  return fault.set[0]?.path.join(".");
}

function pairOf(one: Kind, other: Kind): string {
  return [one, other].sort().join(" and ");
}
