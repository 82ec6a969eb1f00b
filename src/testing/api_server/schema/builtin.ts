import type { StructChanges, StructType } from "../../values/mod.ts";
import { StructRegistry } from "./field_tables.ts";
import { KINDS, minor34, minor36, minor37, PACKAGES, TABLES } from "./generated/mod.ts";

/** The minor versions of Kubernetes whose kinds the server knows. */
export type KubernetesMinor = "1.34" | "1.35" | "1.36" | "1.37";

/** The tables of the kinds of one minor version. */
interface MinorTables {
  readonly CHANGES: StructChanges;
  readonly KINDS: Readonly<Record<string, string>>;
}

const MINORS: Readonly<Record<KubernetesMinor, MinorTables>> = {
  "1.34": minor34,
  "1.35": { CHANGES: {}, KINDS: {} },
  "1.36": minor36,
  "1.37": minor37,
};

/** The default minor version. Its behaviour was compared with a real server. */
export const DEFAULT_MINOR: KubernetesMinor = "1.35";

/** The release of each minor version whose Go types are the source of the schemas. */
const RELEASES: Readonly<Record<KubernetesMinor, string>> = {
  "1.34": "v1.34.2",
  "1.35": "v1.35.4",
  "1.36": "v1.36.1",
  "1.37": "v1.37.1",
};

/** Returns the release that the server says it is. */
export function releaseOf(minor: KubernetesMinor): string {
  return RELEASES[minor];
}

/** Reports whether the server knows the kinds of a minor version. */
export function isMinor(text: string): text is KubernetesMinor {
  return Object.hasOwn(MINORS, text);
}

/** The minor versions, the oldest first. */
export const MINOR_VERSIONS: readonly KubernetesMinor[] = Object.keys(MINORS) as KubernetesMinor[];

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

/** Returns the schema of a built-in kind of {@linkcode DEFAULT_MINOR}; undefined if it does not have the kind. */
export function builtinSchema(
  group: string,
  version: string,
  kind: string,
): StructType | undefined {
  return SCHEMAS.kind(group, version, kind);
}
