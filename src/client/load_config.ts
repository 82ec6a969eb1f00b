import { join } from "node:path";
import { readConfigFile } from "./_config_file.ts";
import { type ReadEnv, readEnv, type ReadFile, readTextFile } from "./_environment.ts";
import { inClusterConfig, type NotFound } from "./_in_cluster.ts";
import { configFromKubeconfig } from "./_kubeconfig.ts";
import { requireToken } from "./_credentials.ts";
import {
  type Config,
  type PartialConfig,
  requireSafeToken,
  requireServerUrl,
  requireTlsSettings,
} from "./config.ts";

/** Where {@linkcode loadConfig} looks, and what goes before what it finds. */
export interface LoadConfigOptions extends PartialConfig {
  /** The file with the certificates to trust. */
  readonly caFile?: string | undefined;
  /** The file with the client certificate. */
  readonly certFile?: string | undefined;
  /** The file with the key of the client certificate. */
  readonly keyFile?: string | undefined;
  /** The kubeconfig file. Default: the one that KUBECONFIG names, or `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** The context in the kubeconfig file. Default: its current one. */
  readonly context?: string | undefined;
  /** Reads environment variables. Default: those of the process. */
  readonly env?: ReadEnv | undefined;
  /** Reads files. Default: from the disk. */
  readonly readFile?: ReadFile | undefined;
}

/**
 * Finds the API server and the credentials for it. The first of these that is there decides:
 *
 * 1. `server` in the options, unless they name a kubeconfig or context too;
 * 2. the kubeconfig file that the options or KUBECONFIG name, or `~/.kube/config`: its current context, or `context`;
 * 3. the service account of the Pod that the process runs in.
 *
 * What else the options give goes before what was found. Of a kubeconfig, the server, the namespace, certificates, token
 * and client certificate are understood; a user that needs a plugin, a proxy or impersonation is an error that says so.
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
  const config = merge(found, given);
  const server = requireServerUrl(config.server ?? "");
  requireTlsSettings(config);
  requireSafeToken({ ...config, server });
  return { ...config, server };
}

/** What the options themselves say, files read. */
async function givenConfig(
  options: LoadConfigOptions,
  readFile: ReadFile,
): Promise<PartialConfig> {
  const { server, token, tokenFile, namespace, allowInsecureToken } = options;
  const pem = async (what: string, data: string | undefined, path: string | undefined) =>
    data ?? (path === undefined ? undefined : await readConfigFile(what, path, readFile));
  if (tokenFile !== undefined) await readConfigFile("token file", tokenFile, readFile);
  return {
    server,
    token: token === undefined ? undefined : requireToken(token, "the options"),
    tokenFile,
    caData: await pem("CA file", options.caData, options.caFile),
    certData: await pem("client certificate file", options.certData, options.certFile),
    keyData: await pem("client key file", options.keyData, options.keyFile),
    namespace,
    allowInsecureToken,
  };
}

function hasCredentials(config: PartialConfig): boolean {
  return (config.token ?? config.tokenFile ?? config.certData) !== undefined;
}

/** `given` over `found`; what is undefined is not given. */
function merge(found: PartialConfig, given: PartialConfig): PartialConfig {
  const base: { -readonly [K in keyof PartialConfig]: PartialConfig[K] } = { ...found };
  if (hasCredentials(given)) {
    // One identity, not a token of one and a certificate of another.
    for (const key of ["token", "tokenFile", "certData", "keyData"] as const) delete base[key];
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(entries) };
}

async function findConfig(
  options: LoadConfigOptions,
  env: ReadEnv,
  readFile: ReadFile,
): Promise<Config> {
  const withoutUser = hasCredentials({
    ...options,
    certData: options.certData ?? options.certFile,
  });
  const read = (text: string, path: string) =>
    configFromKubeconfig(text, path, { context: options.context, withoutUser, readFile });

  const path = options.kubeconfig ?? requireOneFile(env("KUBECONFIG") ?? "");
  if (path !== undefined) {
    const text = await readConfigFile("kubeconfig", path, readFile);
    return read(text, path);
  }
  const tried = ["KUBECONFIG is not set, or may not be read"];
  const home = env("HOME") ?? env("USERPROFILE");
  if (home) {
    const path = join(home, ".kube", "config");
    const text = await readConfigFile("kubeconfig", path, readFile).catch(toNotFound);
    if (typeof text === "string") return read(text, path);
    tried.push(text.missing);
  } else {
    tried.push("~/.kube/config: HOME is not set, or may not be read");
  }
  const inCluster = await inClusterConfig(env, readFile);
  if (!("missing" in inCluster)) return inCluster;
  tried.push(inCluster.missing);
  throw new Error(
    `No Kubernetes configuration found (${
      tried.join("; ")
    }): give a server URL or a kubeconfig file`,
  );
}

function toNotFound(error: Error): NotFound {
  return { missing: error.message };
}

/** KUBECONFIG may list files, separated as in PATH; undefined when it lists none. */
function requireOneFile(list: string): string | undefined {
  const separator = /^[A-Za-z]:[\\/]/.test(list) ? ";" : ":";
  const paths = list.split(separator).filter((path) => path !== "");
  if (paths.length > 1) {
    throw new TypeError(
      `KUBECONFIG names ${paths.length} files, and merging them is not supported yet: name one`,
    );
  }
  return paths[0];
}
