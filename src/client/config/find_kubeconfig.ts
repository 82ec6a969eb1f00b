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
 * Finds the kubeconfig files to use: the file that the caller named; or the existing files in KUBECONFIG;
 * or, if KUBECONFIG is not set, `~/.kube/config`. Empty files are left out, as by kubectl, which creates them for
 * write to one of several files.
 */
export async function findKubeconfig(search: KubeconfigSearch): Promise<FoundKubeconfig> {
  const { named, env, readFile } = search;
  const found = new Found();
  if (named !== undefined) {
    await found.add(named, await readConfigFile("kubeconfig", named, readFile), "kubeconfig");
    return found;
  }
  const listed = splitList(env("KUBECONFIG") ?? "");
  if (listed.length > 0) {
    for (const path of listed) {
      const text = await readListed(path, readFile);
      if (text !== undefined) await found.add(path, text, "KUBECONFIG names");
      else found.tried.push(`KUBECONFIG names ${showPath(path)}, which does not exist`);
    }
    return found;
  }
  found.tried.push("KUBECONFIG is not set, or may not be read");
  const home = env("HOME") ?? env("USERPROFILE");
  if (!home) {
    found.tried.push("~/.kube/config: HOME is not set, or may not be read");
    return found;
  }
  const path = join(home, ".kube", "config");
  let text: string;
  try {
    text = await readConfigFile("kubeconfig", path, readFile);
  } catch (error) {
    found.tried.push(describeError(error));
    return found;
  }
  await found.add(path, text, "kubeconfig");
  return found;
}

/** Collects the files. */
class Found implements FoundKubeconfig {
  readonly files: KubeconfigFile[] = [];
  readonly tried: string[] = [];

  /** Adds the file at `path`, unless `text` is empty. */
  async add(path: string, text: string, what: string): Promise<void> {
    if (text.trim() !== "") this.files.push(await KubeconfigFile.parse(text, path));
    else this.tried.push(`${what} ${showPath(path)}, which is empty`);
  }
}

/** Returns the text of a file in KUBECONFIG; undefined if the file does not exist. */
async function readListed(path: string, readFile: ReadFile): Promise<string | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Error {
  const shown = showPath(path);
  return new Error(
    `Cannot read kubeconfig, ${shown}, named by KUBECONFIG: ${readFailure(path, shown, error)}`,
  );
}

/** Reports whether a file does not exist, as opposed to a file that may not be read. */
function isMissing(error: unknown): boolean {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return code === "ENOENT" || name === "NotFound" || /ENOENT/.test(describeError(error));
}

/** Returns the files in KUBECONFIG, which lists files as PATH lists folders, without empty and repeated ones. */
function splitList(list: string): string[] {
  const separator = /^[A-Za-z]:[\\/]/.test(list) ? ";" : delimiter;
  return [...new Set(list.split(separator).filter((path) => path !== ""))];
}
