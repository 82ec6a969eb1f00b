import { isRecord } from "../../base/mod.ts";
import { KubeconfigEntry } from "./kubeconfig_entry.ts";

/** What a kubeconfig has lists of. */
export type EntryKind = "cluster" | "user" | "context";

/** One kubeconfig file, parsed. Its errors name the file and never show a value. */
export class KubeconfigFile {
  /** Where it was read. */
  readonly path: string;
  readonly #root: Readonly<Record<string, unknown>>;

  /** A file at `path` that holds the mapping `root`. */
  private constructor(path: string, root: Readonly<Record<string, unknown>>) {
    this.path = path;
    this.#root = root;
  }

  /**
   * Parses `text`, which was read from `path`.
   *
   * @throws {SyntaxError} When it is not YAML.
   * @throws {TypeError} When it is not a mapping.
   */
  static async parse(text: string, path: string): Promise<KubeconfigFile> {
    if (text.trim() === "") {
      throw unusable(path, "it is empty: expected clusters, users and contexts");
    }
    const root = await parseYaml(text, path);
    if (!isRecord(root)) {
      throw unusable(path, "it is not a mapping: expected clusters, users and contexts");
    }
    return new KubeconfigFile(path, root);
  }

  /** An error about this file. */
  error(problem: string): TypeError {
    return unusable(this.path, problem);
  }

  /** The name at `current-context`; undefined when it is absent or empty. */
  get currentContext(): string | undefined {
    return new KubeconfigEntry(this, "the file", this.#root).string("current-context");
  }

  /** The `cluster`, `user` or `context` of that name, if the file has it, and the entry of its list that holds it. */
  find(
    kind: EntryKind,
    name: string,
  ): { readonly value: KubeconfigEntry; readonly holder: KubeconfigEntry } | undefined {
    for (const entry of this.#entries(kind)) {
      if (entry.name !== name) continue;
      const owner = `${kind} "${name}"`;
      const value = entry[kind] ?? {};
      if (!isRecord(value)) throw this.error(`${owner} is not a mapping`);
      return {
        value: new KubeconfigEntry(this, owner, value),
        holder: new KubeconfigEntry(this, `the entry of ${owner}`, entry),
      };
    }
    return undefined;
  }

  /** The names of all entries of that kind. */
  names(kind: EntryKind): string[] {
    return this.#entries(kind).map(({ name }) => typeof name === "string" ? name : "(not text)");
  }

  #entries(kind: EntryKind): Record<string, unknown>[] {
    const list = this.#root[`${kind}s`];
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) throw this.error(`${kind}s is not a list`);
    return list.filter(isRecord);
  }
}

function unusable(path: string, problem: string): TypeError {
  return new TypeError(`Kubeconfig "${path}" cannot be used: ${problem}`);
}

async function parseYaml(text: string, path: string): Promise<unknown> {
  // Loaded only where there is a kubeconfig to read: a controller in a cluster has none.
  const { parse } = await import("@std/yaml/parse");
  try {
    return parse(text);
  } catch (error) {
    // The parser quotes the text around the place, which may be a key.
    const place = /line \d+, column \d+/.exec(String(error))?.[0];
    throw new SyntaxError(
      `Kubeconfig "${path}" is not YAML${place === undefined ? "" : ` (${place})`}`,
    );
  }
}
