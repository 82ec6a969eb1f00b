import {
  ENVIRONMENT_CHECKS,
  isFunction,
  isName,
  isText,
  type Logger,
  type OptionChecks,
  requireOptions,
  requireSync,
  safeLogger,
} from "../../base/mod.ts";
import { CONFIG_CHECKS } from "./config_checks.ts";
import { readConfigFile } from "./config_file.ts";
import { requireToken } from "./token.ts";
import { type ReadEnv, readEnv, type ReadFile } from "./environment.ts";
import { readTextFile } from "./read_text_file.ts";
import { inClusterConfig, SERVICE_ACCOUNT_FOLDER } from "./in_cluster.ts";
import { hasCredentials, mergeConfig } from "./merge_config.ts";
import { showText } from "./shown.ts";
import { requireConfig } from "./require_config.ts";
import { sourcesOf, withSources } from "./sources.ts";
import { type Config, type PartialConfig, requireServerUrl } from "./config.ts";
import { requireSafeToken } from "./safe_token.ts";

/** The maximum number of files that an error lists. */
const MAX_TRIED = 10;

/**
 * Options of {@linkcode loadConfig}: where to look, and settings that take precedence over the configuration that is
 * found.
 *
 * Of these settings, unlike in a {@linkcode Config}, `caData`, `certData` and `keyData` take precedence over their
 * files.
 */
export interface LoadConfigOptions extends PartialConfig {
  /** The kubeconfig file. Default: the files in KUBECONFIG, or `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig. Default: the current context. */
  readonly context?: string | undefined;
  /** The folder of the Pod's service account. Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly serviceAccountFolder?: string | undefined;
  /** Reads environment variables. Default: from the environment of the process. */
  readonly env?: ReadEnv | undefined;
  /** Reads files. Default: from the disk. */
  readonly readFile?: ReadFile | undefined;
  /** Receives warnings, for example about unknown keys in the kubeconfig, which are ignored. Default: the console. */
  readonly logger?: Logger | undefined;
}

/** The checks of the options that say where to look. */
export const LOOKUP_CHECKS: OptionChecks<
  Pick<LoadConfigOptions, "kubeconfig" | "context" | "serviceAccountFolder" | "env">
> = {
  kubeconfig: isText,
  context: isText,
  serviceAccountFolder: isName,
  env: isFunction,
};

const LOAD_CHECKS: OptionChecks<LoadConfigOptions> = {
  ...CONFIG_CHECKS,
  ...LOOKUP_CHECKS,
  readFile: isFunction,
  logger: ENVIRONMENT_CHECKS.logger,
};

/**
 * Finds the API server and the credentials for it. The first of these sources that exists is used:
 *
 * 1. `server` in the options, unless they have `kubeconfig` or `context` too;
 * 2. the kubeconfig: the file in the options, or the files in KUBECONFIG, or `~/.kube/config`; and in it the context in
 *    the options, or the current context;
 * 3. the service account of the Pod that the process runs in. As for kubectl, it is also used if the kubeconfig
 *    chooses no cluster: if it is empty, if it has no current context, or if the cluster of its context is missing.
 *
 * All other settings in the options take precedence over the source. Credentials in the options replace all
 * credentials of the source, and its impersonation.
 *
 * Several files in KUBECONFIG are read as one, like kubectl does: of several contexts, clusters or users with the same
 * name the first is used, and so is the first `current-context`. Files that do not exist are skipped, and so are empty
 * ones.
 *
 * The result contains the paths of certificate, key and token files, so that a client reads the files again when they
 * are renewed. A plugin (`exec`) runs only when a request needs it.
 *
 * @throws {TypeError} If an option does not exist, or cannot be used.
 * @throws {Error} If no configuration is found, or it is invalid. The message is one line without secrets: the problem
 *   and the remedy.
 *
 * @example Command-line flags
 * ```ts
 * import { loadConfig } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * const config = await loadConfig({ server: "https://10.0.0.1:6443", token: "s3cr3t" });
 * assertEquals(config.server, "https://10.0.0.1:6443");
 * ```
 *
 * @example A kubeconfig
 * ```ts
 * import { loadConfig } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * const kubeconfig = `
 * current-context: dev
 * contexts: [{ name: dev, context: { cluster: c, namespace: shop } }]
 * clusters: [{ name: c, cluster: { server: "http://127.0.0.1:8001" } }]
 * `;
 * const config = await loadConfig({
 *   env: (name) => name === "KUBECONFIG" ? "/etc/kubeconfig" : undefined,
 *   readFile: () => Promise.resolve(kubeconfig),
 * });
 * assertEquals(config.namespace, "shop");
 * ```
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<Config> {
  requireOptions("loadConfig()", options, LOAD_CHECKS);
  const { env: ofUser = readEnv, readFile = readTextFile } = options;
  const env = (name: string) => requireSync("env() of loadConfig()", ofUser(name));
  const given = await givenConfig(options, readFile);
  const found = given.server !== undefined && !options.kubeconfig && !options.context
    ? {}
    : await findConfig(options, env, readFile);
  const merged = mergeConfig(found, given);
  const config = { ...merged, server: requireServerUrl(merged.server ?? "") };
  requireConfig(config);
  requireSafeToken(config);
  return config;
}

/** Returns the settings in the options, with the text of their files. */
async function givenConfig(
  options: LoadConfigOptions,
  readFile: ReadFile,
): Promise<PartialConfig> {
  const pem = async (what: string, data: string | undefined, path: string | undefined) =>
    data ?? (path === undefined ? undefined : await readConfigFile(what, path, readFile));
  const { token, tokenFile, caFile, certFile, keyFile } = options;
  if (tokenFile !== undefined) await readConfigFile("token file", tokenFile, readFile);
  const given: PartialConfig = {
    server: options.server,
    token: token === undefined ? undefined : requireToken(token, "the options"),
    tokenFile,
    username: options.username,
    password: options.password,
    exec: options.exec,
    impersonate: options.impersonate,
    caData: await pem("CA file", options.caData, caFile),
    caFile: options.caData === undefined ? caFile : undefined,
    certData: await pem("client certificate file", options.certData, certFile),
    certFile: options.certData === undefined ? certFile : undefined,
    keyData: await pem("client key file", options.keyData, keyFile),
    keyFile: options.keyData === undefined ? keyFile : undefined,
    tlsServerName: options.tlsServerName,
    insecureSkipTlsVerify: options.insecureSkipTlsVerify,
    proxyUrl: options.proxyUrl,
    namespace: options.namespace,
    allowInsecureToken: options.allowInsecureToken,
  };
  return withSources(given, sourcesOf(options));
}

async function findConfig(
  options: LoadConfigOptions,
  env: ReadEnv,
  readFile: ReadFile,
): Promise<PartialConfig> {
  // Imported only here, because most of it is for people's machines: a program that knows its server starts without.
  const { findKubeconfig } = await import("./find_kubeconfig.ts");
  const search = await findKubeconfig({
    named: options.kubeconfig,
    env,
    readFile,
  });
  const tried = [...search.tried];
  const logger = safeLogger(options.logger);
  let mistake: string | undefined;
  if (search.files.length > 0) {
    const { configFromKubeconfig } = await import("./kubeconfig.ts");
    const withoutUser = hasCredentials(options);
    const found = await configFromKubeconfig(search.files, {
      context: options.context,
      withoutUser,
      readFile,
      logger,
    });
    if (!("missing" in found)) return found;
    tried.push(found.missing);
    if (found.isMistake) mistake = found.missing;
  } else if (options.context) {
    throw notFound([...tried, `there is no context ${showText(options.context)}`]);
  }
  // The service account is for the server of the Pod only.
  if (options.server !== undefined) return {};
  const account = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const inCluster = await inClusterConfig(env, readFile, account);
  if ("missing" in inCluster) throw notFound([...tried, inCluster.missing]);
  if (mistake !== undefined) logger.warn(`Using the service account of the Pod: ${mistake}`);
  return inCluster;
}

/**
 * Returns the error for a missing configuration, which lists the places that were tried. The last place is always
 * named.
 */
function notFound(tried: readonly string[]): Error {
  const more = tried.length - 1 - MAX_TRIED;
  const shown = more > 0
    ? [...tried.slice(0, MAX_TRIED), `${more} more files`, ...tried.slice(-1)]
    : tried;
  return new Error(
    `No Kubernetes configuration found (${
      shown.join("; ")
    }): give a server URL or a kubeconfig file`,
  );
}
