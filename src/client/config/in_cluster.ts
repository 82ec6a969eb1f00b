import { describeError } from "../../base/mod.ts";
import type { ReadEnv, ReadFile } from "./environment.ts";
import type { Config } from "./config.ts";

/** Where the kubelet mounts a Pod's service account. */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** What was looked for and is not there. */
export interface NotFound {
  /** For a sentence: `name: what is wrong`. */
  readonly missing: string;
}

/** The configuration of a process that runs in a Pod, or what speaks against its being one. */
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
    await readFile(tokenFile);
    const caFile = `${account}/ca.crt`;
    return {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      tokenFile,
      caData: await readFile(caFile),
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
