import {
  checkedElsewhere,
  isFunction,
  isName,
  isSignal,
  isTimeLimit,
  type OptionChecks,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import type { ContainerPath, CopyOptions, CopyResult } from "./copy_options.ts";

const CHECKS: OptionChecks<CopyOptions> = {
  onProgress: isFunction,
  signal: isSignal,
  timeoutMs: isTimeLimit,
};

const PLACE_CHECKS: OptionChecks<ContainerPath> = {
  // Building the path of the subresource checks both.
  pod: checkedElsewhere,
  namespace: checkedElsewhere,
  container: isName,
  path: checkedElsewhere,
};

/**
 * Copies a file or a directory from a container: `kubectl cp POD:PATH LOCAL`. The container must have `tar`.
 *
 * The copy gets the path `to`: a file is written there, and a directory is merged into the directory there. Modes are kept,
 * without setuid and setgid; owners and times are not. The archive of the container is not trusted: no name or link in it
 * makes the call write outside of `to`. Links that would lead out of `to` are skipped. An existing file is replaced when its
 * copy is complete; an existing directory keeps its mode.
 *
 * @param client The client.
 * @param from The path in the container.
 * @param to The local path. Its parent directory must exist.
 * @param options A callback for the progress, and limits of the call.
 * @returns The numbers of files and bytes, and the skipped paths.
 * @throws {Error} If `tar` fails, or its output is not an archive or has a path outside of `to`. Complete files stay.
 * @throws {StatusError} If the server refuses, or the container has no `tar`.
 *
 * @example
 * ```ts ignore
 * import { Client, loadConfig } from "@kubeloop/controller/client";
 * import { copyFrom } from "@kubeloop/kubectl";
 *
 * await using client = new Client(await loadConfig());
 * const from = { pod: "web-0", namespace: "default", path: "/var/log/nginx" };
 * const { files, bytes } = await copyFrom(client, from, "./logs");
 * console.log(`${files} files, ${bytes} bytes`);
 * ```
 */
export async function copyFrom(
  client: Client,
  from: ContainerPath,
  to: string,
  options: CopyOptions = {},
): Promise<CopyResult> {
  requireOptions("from of copyFrom()", from, PLACE_CHECKS);
  requirePath("from.path", from.path);
  requirePath("to", to);
  requireOptions("copyFrom()", options, CHECKS);
  // Loads node:fs only in programs that copy.
  const { copyFromContainer } = await import("./copy_from_container.ts");
  return await copyFromContainer(client, from, to, options);
}

/**
 * Copies a file or a directory to a container: `kubectl cp LOCAL POD:PATH`. The container must have `tar`.
 *
 * The copy gets the path `to.path`, whose parent directory must exist. Modes and times are kept, owners are not. Links are
 * copied as links and not followed.
 *
 * @param client The client.
 * @param from The local path.
 * @param to The path in the container.
 * @param options A callback for the progress, and limits of the call.
 * @returns The numbers of files and bytes, and the skipped paths.
 * @throws {Error} If `tar` fails, or a local file cannot be read or changes while it is read.
 * @throws {StatusError} If the server refuses, or the container has no `tar`.
 *
 * @example
 * ```ts ignore
 * import { Client, loadConfig } from "@kubeloop/controller/client";
 * import { copyTo } from "@kubeloop/kubectl";
 *
 * await using client = new Client(await loadConfig());
 * await copyTo(client, "./site", { pod: "web-0", namespace: "default", path: "/srv/site" });
 * ```
 */
export async function copyTo(
  client: Client,
  from: string,
  to: ContainerPath,
  options: CopyOptions = {},
): Promise<CopyResult> {
  requirePath("from", from);
  requireOptions("to of copyTo()", to, PLACE_CHECKS);
  requirePath("to.path", to.path);
  requireOptions("copyTo()", options, CHECKS);
  const { copyToContainer } = await import("./copy_to_container.ts");
  return await copyToContainer(client, from, to, options);
}

function requirePath(name: string, path: string): void {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return;
  throw new TypeError(`Invalid ${name}: expected the path of a file or a directory`);
}
