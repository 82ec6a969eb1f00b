import type { CallOptions, PodReference } from "@kubeloop/controller/client";

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

/** Options of `copyTo` and `copyFrom`. */
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
