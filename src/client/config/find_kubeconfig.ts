import { delimiter, join } from "node:path";
import { describeError } from "../../base/mod.ts";
import { readConfigFile, readFailure } from "./config_file.ts";
import type { ReadEnv, ReadFile } from "./environment.ts";
import { KubeconfigFile } from "./kubeconfig_file.ts";
import { showPath } from "./shown.ts";

/** Options of {@linkcode findKubeconfig}. */
export interface KubeconfigSearch {
  /** The file that the caller named. It must exist. */
  readonly named: string | undefined;
  readonly env: ReadEnv;
  readonly readFile: ReadFile;
}

/** The result of {@linkcode findKubeconfig}. */
export interface FoundKubeconfig {
  /** The files, first to last; empty if none was found. */
  readonly files: readonly KubeconfigFile[];
  /** The places without a usable file, and why, for an error message. */
  readonly tried: readonly string[];
}

/**
 * Finds the kubeconfig files to use: the one that the caller named; or those in KUBECONFIG that exist; or, if
 * KUBECONFIG is not set, `~/.kube/config`.
 */
export async function findKubeconfig(search: KubeconfigSearch): Promise<FoundKubeconfig> {
  const { named, env, readFile } = search;
  if (named !== undefined) return { files: [await readKubeconfig(named, readFile)], tried: [] };
  const listed = splitList(env("KUBECONFIG") ?? "");
  if (listed.length > 0) return await readListed(listed, readFile);
  const tried = ["KUBECONFIG is not set, or may not be read"];
  const home = env("HOME") ?? env("USERPROFILE");
  if (!home) {
    return { files: [], tried: [...tried, "~/.kube/config: HOME is not set, or may not be read"] };
  }
  const path = join(home, ".kube", "config");
  let text: string;
  try {
    text = await readConfigFile("kubeconfig", path, readFile);
  } catch (error) {
    return { files: [], tried: [...tried, describeError(error)] };
  }
  return { files: [await KubeconfigFile.parse(text, path)], tried };
}

async function readListed(
  paths: readonly string[],
  readFile: ReadFile,
): Promise<FoundKubeconfig> {
  const files: KubeconfigFile[] = [];
  const tried: string[] = [];
  for (const path of paths) {
    let text: string;
    try {
      text = await readFile(path);
    } catch (error) {
      if (!isMissing(error)) throw unreadable(path, error);
      tried.push(`KUBECONFIG names ${showPath(path)}, which does not exist`);
      continue;
    }
    // kubectl creates an empty file when it is told to write to one of several files.
    if (paths.length === 1 || text.trim() !== "") {
      files.push(await KubeconfigFile.parse(text, path));
    } else tried.push(`KUBECONFIG names ${showPath(path)}, which is empty`);
  }
  return { files, tried };
}

async function readKubeconfig(path: string, readFile: ReadFile): Promise<KubeconfigFile> {
  return await KubeconfigFile.parse(await readConfigFile("kubeconfig", path, readFile), path);
}

function unreadable(path: string, error: unknown): Error {
  return new Error(
    `Cannot read kubeconfig, ${showPath(path)}, named by KUBECONFIG: ${readFailure(path, error)}`,
  );
}

/** Reports whether a file does not exist, as opposed to one that may not be read. */
function isMissing(error: unknown): boolean {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return code === "ENOENT" || name === "NotFound" || /ENOENT/.test(describeError(error));
}

/** Returns the files in KUBECONFIG, which lists files as PATH lists folders, without empty and repeated ones. */
function splitList(list: string): string[] {
  const separator = /^[A-Za-z]:[\\/]/.test(list) ? ";" : delimiter;
  return [...new Set(list.split(separator).filter((path) => path !== ""))];
}
