import { describeError, hostInUrl } from "../../base/mod.ts";
import type { Config } from "./config.ts";
import { type NotFound, readConfigFile } from "./config_file.ts";
import type { ReadEnv, ReadFile } from "./environment.ts";

/** The folder where the kubelet mounts the service account of a Pod. */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Returns the in-cluster configuration, from the service account of the Pod, or the reason why there is none. */
export async function inClusterConfig(
  env: ReadEnv,
  readFile: ReadFile,
  account: string,
): Promise<Config | NotFound> {
  const host = env("KUBERNETES_SERVICE_HOST");
  const port = env("KUBERNETES_SERVICE_PORT");
  if (!host || !port) return { missing: "in-cluster: KUBERNETES_SERVICE_HOST or _PORT is not set" };
  const tokenFile = `${account}/token`;
  try {
    await readConfigFile("token file", tokenFile, readFile);
    const caFile = `${account}/ca.crt`;
    return {
      server: `https://${hostInUrl(host)}:${port}`,
      tokenFile,
      caData: await readConfigFile("CA file", caFile, readFile),
      caFile,
      namespace: await readNamespace(readFile, account),
    };
  } catch (error) {
    return { missing: `in-cluster: ${describeError(error)}` };
  }
}

async function readNamespace(readFile: ReadFile, account: string): Promise<string | undefined> {
  try {
    return (await readFile(`${account}/namespace`)).trim() || undefined;
  } catch {
    return undefined;
  }
}
