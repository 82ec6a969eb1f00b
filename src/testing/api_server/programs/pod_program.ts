import { isRecord, requireFunctions } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";

/** A stream that a program writes to. */
export interface OutputWriter {
  /** Sends bytes, or a string as UTF-8. Resolves when there is room for more. What the client did not ask for is dropped. */
  write(data: string | Uint8Array): Promise<void>;
}

/** A command that a client has started in a container, or its attachment to a container. */
export interface ContainerProcess {
  /** The command and its arguments. Empty for an attachment. */
  readonly command: readonly string[];
  /** The standard input. It ends when the client ends it, and at once if the client has not opened it. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The standard output. */
  readonly stdout: OutputWriter;
  /** The standard error. */
  readonly stderr: OutputWriter;
  /** Whether the client has asked for a terminal. */
  readonly tty: boolean;
  /** The sizes of the terminal, as the client tells them. */
  readonly resized: AsyncIterable<{ readonly columns: number; readonly rows: number }>;
  /** Aborts when the client has left, when the Pod is deleted, and when the server closes. */
  readonly signal: AbortSignal;
  /** The Pod. */
  readonly pod: KubeObject;
  /** The name of the container. */
  readonly container: string;
}

/** A connection to a port of a Pod. */
export interface PortStream {
  /** The bytes from the client. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Sends bytes, or a string as UTF-8, to the client. Resolves when there is room for more. */
  write(data: string | Uint8Array): Promise<void>;
  /** Aborts when the client has left, when the Pod is deleted, and when the server closes. */
  readonly signal: AbortSignal;
  /** The Pod. */
  readonly pod: KubeObject;
  /** The port. */
  readonly port: number;
}

/** A program in the containers of some Pods. */
export interface PodProgram {
  /** The namespace of the Pods. Default: every namespace. */
  readonly namespace?: string | undefined;
  /** The name of the Pod. Default: every Pod. */
  readonly name?: string | undefined;
  /** The labels that the Pods have. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The container. Default: every container. */
  readonly container?: string | undefined;
  /**
   * Runs a command, and returns its exit code, by default 0. If it throws, the client gets the error that a kubelet sends
   * when it cannot run a command.
   */
  readonly exec?:
    | ((process: ContainerProcess) => number | void | Promise<number | void>)
    | undefined;
  /** Serves a client that attaches to the container, until the container ends. */
  readonly attach?: ((process: ContainerProcess) => void | Promise<void>) | undefined;
  /**
   * Serves connections, by port, or those to all ports. A connection ends when the function returns. If it throws, the
   * client gets the error. Other ports refuse connections.
   */
  readonly ports?:
    | Readonly<Record<number, (stream: PortStream) => void | Promise<void>>>
    | ((stream: PortStream) => void | Promise<void>)
    | undefined;
}

/**
 * Checks the programs of a server.
 *
 * @throws {TypeError} If the value is not an array of programs.
 */
export function requirePrograms(
  programs: readonly PodProgram[] | undefined,
): PodProgram[] {
  if (programs === undefined) return [];
  if (!Array.isArray(programs) || !programs.every(isRecord)) {
    throw new TypeError(
      "Invalid programs: expected an array of objects with exec, attach or ports",
    );
  }
  for (const { exec, attach, ports } of programs as readonly PodProgram[]) {
    requireFunctions({ exec, attach, ...(typeof ports === "function" ? { ports } : ports) });
  }
  return [...programs];
}

/** Returns the first program with `part` that fits a container of a Pod; any of its containers if none is given. */
export function findProgram(
  programs: readonly PodProgram[],
  { metadata }: KubeObject,
  part: "exec" | "attach" | "ports",
  container?: string,
): PodProgram | undefined {
  return programs.find((program) =>
    program[part] !== undefined &&
    (program.namespace ?? metadata.namespace) === metadata.namespace &&
    (program.name ?? metadata.name) === metadata.name &&
    (container === undefined || (program.container ?? container) === container) &&
    Object.entries(program.labels ?? {}).every(([key, value]) => metadata.labels?.[key] === value)
  );
}
