import { describeError } from "../base/mod.ts";
import type { ReadEnv, ReadFile } from "./_environment.ts";
import type { Config } from "./config.ts";

/** Where the kubelet mounts a Pod's service account. */
const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** What was looked for and is not there. */
export interface NotFound {
  /** For a sentence: `name: what is wrong`. */
  readonly missing: string;
}

/** The configuration of a process that runs in a Pod, or what speaks against its being one. */
export async function inClusterConfig(
  env: ReadEnv,
  readFile: ReadFile,
): Promise<Config | NotFound> {
  const host = env("KUBERNETES_SERVICE_HOST");
  const port = env("KUBERNETES_SERVICE_PORT");
  if (!host || !port) return { missing: "in-cluster: KUBERNETES_SERVICE_HOST or _PORT is not set" };
  const tokenFile = `${ACCOUNT}/token`;
  try {
    await readFile(tokenFile);
    return {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      tokenFile,
      caData: await readFile(`${ACCOUNT}/ca.crt`),
      namespace: await readNamespace(readFile),
    };
  } catch (error) {
    return { missing: `in-cluster: ${describeError(error)}` };
  }
}

async function readNamespace(readFile: ReadFile): Promise<string | undefined> {
  try {
    return (await readFile(`${ACCOUNT}/namespace`)).trim() || undefined;
  } catch {
    return undefined;
  }
}
