import { type KubernetesMinor, MINOR_VERSIONS } from "../../release/mod.ts";
import { reaching, RULES } from "../../schema/mod.ts";
import type { StructType, Type } from "../../../values/mod.ts";

/** A rule of a field, as in `maxItems=32` or `ifEnabled(Gate)=minimum=0`. */
export interface Rule {
  /** The name, as in `maxItems` or `ifEnabled`. */
  readonly name: string;
  /** The condition in brackets; empty if there is none. */
  readonly condition: string;
  /** The text after the name, as in `32`; empty if there is none. */
  readonly value: string;
}

/** The rules of the fields of one struct, by field. */
export type FieldRules = ReadonlyMap<string, readonly Rule[]>;

/** Parses a rule. */
export function parseRule(text: string): Rule {
  const [, name = text, condition = "", value = ""] =
    /^(\w+)(?:\(([^)]*)\))?(?:=(.*))?$/.exec(text) ?? [];
  return { name, condition, value };
}

/** The rules of a minor version. */
export class RuleTable {
  readonly #structs = new Map<string, FieldRules>();
  /** Reports whether a type or a struct inside it has rules. */
  readonly reaches: (type: Type) => boolean = reaching(this.#structs);

  /** Creates the table of a minor version, which keeps the rules of earlier minor versions unless it changes them. */
  constructor(minor: KubernetesMinor) {
    for (const one of MINOR_VERSIONS.slice(0, MINOR_VERSIONS.indexOf(minor) + 1)) {
      for (const [name, text] of Object.entries(RULES[one] ?? {})) {
        this.#structs.set(name, parseFields(text));
      }
    }
  }

  /** Returns the rules of the fields of a struct. */
  of({ id = "" }: StructType): FieldRules | undefined {
    return this.#structs.get(id);
  }
}

function parseFields(text: string): FieldRules {
  const fields = text.split(";").map((field) => field.trim()).filter((field) => field !== "");
  return new Map(fields.map((field) => {
    const [name = "", ...rules] = field.split(/\s+/);
    return [name, rules.map(parseRule)];
  }));
}

const tables = new Map<KubernetesMinor, RuleTable>();

/** Returns the rules of a minor version. */
export function rulesIn(minor: KubernetesMinor): RuleTable {
  const table = tables.get(minor) ?? new RuleTable(minor);
  tables.set(minor, table);
  return table;
}
