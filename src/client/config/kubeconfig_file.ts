import { expandedSize, isRecord } from "../../base/mod.ts";
import { readYaml } from "../../yaml/mod.ts";
import { KubeconfigEntry } from "./kubeconfig_entry.ts";
import { showPath, showText } from "./shown.ts";

/** The maximum length of a kubeconfig whose aliases are replaced, in characters. No kubeconfig without aliases is longer. */
const MAX_EXPANDED_LENGTH = 16 * 1024 * 1024;

/** The kinds of named entries in a kubeconfig. */
export type EntryKind = "cluster" | "user" | "context";

/** A parsed kubeconfig file. Its error messages contain the path of the file, but never a value. */
export class KubeconfigFile {
  /** The path of the file. */
  readonly path: string;
  readonly #root: Readonly<Record<string, unknown>>;

  private constructor(path: string, root: Readonly<Record<string, unknown>>) {
    this.path = path;
    this.#root = root;
  }

  /**
   * Parses `text`, which was read from `path`, as client-go does: what follows the first document of YAML is ignored, and a
   * file with nothing but comments is a kubeconfig without entries.
   *
   * @throws {SyntaxError} If `text` is not YAML.
   * @throws {TypeError} If `text` is not a mapping, or one of another kind.
   */
  static async parse(text: string, path: string): Promise<KubeconfigFile> {
    const root = await parseYaml(text, path) ?? {};
    if (!isRecord(root)) {
      throw unusable(path, "it is not a mapping: expected clusters, users and contexts");
    }
    const file = new KubeconfigFile(path, root);
    for (const [key, expected] of [["apiVersion", "v1"], ["kind", "Config"]] as const) {
      const found = new KubeconfigEntry(file, "the file", root).string(key);
      if (found === undefined || found === expected) continue;
      throw unusable(path, `it has ${key} ${showText(found)}: expected "${expected}"`);
    }
    return file;
  }

  /** Returns an error about this file. */
  error(problem: string): TypeError {
    return unusable(this.path, problem);
  }

  /** The value of `current-context`; undefined if it is absent or empty. */
  get currentContext(): string | undefined {
    return new KubeconfigEntry(this, "the file", this.#root).string("current-context");
  }

  /**
   * Finds the cluster, user or context with this name.
   *
   * @returns The mapping at the key `kind`, and the entry of the list, which contains it; undefined if there is no such
   *   name.
   */
  find(
    kind: EntryKind,
    name: string,
  ): { readonly value: KubeconfigEntry; readonly holder: KubeconfigEntry } | undefined {
    for (const entry of this.#entries(kind)) {
      if (entry.name !== name) continue;
      const owner = `${kind} ${showText(name)}`;
      const value = entry[kind] ?? {};
      if (!isRecord(value)) throw this.error(`${owner} is not a mapping`);
      return {
        value: new KubeconfigEntry(this, owner, value),
        holder: new KubeconfigEntry(this, `the entry of ${owner}`, entry),
      };
    }
    return undefined;
  }

  /** Returns the names of all entries of this kind. */
  names(kind: EntryKind): string[] {
    return this.#entries(kind).map(({ name }) =>
      typeof name === "string" ? name : "(not a string)"
    );
  }

  #entries(kind: EntryKind): Record<string, unknown>[] {
    const list = this.#root[`${kind}s`];
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) throw this.error(`${kind}s is not a list`);
    return list.filter(isRecord);
  }
}

function unusable(path: string, problem: string): TypeError {
  return new TypeError(`Kubeconfig ${showPath(path)} cannot be used: ${problem}`);
}

async function parseYaml(text: string, path: string): Promise<unknown> {
  let root: unknown;
  try {
    root = await readYaml(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooManyAliases(path);
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`Kubeconfig ${showPath(path)} is not YAML (${error.message})`);
  }
  if (expandedSize(root) > MAX_EXPANDED_LENGTH) throw tooManyAliases(path);
  return root;
}

function tooManyAliases(path: string): TypeError {
  return unusable(path, "its aliases (*) stand for too much: write it out");
}
