import type { Clock } from "@kubeloop/controller/internal/base";
import type { ApiServer } from "../../api_server/mod.ts";
import type { Process } from "../world/mod.ts";

/** A program of any language, which connects to the API server that the kubeconfig in KUBECONFIG names. */
export interface OperatorCommand {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** More variables for its environment. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder in which it starts. Default: the folder of this process. */
  readonly cwd?: string | undefined;
}

/** A version of an operator: a process of a simulation, or a command. */
export type RehearsedOperator = Process | OperatorCommand;

/** A started operator. */
export interface RunningOperator {
  /** Whether it has ended by itself, for good. */
  readonly hasEnded: boolean;
  /** Ends it. Returns its failures. */
  end(): Promise<readonly string[]>;
}

/** The stage for one version: its clock, and how the operator starts on a server. */
export interface Stage {
  readonly clock: Clock;
  /** Lets time pass until `work` is done. */
  run<T>(work: Promise<T>): Promise<T>;
  start(server: ApiServer): Promise<RunningOperator>;
}
