import type { CallOptions, PodReference } from "@kubeloop/controller/client";

/** A path in a container. */
export interface ContainerPath {
  /** The name of the Pod, or the Pod. */
  readonly pod: PodReference;
  /** The namespace of the Pod, if `pod` is a name. */
  readonly namespace?: string | undefined;
  /** The container. Default: the only container of the Pod. */
  readonly container?: string | undefined;
  /** The path of the file or directory. */
  readonly path: string;
}

/** The progress of a copy. */
export interface CopyProgress {
  /** The path of the current file, relative to the copied file or directory; `.` for that itself. */
  readonly path: string;
  /** The number of files so far, including the current one. */
  readonly files: number;
  /** The number of copied bytes of files. */
  readonly bytes: number;
}

/** Options of `copyTo` and `copyFrom`. */
export interface CopyOptions extends Pick<CallOptions, "signal" | "timeoutMs"> {
  /** Called for each file and each part of it. If it throws, the copy ends with that error. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** The result of a copy. */
export interface CopyResult {
  /** The number of copied regular files. */
  readonly files: number;
  /** The number of bytes of these files. */
  readonly bytes: number;
  /**
   * The first hundred skipped paths: devices, sockets, pipes, and links that would lead out of the destination.
   */
  readonly skipped: readonly string[];
}
