import { type CallOptions, type Client, type PodReference } from "../client/mod.ts";

/** A path in a container. */
export interface ContainerPath {
  /** The name of the Pod, or the Pod. */
  readonly pod: PodReference;
  /** The namespace of the Pod, if it is given by its name. */
  readonly namespace?: string | undefined;
  /** The container. Default: the only container of the Pod. */
  readonly container?: string | undefined;
  /** The path of the file or directory. */
  readonly path: string;
}

/** How far a copy is. */
export interface CopyProgress {
  /** The path of the current file, below the file or directory that is copied; `.` for that itself. */
  readonly path: string;
  /** The files that were begun. */
  readonly files: number;
  /** The bytes of files that were copied. */
  readonly bytes: number;
}

/** Options of {@linkcode copyTo} and {@linkcode copyFrom}. */
export interface CopyOptions extends Pick<CallOptions, "signal" | "timeoutMs"> {
  /** Called for each file and each part of it. An error that it throws ends the copy. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** What was copied. */
export interface CopyResult {
  /** The number of regular files. */
  readonly files: number;
  /** The bytes of these files. */
  readonly bytes: number;
  /**
   * The paths that were left out, at most a hundred: devices, sockets and pipes, and links that would lead out of the
   * directory.
   */
  readonly skipped: readonly string[];
}

/**
 * Copies a file or a directory from a container: `kubectl cp POD:PATH LOCAL`. The container must have `tar`.
 *
 * The copy gets the path `to`: a file is written there, and a directory is merged into the directory there. Modes are kept,
 * without setuid and setgid; owners and times are not. What a container sends is not trusted: nothing is written outside of
 * `to`, whatever names and links come. A link that would lead out of it is left out.
 *
 * @param client The client.
 * @param from The path in the container.
 * @param to The local path. Its parent directory must exist.
 * @param options A callback for the progress, and limits of the call.
 * @returns What was copied.
 * @throws {Error} If `tar` fails, or what it sends is no archive or tries to leave `to`. Files that were complete stay.
 * @throws {StatusError} If the server refuses, or the container has no `tar`.
 *
 * @example
 * ```ts ignore
 * import { Client, loadConfig } from "@kubeloop/controller/client";
 * import { copyFrom } from "@kubeloop/controller/kubectl";
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
  requirePath("from.path", from.path);
  requirePath("to", to);
  // Programs that copy nothing need no node:fs.
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
 * @returns What was copied.
 * @throws {Error} If `tar` fails, or a local file cannot be read or changes while it is read.
 * @throws {StatusError} If the server refuses, or the container has no `tar`.
 *
 * @example
 * ```ts ignore
 * import { Client, loadConfig } from "@kubeloop/controller/client";
 * import { copyTo } from "@kubeloop/controller/kubectl";
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
  requirePath("to.path", to.path);
  const { copyToContainer } = await import("./copy_to_container.ts");
  return await copyToContainer(client, from, to, options);
}

function requirePath(name: string, path: string): void {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return;
  throw new TypeError(`Invalid ${name}: expected the path of a file or a directory`);
}
