import type { Logger } from "../../base/mod.ts";
import type { ReadFile } from "./environment.ts";
import type { KubeconfigEntry } from "./kubeconfig_entry.ts";
import type { EntryKind, KubeconfigFile } from "./kubeconfig_file.ts";
import { PartReader } from "./kubeconfig_parts.ts";
import { showPath, showText } from "./shown.ts";
import { withSources } from "./sources.ts";
import type { Config } from "./config.ts";
import { warnOfKeysBeside, warnOfUnknownKeys } from "./unknown_keys.ts";

/** Options of {@linkcode configFromKubeconfig}. */
export interface KubeconfigOptions {
  /** The name of a context. Default: the current context of the first file that has one. */
  readonly context?: string | undefined;
  /** Whether to ignore the user of the context, because the caller has other credentials. */
  readonly withoutUser?: boolean | undefined;
  readonly readFile: ReadFile;
  /** Receives warnings about unknown keys. */
  readonly logger: Logger;
}

/**
 * Returns the configuration of one context of a kubeconfig. Several files are read as one: of several entries with the
 * same name, the first is used as a whole, and the others are ignored.
 *
 * @throws {TypeError} If the files do not describe a configuration.
 */
export async function configFromKubeconfig(
  files: readonly KubeconfigFile[],
  options: KubeconfigOptions,
): Promise<Config> {
  const kubeconfig = new Kubeconfig(files, options.logger);
  const contextName = options.context ?? kubeconfig.currentContext();
  const context = kubeconfig.entry("context", contextName);
  const clusterName = context.string("cluster");
  if (clusterName === undefined) throw context.error("names no cluster");
  const cluster = kubeconfig.entry("cluster", clusterName, context);
  const userName = options.withoutUser ? undefined : context.string("user");
  const user = userName === undefined ? undefined : kubeconfig.entry("user", userName, context);

  const reader = new PartReader(options.readFile);
  const config = await reader.cluster(cluster);
  const credentials = user === undefined ? {} : await reader.user(user, cluster, config);
  return withSources(
    { ...config, namespace: context.string("namespace"), ...credentials },
    reader.sources,
  );
}

/** Kubeconfig files that are read as one. */
class Kubeconfig {
  readonly #files: readonly KubeconfigFile[];
  readonly #logger: Logger;

  constructor(files: readonly KubeconfigFile[], logger: Logger) {
    this.#files = files;
    this.#logger = logger;
  }

  currentContext(): string {
    for (const { currentContext } of this.#files) {
      if (currentContext !== undefined) return currentContext;
    }
    throw this.#error(
      `it has no current-context: give { context }, one of ${this.#names("context")}`,
    );
  }

  /** Returns the entry with this name. `referrer` is the entry that refers to it, for the error message. */
  entry(kind: EntryKind, name: string, referrer?: KubeconfigEntry): KubeconfigEntry {
    for (const file of this.#files) {
      const found = file.find(kind, name);
      if (found === undefined) continue;
      this.#warn(kind, found.value, found.holder);
      return found.value;
    }
    if (referrer === undefined) {
      throw this.#error(`it has no ${kind} ${showText(name)}, only ${this.#names(kind)}`);
    }
    throw referrer.error(
      `refers to ${kind} ${showText(name)}, which does not exist: the kubeconfig has ${
        this.#names(kind)
      }`,
    );
  }

  #warn(kind: EntryKind, value: KubeconfigEntry, holder: KubeconfigEntry): void {
    warnOfKeysBeside(holder, ["name", kind], this.#logger);
    warnOfUnknownKeys(value, kind, this.#logger);
    const exec = kind === "user" ? value.mapping("exec") : undefined;
    if (exec !== undefined) warnOfUnknownKeys(exec, "exec", this.#logger);
  }

  #error(problem: string): TypeError {
    const paths = this.#files.map(({ path }) => showPath(path)).join(", ");
    return new TypeError(`Kubeconfig ${paths} cannot be used: ${problem}`);
  }

  #names(kind: EntryKind): string {
    const names = this.#files.flatMap((file) => file.names(kind)).map(showText);
    if (names.length === 0) return "none";
    return names.length <= 10
      ? names.join(", ")
      : `${names.slice(0, 10).join(", ")} and ${names.length - 10} more`;
  }
}
