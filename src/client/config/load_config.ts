import { type Logger, safeLogger } from "../../base/mod.ts";
import { readConfigFile } from "./config_file.ts";
import { requireToken } from "./token.ts";
import { type ReadEnv, readEnv, type ReadFile, readTextFile } from "./environment.ts";
import { inClusterConfig, SERVICE_ACCOUNT_FOLDER } from "./in_cluster.ts";
import { findKubeconfig } from "./find_kubeconfig.ts";
import { configFromKubeconfig } from "./kubeconfig.ts";
import { hasCredentials, mergeConfig } from "./merge_config.ts";
import { requireConfig } from "./require_config.ts";
import { sourcesOf, withSources } from "./sources.ts";
import { type Config, type PartialConfig, requireSafeToken, requireServerUrl } from "./config.ts";

/** Where {@linkcode loadConfig} looks, and what goes before what it finds. */
export interface LoadConfigOptions extends PartialConfig {
  /** The kubeconfig file. Default: those that KUBECONFIG names, or `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** The context in the kubeconfig. Default: its current one. */
  readonly context?: string | undefined;
  /** Where the Pod's service account is mounted. Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly serviceAccountFolder?: string | undefined;
  /** Reads environment variables. Default: those of the process. */
  readonly env?: ReadEnv | undefined;
  /** Reads files. Default: from the disk. */
  readonly readFile?: ReadFile | undefined;
  /** Receives warnings, such as of a key in the kubeconfig that is unknown and ignored. Default: the console. */
  readonly logger?: Logger | undefined;
}

/**
 * Finds the API server and the credentials for it. The first of these that is there decides:
 *
 * 1. `server` in the options, unless they name a kubeconfig or context too;
 * 2. the kubeconfig: the file that the options name, or the files that KUBECONFIG lists, or `~/.kube/config`; of it the
 *    current context, or `context`;
 * 3. the service account of the Pod that the process runs in.
 *
 * What else the options give goes before what was found; credentials among them replace the whole user that was found.
 *
 * Several files in KUBECONFIG are read as one, as kubectl does: of contexts, clusters and users with the same name the
 * first counts, as does the first `current-context`; files that do not exist are passed over.
 *
 * Paths to certificates, keys and tokens stay in the result beside what they hold, so that a client reads them again when
 * they are renewed. A plugin (`exec`) is not run before a request needs it.
 *
 * @throws {Error} In one line, without secrets, that says what is wrong and what to do.
 *
 * @example Flags of a command line
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
  const { env = readEnv, readFile = readTextFile } = options;
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

/** What the options themselves say, files read. */
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
): Promise<Config> {
  const search = await findKubeconfig({
    named: options.kubeconfig,
    env,
    readFile,
  });
  if (search.files.length > 0) {
    const withoutUser = hasCredentials(options);
    return await configFromKubeconfig(search.files, {
      context: options.context,
      withoutUser,
      readFile,
      logger: safeLogger(options.logger),
    });
  }
  const account = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const inCluster = await inClusterConfig(env, readFile, account);
  if (!("missing" in inCluster)) return inCluster;
  throw new Error(
    `No Kubernetes configuration found (${
      [...search.tried, inCluster.missing].join("; ")
    }): give a server URL or a kubeconfig file`,
  );
}
