import { dirname, isAbsolute, join } from "node:path";
import { decodeBase64, isRecord } from "../../base/mod.ts";
import { showPath } from "./shown.ts";

/** The file that contains an entry. */
interface EntryFile {
  readonly path: string;
  error(problem: string): TypeError;
}

/** A mapping in a kubeconfig. Its error messages contain the file, the owner and the key, but never a value. */
export class KubeconfigEntry {
  readonly #file: EntryFile;
  readonly #owner: string;
  readonly #mapping: Readonly<Record<string, unknown>>;

  constructor(file: EntryFile, owner: string, mapping: Readonly<Record<string, unknown>>) {
    this.#file = file;
    this.#owner = owner;
    this.#mapping = mapping;
  }

  /** Returns an error about this entry. */
  error(problem: string): TypeError {
    return this.#file.error(`${this.#owner} ${problem}`);
  }

  /** Returns the location of the value at `key`, for the error messages of later users of the value. */
  source(key: string): string {
    return `${key} of ${this.#owner} in kubeconfig ${showPath(this.#file.path)}`;
  }

  /** Returns the string at `key`; undefined if it is absent or empty. */
  string(key: string): string | undefined {
    const value = this.#value(key);
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") throw this.#wrong(key, "a string");
    return value;
  }

  /** Returns the path at `key`, resolved against the folder of the file. */
  path(key: string): string | undefined {
    const value = this.string(key);
    return value === undefined ? undefined : this.#resolve(value);
  }

  /** Returns the program at `key`: a name to look up in PATH, or a path, resolved against the folder of the file. */
  command(key: string): string | undefined {
    const value = this.string(key);
    return value === undefined || !/[\\/]/.test(value) ? value : this.#resolve(value);
  }

  /** Returns the boolean at `key`; undefined if it is absent. */
  boolean(key: string): boolean | undefined {
    const value = this.#value(key);
    if (value !== undefined && typeof value !== "boolean") throw this.#wrong(key, "true or false");
    return value;
  }

  /** Returns the list of strings at `key`; undefined if it is absent. */
  strings(key: string): string[] | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
      throw this.#wrong(key, "a list of strings");
    }
    return value;
  }

  /** Returns the mapping at `key`; undefined if it is absent. */
  mapping(key: string): KubeconfigEntry | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!isRecord(value)) throw this.#wrong(key, "a mapping");
    return new KubeconfigEntry(this.#file, `${key} of ${this.#owner}`, value);
  }

  /** Returns the list of mappings at `key`; empty if it is absent. */
  mappings(key: string): KubeconfigEntry[] {
    const value = this.#value(key);
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every(isRecord)) {
      throw this.#wrong(key, "a list of mappings");
    }
    return value.map((item) => new KubeconfigEntry(this.#file, `${key} of ${this.#owner}`, item));
  }

  /** Returns the keys of the mapping. */
  keys(): string[] {
    return Object.keys(this.#mapping);
  }

  /** Returns the value at `key`, of any type. */
  any(key: string): unknown {
    return this.#value(key);
  }

  /** Returns the text that is base64-encoded at `key`; undefined if it is absent or empty. */
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
    return Object.hasOwn(this.#mapping, key) ? this.#mapping[key] ?? undefined : undefined;
  }

  #resolve(path: string): string {
    return isAbsolute(path) ? path : join(dirname(this.#file.path), path);
  }

  #wrong(key: string, expected: string): TypeError {
    return this.#file.error(`${key} of ${this.#owner} is not ${expected}`);
  }
}
