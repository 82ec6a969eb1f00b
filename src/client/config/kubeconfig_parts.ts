import { readConfigFile } from "./config_file.ts";
import { requireToken } from "./token.ts";
import type { ReadFile } from "./environment.ts";
import type { KubeconfigEntry } from "./kubeconfig_entry.ts";
import { execOf } from "./kubeconfig_exec.ts";
import { showPath, showText } from "./shown.ts";
import type { Sources } from "./sources.ts";
import type { Config, PartialConfig } from "./config.ts";
import type { Impersonation } from "./impersonation.ts";

/** Reads cluster and user entries, and records the source of each part. */
export class PartReader {
  readonly sources: { -readonly [K in keyof Sources]: Sources[K] } = {};
  readonly #readFile: ReadFile;

  constructor(readFile: ReadFile) {
    this.#readFile = readFile;
  }

  async cluster(cluster: KubeconfigEntry): Promise<Config> {
    const server = cluster.string("server");
    if (server === undefined) throw cluster.error("has no server");
    const proxyUrl = cluster.string("proxy-url");
    if (proxyUrl !== undefined) this.sources.proxy = cluster.source("proxy-url");
    const tlsServerName = cluster.string("tls-server-name");
    if (tlsServerName !== undefined) this.sources.serverName = cluster.source("tls-server-name");
    const { data: caData, file: caFile } = await this.#pem(cluster, "certificate-authority", "ca");
    return {
      server,
      caData,
      caFile,
      tlsServerName,
      insecureSkipTlsVerify: cluster.boolean("insecure-skip-tls-verify") || undefined,
      proxyUrl,
    };
  }

  async user(
    user: KubeconfigEntry,
    cluster: KubeconfigEntry,
    clusterConfig: Config,
  ): Promise<Omit<PartialConfig, "server">> {
    refuseAuthProvider(user);
    const token = user.string("token");
    const tokenFile = user.path("tokenFile");
    const username = user.string("username");
    if (token !== undefined) this.sources.token = user.source("token");
    if (tokenFile !== undefined) this.sources.token = user.source("tokenFile");
    if (username !== undefined) {
      this.sources.basic = user.source("username");
      if ((token ?? tokenFile) !== undefined) {
        throw user.error("has a token and a username: leave one out, only one can be sent");
      }
    }
    const exec = execOf(user, cluster, clusterConfig);
    if (exec !== undefined) this.sources.exec = user.source("exec");
    const cert = await this.#pem(user, "client-certificate", "cert");
    const key = await this.#pem(user, "client-key", "key");
    return {
      token: token === undefined ? undefined : requireToken(token, user.source("token")),
      tokenFile,
      username,
      password: username === undefined ? undefined : user.string("password") ?? "",
      exec,
      certData: cert.data,
      certFile: cert.file,
      keyData: key.data,
      keyFile: key.file,
      impersonate: impersonationOf(user),
    };
  }

  /** Returns the PEM text in `key-data`, which is base64, or else the text of the file in `key`. */
  async #pem(
    entry: KubeconfigEntry,
    key: string,
    part: "ca" | "cert" | "key",
  ): Promise<{ readonly data?: string; readonly file?: string }> {
    const data = entry.decoded(`${key}-data`);
    if (data !== undefined) {
      this.sources[part] = entry.source(`${key}-data`);
      return { data };
    }
    const file = entry.path(key);
    if (file === undefined) return {};
    const source = entry.source(key);
    this.sources[part] = `${source}, file ${showPath(file)}`;
    return { data: await readConfigFile(source, file, this.#readFile), file };
  }
}

function impersonationOf(user: KubeconfigEntry): Impersonation | undefined {
  const name = user.string("as");
  const uid = user.string("as-uid");
  const groups = user.strings("as-groups");
  const extra = user.mapping("as-user-extra");
  if (name === undefined) {
    const without = uid ? "as-uid" : groups?.length ? "as-groups" : extra && "as-user-extra";
    if (without === undefined) return undefined;
    throw user.error(`has ${without} without "as": name the user to impersonate`);
  }
  const entries = extra?.keys().map((key) => [key, extra.strings(key) ?? []] as const);
  return {
    user: name,
    ...(uid === undefined ? {} : { uid }),
    ...(groups === undefined ? {} : { groups }),
    ...(entries === undefined ? {} : { extra: Object.fromEntries(entries) }),
  };
}

/** The advice for each `auth-provider`. kubectl 1.26 removed gcp and azure. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  gcp:
    "which Kubernetes has removed: install gke-gcloud-auth-plugin and run gcloud container clusters get-credentials again",
  azure: "which Kubernetes has removed: install kubelogin and run kubelogin convert-kubeconfig",
  oidc: "which is not supported: use an exec plugin such as kubectl oidc-login, or a token",
};

function refuseAuthProvider(user: KubeconfigEntry): void {
  const provider = user.mapping("auth-provider");
  if (provider === undefined) return;
  const name = provider.string("name");
  const successor = name !== undefined && Object.hasOwn(SUCCESSORS, name)
    ? SUCCESSORS[name]
    : "which is not supported: use an exec plugin or a token";
  throw user.error(
    name === undefined
      ? `needs an auth-provider without a name, ${successor}`
      : `needs auth-provider ${showText(name)}, ${successor}`,
  );
}
