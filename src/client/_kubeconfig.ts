import { dirname, isAbsolute, join } from "node:path";
import { parse } from "@std/yaml/parse";
import { isRecord } from "./_answer.ts";
import { readConfigFile } from "./_config_file.ts";
import { requireToken } from "./_credentials.ts";
import type { ReadFile } from "./_environment.ts";
import type { Config } from "./config.ts";

type Mapping = Readonly<Record<string, unknown>>;

/** What a cluster or user entry may ask for that this version cannot do. */
const UNSUPPORTED_CLUSTER = ["proxy-url", "tls-server-name", "insecure-skip-tls-verify"];
const UNSUPPORTED_USER = [
  "exec",
  "auth-provider",
  "username",
  "password",
  "as",
  "as-uid",
  "as-groups",
  "as-user-extra",
];

/** What {@linkcode configFromKubeconfig} is told. */
export interface KubeconfigOptions {
  /** The name of a context. Default: the file's current context. */
  readonly context?: string | undefined;
  /** Leaves the context's user out, because other credentials are given. */
  readonly withoutUser?: boolean | undefined;
  readonly readFile: ReadFile;
}

/**
 * The configuration that one context of a kubeconfig file describes. `text` is what the file holds.
 *
 * @throws {SyntaxError} When it is not YAML.
 * @throws {TypeError} When it does not describe a configuration, or needs what is not supported.
 */
export async function configFromKubeconfig(
  text: string,
  path: string,
  options: KubeconfigOptions,
): Promise<Config> {
  const file = new KubeconfigFile(text, path);
  const contextName = options.context ?? file.currentContext();
  const context = file.entry("context", contextName, `context "${contextName}"`);
  const clusterName = file.string(context, "cluster", `context "${contextName}"`);
  const cluster = file.entry("cluster", clusterName ?? "", `context "${contextName}"`);
  file.refuse(cluster, UNSUPPORTED_CLUSTER, `cluster "${clusterName}"`);
  const server = file.string(cluster, "server", `cluster "${clusterName}"`);
  if (server === undefined) throw file.error(`cluster "${clusterName}" has no server`);
  const read = (mapping: Mapping, key: string, owner: string) =>
    file.pem(mapping, key, owner, options.readFile);
  const config: Config = {
    server,
    caData: await read(cluster, "certificate-authority", `cluster "${clusterName}"`),
    namespace: file.string(context, "namespace", `context "${contextName}"`),
  };

  const userName = file.string(context, "user", `context "${contextName}"`);
  if (userName === undefined || options.withoutUser) return config;
  const owner = `user "${userName}"`;
  const user = file.entry("user", userName, `context "${contextName}"`);
  file.refuse(user, UNSUPPORTED_USER, owner);
  const token = file.string(user, "token", owner);
  return {
    ...config,
    token: token === undefined
      ? undefined
      : requireToken(token, `${owner} of kubeconfig "${path}"`),
    tokenFile: file.path(user, "tokenFile", owner),
    certData: await read(user, "client-certificate", owner),
    keyData: await read(user, "client-key", owner),
  };
}

/** A kubeconfig file that has been parsed. Its errors name the file and never show a value. */
class KubeconfigFile {
  readonly #path: string;
  readonly #root: Mapping;

  constructor(text: string, path: string) {
    this.#path = path;
    if (text.trim() === "") {
      throw this.error("it is empty: expected clusters, users and contexts");
    }
    const root = this.#parse(text);
    if (!isRecord(root)) {
      throw this.error("it is not a mapping: expected clusters, users and contexts");
    }
    this.#root = root;
  }

  #parse(text: string): unknown {
    try {
      return parse(text);
    } catch (error) {
      // The parser quotes the text around the place, which may be a key.
      const place = /line \d+, column \d+/.exec(String(error))?.[0];
      throw new SyntaxError(
        `Kubeconfig "${this.#path}" is not YAML${place === undefined ? "" : ` (${place})`}`,
      );
    }
  }

  error(problem: string): TypeError {
    return new TypeError(`Kubeconfig "${this.#path}" cannot be used: ${problem}`);
  }

  currentContext(): string {
    const name = this.string(this.#root, "current-context", "the file");
    if (name !== undefined) return name;
    throw this.error(
      `it has no current-context: give { context }, one of ${this.#names("context")}`,
    );
  }

  /** The `cluster`, `user` or `context` of that name, which `referrer` refers to. */
  entry(kind: "cluster" | "user" | "context", name: string, referrer: string): Mapping {
    for (const entry of this.#entries(kind)) {
      if (entry.name !== name) continue;
      const value = entry[kind] ?? {};
      if (!isRecord(value)) throw this.error(`${kind} "${name}" is not a mapping`);
      return value;
    }
    throw this.error(
      kind === "context"
        ? `it has no context "${name}", only ${this.#names(kind)}`
        : `${referrer} refers to ${kind} "${name}", which is not there: it has ${
          this.#names(kind)
        }`,
    );
  }

  /** The text at `key`; undefined when it is absent or empty. */
  string(mapping: Mapping, key: string, owner: string): string | undefined {
    const value = mapping[key];
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value !== "string") throw this.error(`${key} of ${owner} is not text`);
    return value;
  }

  /** The path at `key`, which is relative to the file. */
  path(mapping: Mapping, key: string, owner: string): string | undefined {
    const value = this.string(mapping, key, owner);
    if (value === undefined || isAbsolute(value)) return value;
    return join(dirname(this.#path), value);
  }

  /** PEM text from `key-data`, in base64, or else from the file that `key` names. */
  async pem(
    mapping: Mapping,
    key: string,
    owner: string,
    readFile: ReadFile,
  ): Promise<string | undefined> {
    const data = this.string(mapping, `${key}-data`, owner);
    if (data !== undefined) {
      try {
        return atob(data);
      } catch {
        throw this.error(`${key}-data of ${owner} is not base64`);
      }
    }
    const path = this.path(mapping, key, owner);
    return path === undefined
      ? undefined
      : await readConfigFile(`${key} of ${owner}`, path, readFile);
  }

  refuse(mapping: Mapping, keys: readonly string[], owner: string): void {
    for (const key of keys) {
      const value = mapping[key];
      if (value === undefined || value === null || value === "" || value === false) continue;
      throw this.error(
        `${owner} needs "${key}", which is not supported yet: use a token or a client certificate, ` +
          "or run kubectl proxy and give its URL as { server }",
      );
    }
  }

  #entries(kind: string): Mapping[] {
    const list = this.#root[`${kind}s`];
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) throw this.error(`${kind}s is not a list`);
    return list.filter(isRecord);
  }

  #names(kind: string): string {
    const names = this.#entries(kind).map((entry) => `"${String(entry.name)}"`);
    if (names.length === 0) return "none";
    return names.length <= 10
      ? names.join(", ")
      : `${names.slice(0, 10).join(", ")} and ${names.length - 10} more`;
  }
}
