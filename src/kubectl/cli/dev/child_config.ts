import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isRecord } from "@kubeloop/controller/internal/base";
import { readYaml } from "@kubeloop/controller/internal/yaml";

/** The name of the context and the user of a ServiceAccount. */
const NAME = "kubeloop-dev";

/** Options of {@linkcode writeChildConfig}. */
export interface ChildConfigOptions {
  /** The folder to write to. */
  readonly folder: string;
  /** The files of the kubeconfig, the first one first. */
  readonly files: readonly string[];
  /** The context. */
  readonly context: string;
  /** The file with the token of a ServiceAccount, and its namespace; undefined for the user of the context. */
  readonly account?: { readonly tokenFile: string; readonly namespace: string } | undefined;
  readonly readFile: (path: string) => Promise<string>;
}

/**
 * Writes a kubeconfig that selects a context of other files, for the variable KUBECONFIG of a program. No credential is
 * copied: of several files, the first one has the current context, and relative paths keep their folders.
 *
 * @returns The value of KUBECONFIG.
 */
export async function writeChildConfig(options: ChildConfigOptions): Promise<string> {
  const { account, context, files, folder, readFile } = options;
  const base = { apiVersion: "v1", kind: "Config" };
  const path = join(folder, "context.kubeconfig");
  const config = account === undefined ? { ...base, "current-context": context } : {
    ...base,
    "current-context": NAME,
    contexts: [{
      name: NAME,
      context: {
        cluster: await clusterOf(context, files, readFile),
        user: NAME,
        namespace: account.namespace,
      },
    }],
    users: [{ name: NAME, user: { tokenFile: account.tokenFile } }],
  };
  await writeFile(path, `${JSON.stringify(config)}\n`, { mode: 0o600 });
  return [path, ...files].join(delimiter);
}

/** Returns the name of the cluster of a context. */
async function clusterOf(
  name: string,
  files: readonly string[],
  readFile: (path: string) => Promise<string>,
): Promise<string> {
  for (const path of files) {
    const config = await readYaml(await readFile(path).catch(() => ""));
    const contexts: unknown = isRecord(config) ? config["contexts"] : undefined;
    if (!Array.isArray(contexts)) continue;
    const entry = contexts.filter(isRecord).find((one) => one["name"] === name);
    const context = entry?.["context"];
    if (isRecord(context) && typeof context["cluster"] === "string") return context["cluster"];
  }
  throw new Error(`The kubeconfig has no context ${name} with a cluster`);
}
