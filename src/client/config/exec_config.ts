/**
 * A program that obtains credentials, as `users[].user.exec` of a kubeconfig describes it: plain data. The program is run
 * when a request needs credentials, once for all requests that wait, and again when they have expired or the server
 * refuses them.
 *
 * @example
 * ```ts
 * import type { ExecConfig } from "@kubeloop/controller/client";
 *
 * const exec: ExecConfig = {
 *   apiVersion: "client.authentication.k8s.io/v1",
 *   command: "aws",
 *   args: ["eks", "get-token", "--cluster-name", "shop"],
 *   env: [{ name: "AWS_PROFILE", value: "prod" }],
 *   interactiveMode: "Never",
 * };
 * exec.command;
 * ```
 */
export interface ExecConfig {
  /** Which ExecCredential the program is given and prints. */
  readonly apiVersion: ExecApiVersion;
  /** The program: a path, or a name that is looked up in PATH. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Environment variables beside those of this process. Default: none. */
  readonly env?: readonly ExecEnvVar[] | undefined;
  /** What to tell people who do not have the program. */
  readonly installHint?: string | undefined;
  /** Whether the program is told about the cluster, `cluster` below, in KUBERNETES_EXEC_INFO. Default false. */
  readonly provideClusterInfo?: boolean | undefined;
  /**
   * Whether the program may read from a terminal. `Always` is an error when there is none. Default `IfAvailable`, also for
   * v1, where kubectl insists on a value.
   */
  readonly interactiveMode?: ExecInteractiveMode | undefined;
  /** What `provideClusterInfo` provides. */
  readonly cluster?: ExecCluster | undefined;
  /** Milliseconds after which the program is killed; `Infinity` means never, as with kubectl. Default 60 000. */
  readonly timeoutMs?: number | undefined;
}

/** The versions of `client.authentication.k8s.io` that plugins speak. */
export type ExecApiVersion =
  | "client.authentication.k8s.io/v1"
  | "client.authentication.k8s.io/v1beta1";

/** Whether a plugin needs somebody at a terminal. */
export type ExecInteractiveMode = "Never" | "IfAvailable" | "Always";

/** One environment variable of a plugin. */
export interface ExecEnvVar {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
}

/** The cluster, as `spec.cluster` of an ExecCredential shows it to a plugin. */
export interface ExecCluster {
  /** The URL of the API server. */
  readonly server: string;
  /** The name expected in the server's certificate. */
  readonly "tls-server-name"?: string | undefined;
  /** Whether the server's certificate goes unchecked. */
  readonly "insecure-skip-tls-verify"?: boolean | undefined;
  /** The certificates to trust: PEM text in base64. */
  readonly "certificate-authority-data"?: string | undefined;
  /** The proxy in front of it. */
  readonly "proxy-url"?: string | undefined;
  /** The cluster's extension `client.authentication.k8s.io/exec`: whatever the plugin wants to know. */
  readonly config?: unknown;
}
