import type { Logger } from "../../base/mod.ts";
import type { ReadFile } from "./environment.ts";
import type { KubeconfigEntry } from "./kubeconfig_entry.ts";
import type { EntryKind, KubeconfigFile } from "./kubeconfig_file.ts";
import type { NotFound } from "./config_file.ts";
import { PartReader } from "./kubeconfig_parts.ts";
import { isShown, showPath, showText } from "./shown.ts";
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
 * @returns The configuration, or the reason why the files choose no cluster. As for kubectl, that is so without a
 *   current context, and if the cluster of the context is missing.
 * @throws {TypeError} If the files do not describe a configuration.
 */
export async function configFromKubeconfig(
  files: readonly KubeconfigFile[],
  options: KubeconfigOptions,
): Promise<Config | NotFound> {
  const kubeconfig = new Kubeconfig(files, options.logger);
  const contextName = options.context ?? kubeconfig.currentContext;
  if (contextName === undefined) return { missing: kubeconfig.withoutContext() };
  const context = kubeconfig.entry("context", contextName);
  const clusterName = context.string("cluster");
  if (clusterName === undefined) return { missing: context.error("names no cluster").message };
  const cluster = kubeconfig.find("cluster", clusterName);
  if (cluster === undefined) {
    return {
      missing: kubeconfig.dangling("cluster", clusterName, context).message,
      isMistake: true,
    };
  }
  const userName = options.withoutUser ? undefined : context.string("user");
  const user = userName === undefined ? undefined : kubeconfig.entry("user", userName, context);

  const reader = new PartReader(options.readFile);
  const config = await reader.cluster(cluster);
  const credentials = user === undefined ? {} : await reader.user(user, cluster, config);
  const found = { ...config, namespace: context.string("namespace"), ...credentials };
  return withSources({ ...found, server: withScheme(found) }, reader.sources);
}

/** An address or a name with a dot, perhaps with a port and a path. */
const HOST = /^(?:localhost|[\w-]+\.[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/|$)/i;

/**
 * Returns the URL of the server. As for kubectl, one without a scheme is `https:` if there is a setting of TLS, and
 * `http:` otherwise. Text that may be a credential is returned unchanged, so that it is refused and not sent to a name
 * server.
 */
function withScheme({ server, caData, certData, insecureSkipTlsVerify }: Config): string {
  if (!HOST.test(server) || !isShown(server)) return server;
  const isTls = insecureSkipTlsVerify || (caData ?? certData) !== undefined;
  return `${isTls ? "https" : "http"}://${server}`;
}

/** Shown instead of an empty list of names. */
const NO_NAMES = "none";

/** Kubeconfig files that are read as one. */
class Kubeconfig {
  readonly #files: readonly KubeconfigFile[];
  readonly #logger: Logger;

  constructor(files: readonly KubeconfigFile[], logger: Logger) {
    this.#files = files;
    this.#logger = logger;
  }

  /** The name of the current context: that of the first file that has one. */
  get currentContext(): string | undefined {
    return this.#files.find((file) => file.currentContext !== undefined)?.currentContext;
  }

  /** Returns the error message for files without a current context. */
  withoutContext(): string {
    const names = this.#names("context");
    return this.#error(
      names === NO_NAMES
        ? "it has no contexts"
        : `it has no current-context: give { context }, one of ${names}`,
    ).message;
  }

  /**
   * Returns the entry with this name. `referrer` is the entry that refers to it, for the error message.
   *
   * @throws {TypeError} If there is none.
   */
  entry(kind: EntryKind, name: string, referrer?: KubeconfigEntry): KubeconfigEntry {
    const found = this.find(kind, name);
    if (found !== undefined) return found;
    if (referrer !== undefined) throw this.dangling(kind, name, referrer);
    throw this.#error(`it has no ${kind} ${showText(name)}, only ${this.#names(kind)}`);
  }

  /** Returns the entry with this name; undefined if there is none. */
  find(kind: EntryKind, name: string): KubeconfigEntry | undefined {
    for (const file of this.#files) {
      const found = file.find(kind, name);
      if (found === undefined) continue;
      this.#warn(kind, found.value, found.holder);
      return found.value;
    }
    return undefined;
  }

  /** Returns the error for a name that does not exist, to which `referrer` refers. */
  dangling(kind: EntryKind, name: string, referrer: KubeconfigEntry): TypeError {
    return referrer.error(
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
    if (names.length === 0) return NO_NAMES;
    return names.length <= 10
      ? names.join(", ")
      : `${names.slice(0, 10).join(", ")} and ${names.length - 10} more`;
  }
}
