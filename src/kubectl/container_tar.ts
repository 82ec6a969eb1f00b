import type { Client } from "@kubeloop/controller/client";
import type { ContainerPath } from "./copy_options.ts";
import { shownBy } from "./shown.ts";

/** The maximum number of skipped paths that are kept. */
const MAX_SKIPPED = 100;

/** A path in a container, split for `tar -C DIRECTORY`. */
export interface SplitPath {
  readonly directory: string;
  readonly name: string;
}

/**
 * Splits the path of a container.
 *
 * @throws {TypeError} If its last part is `..`, which does not name a file.
 */
export function splitPath(path: string): SplitPath {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const root = path.startsWith("/") ? "/" : "./";
  const name = parts.pop();
  if (name === undefined) return { directory: root, name: "." };
  if (name === "..") {
    throw new TypeError(
      `Invalid path of a container: it ends with "..", give the directory's name`,
    );
  }
  return { directory: root + parts.join("/"), name };
}

/** Counts the copied files and bytes, and notes the skipped paths. */
export class CopyCount {
  /** The number of files. */
  files = 0;
  /** The bytes of the files. */
  bytes = 0;
  /** The skipped paths. */
  readonly skipped: string[] = [];

  /** Notes a skipped path. */
  skip(path: string): void {
    if (this.skipped.length < MAX_SKIPPED) this.skipped.push(path);
  }
}

/** Returns the error of a failed `tar`. */
export function tarFailed(
  client: Client,
  { path }: ContainerPath,
  exitCode: number,
  stderr: string,
): Error {
  const said = shownBy(client)(stderr);
  return new Error(
    `tar in the container failed with exit code ${exitCode} on ${JSON.stringify(path)}${
      said === "" ? "" : `: ${said}`
    }`,
  );
}
