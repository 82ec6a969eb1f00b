import type { StructType } from "../../values/mod.ts";
import { DEFAULT_MINOR } from "../release/mod.ts";
import { StructRegistry } from "./field_tables.ts";
import { KINDS, type KubernetesMinor, MINORS, PACKAGES, TABLES } from "./generated/mod.ts";

/** The schemas of all built-in kinds of one minor version. */
export class Schemas {
  readonly #structs: StructRegistry;
  readonly #kinds: ReadonlyMap<string, ReadonlySet<string>>;

  /** Creates the schemas of a minor version. */
  constructor(minor: KubernetesMinor) {
    const { CHANGES, KINDS: changed } = MINORS[minor];
    this.#structs = new StructRegistry(TABLES, CHANGES);
    const kinds = Object.entries({ ...KINDS, ...changed });
    this.#kinds = new Map(kinds.map(([name, text]) => [name, new Set(text.trim().split(/\s+/))]));
  }

  /** The names of all structs, as in `core.Pod`. */
  get names(): string[] {
    return this.#structs.names;
  }

  /**
   * Returns the struct with that name, as in `core.PodSpec`.
   *
   * @throws {RangeError} If there is none.
   */
  struct(name: string): StructType {
    return this.#structs.struct(name);
  }

  /** Returns the group, version and kind of a struct, as in `apps.Deployment`; undefined if it is not a whole object. */
  kindOf(name: string): Readonly<Record<"group" | "kind" | "version", string>> | undefined {
    const dot = name.lastIndexOf(".");
    const [own, kind] = [name.slice(0, dot), name.slice(dot + 1)];
    if (!this.#kinds.get(own)?.has(kind)) return undefined;
    const groupVersion = Object.keys(PACKAGES).find((one) => PACKAGES[one] === own)!;
    const [group = "", version = ""] = groupVersion.split("/");
    return { group, kind, version };
  }

  /** Reports whether this version of Kubernetes has a built-in kind. */
  has(group: string, version: string, kind: string): boolean {
    return this.#nameOf(group, version, kind) !== undefined;
  }

  /** Returns the schema of a built-in kind; undefined if this version of Kubernetes does not have the kind. */
  kind(group: string, version: string, kind: string): StructType | undefined {
    const name = this.#nameOf(group, version, kind);
    return name === undefined ? undefined : this.#structs.struct(name);
  }

  #nameOf(group: string, version: string, kind: string): string | undefined {
    const groupVersion = `${group}/${version}`;
    if (!Object.hasOwn(PACKAGES, groupVersion)) return undefined;
    const name = PACKAGES[groupVersion]!;
    return this.#kinds.get(name)?.has(kind) ? `${name}.${kind}` : undefined;
  }
}

const known = new Map<KubernetesMinor, Schemas>();

/** Returns the schemas of a minor version. */
export function schemasOf(minor: KubernetesMinor): Schemas {
  const schemas = known.get(minor) ?? new Schemas(minor);
  known.set(minor, schemas);
  return schemas;
}

/** The schemas of {@linkcode DEFAULT_MINOR}, which has the types that are the same in all versions. */
export const SCHEMAS: Schemas = schemasOf(DEFAULT_MINOR);
