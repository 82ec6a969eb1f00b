import { dirname, isAbsolute, join } from "node:path";
import { isRecord } from "../../base/mod.ts";
import { decodeBase64 } from "./base64.ts";

/** The file that an entry is in. */
interface EntryFile {
  readonly path: string;
  error(problem: string): TypeError;
}

/** A mapping in a kubeconfig, read key by key. Its errors name file, owner and key, and never show a value. */
export class KubeconfigEntry {
  readonly #file: EntryFile;
  readonly #owner: string;
  readonly #mapping: Readonly<Record<string, unknown>>;

  constructor(file: EntryFile, owner: string, mapping: Readonly<Record<string, unknown>>) {
    this.#file = file;
    this.#owner = owner;
    this.#mapping = mapping;
  }

  /** An error about this entry. */
  error(problem: string): TypeError {
    return this.#file.error(`${this.#owner} ${problem}`);
  }

  /** Where the value at `key` stands, for the errors of those who use it later. */
  source(key: string): string {
    return `${key} of ${this.#owner} in kubeconfig "${this.#file.path}"`;
  }

  /** The text at `key`; undefined when it is absent or empty. */
  string(key: string): string | undefined {
    const value = this.#value(key);
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") throw this.#wrong(key, "text");
    return value;
  }

  /** The path at `key`, which is relative to the file. */
  path(key: string): string | undefined {
    const value = this.string(key);
    return value === undefined ? undefined : this.#resolve(value);
  }

  /** The program at `key`: a name to be looked up, or a path, which is relative to the file. */
  command(key: string): string | undefined {
    const value = this.string(key);
    return value === undefined || !/[\\/]/.test(value) ? value : this.#resolve(value);
  }

  /** The truth at `key`; undefined when it is absent. */
  boolean(key: string): boolean | undefined {
    const value = this.#value(key);
    if (value !== undefined && typeof value !== "boolean") throw this.#wrong(key, "true or false");
    return value;
  }

  /** The list of texts at `key`; undefined when it is absent. */
  strings(key: string): string[] | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
      throw this.#wrong(key, "a list of texts");
    }
    return value;
  }

  /** The mapping at `key`; undefined when it is absent. */
  mapping(key: string): KubeconfigEntry | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!isRecord(value)) throw this.#wrong(key, "a mapping");
    return new KubeconfigEntry(this.#file, `${key} of ${this.#owner}`, value);
  }

  /** The list of mappings at `key`; empty when it is absent. */
  mappings(key: string): KubeconfigEntry[] {
    const value = this.#value(key);
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every(isRecord)) {
      throw this.#wrong(key, "a list of mappings");
    }
    return value.map((item) => new KubeconfigEntry(this.#file, `${key} of ${this.#owner}`, item));
  }

  /** The keys that are there. */
  keys(): string[] {
    return Object.keys(this.#mapping);
  }

  /** Whatever is at `key`. */
  any(key: string): unknown {
    return this.#value(key);
  }

  /** The text that the base64 at `key` stands for. */
  decoded(key: string): string | undefined {
    const data = this.string(key);
    if (data === undefined) return undefined;
    try {
      return decodeBase64(data);
    } catch {
      throw this.#wrong(key, "base64");
    }
  }

  #value(key: string): unknown {
    return this.#mapping[key] ?? undefined;
  }

  #resolve(path: string): string {
    return isAbsolute(path) ? path : join(dirname(this.#file.path), path);
  }

  #wrong(key: string, expected: string): TypeError {
    return this.#file.error(`${key} of ${this.#owner} is not ${expected}`);
  }
}
