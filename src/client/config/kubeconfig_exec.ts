import { encodeBase64 } from "../../base/mod.ts";
import type { Config } from "./config.ts";
import type { ExecApiVersion, ExecConfig, ExecInteractiveMode } from "./exec_config.ts";
import type { KubeconfigEntry } from "./kubeconfig_entry.ts";
import { showText } from "./shown.ts";

const API_VERSIONS: readonly string[] = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] satisfies ExecApiVersion[];

const INTERACTIVE_MODES: readonly string[] = [
  "Never",
  "IfAvailable",
  "Always",
] satisfies ExecInteractiveMode[];

/** The name of the cluster extension that contains settings for plugins. */
const CONFIG_EXTENSION = "client.authentication.k8s.io/exec";

/** Returns the exec plugin of `user`; undefined if the user has none. */
export function execOf(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
  clusterConfig: Config,
): ExecConfig | undefined {
  const exec = user.mapping("exec");
  if (exec === undefined) return undefined;
  const command = exec.command("command");
  if (command === undefined) throw exec.error("has no command: name the program");
  const provideClusterInfo = exec.boolean("provideClusterInfo");
  return {
    apiVersion: oneOf(exec, "apiVersion", API_VERSIONS) as ExecApiVersion,
    command,
    args: exec.strings("args"),
    env: exec.mappings("env").map((entry) => {
      const name = entry.string("name");
      if (name === undefined) throw entry.error("has no name");
      return { name, value: entry.string("value") ?? "" };
    }),
    installHint: exec.string("installHint"),
    provideClusterInfo,
    interactiveMode: exec.any("interactiveMode") === undefined
      ? undefined
      : oneOf(exec, "interactiveMode", INTERACTIVE_MODES) as ExecInteractiveMode,
    ...(provideClusterInfo ? { cluster: clusterInfo(cluster, clusterConfig) } : {}),
  };
}

function oneOf(exec: KubeconfigEntry, key: string, known: readonly string[]): string {
  const value = exec.string(key);
  if (value !== undefined && known.includes(value)) return value;
  const found = value === undefined ? `no ${key}` : `${key} ${showText(value)}`;
  throw exec.error(`has ${found}: expected ${known.map((one) => `"${one}"`).join(" or ")}`);
}

function clusterInfo(cluster: KubeconfigEntry, config: Config): ExecConfig["cluster"] {
  const extension = cluster.mappings("extensions")
    .find((entry) => entry.string("name") === CONFIG_EXTENSION);
  return {
    server: config.server,
    "tls-server-name": config.tlsServerName,
    "insecure-skip-tls-verify": config.insecureSkipTlsVerify,
    "certificate-authority-data": config.caData === undefined
      ? undefined
      : encodeBase64(config.caData),
    "proxy-url": config.proxyUrl,
    config: extension?.any("extension"),
  };
}
