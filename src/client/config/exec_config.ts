/**
 * An exec plugin: a program that obtains credentials, like `users[].user.exec` of a kubeconfig. Plain data.
 *
 * The program is run when a request needs credentials, once for all requests that wait, and again when the credentials
 * have expired or the server rejects them.
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
  /** The API version of the ExecCredential that the program receives and prints. */
  readonly apiVersion: ExecApiVersion;
  /** The program: a path, or a name to look up in PATH. */
  readonly command: string;
  /** The arguments of the program. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Environment variables in addition to the environment of this process. Default: none. */
  readonly env?: readonly ExecEnvVar[] | undefined;
  /** The text to show to users if the program is not found. */
  readonly installHint?: string | undefined;
  /** Whether KUBERNETES_EXEC_INFO contains `cluster`, the information about the cluster. Default false. */
  readonly provideClusterInfo?: boolean | undefined;
  /**
   * Whether the program may read from a terminal. `Always` without a terminal is an error. Default `IfAvailable`, also
   * for v1, where kubectl requires a value.
   */
  readonly interactiveMode?: ExecInteractiveMode | undefined;
  /** The information about the cluster that `provideClusterInfo` passes to the program. */
  readonly cluster?: ExecCluster | undefined;
  /**
   * The number of milliseconds after which the program is killed. `Infinity` means never, as in kubectl.
   * Default 60 000.
   */
  readonly timeoutMs?: number | undefined;
}

/** The supported versions of `client.authentication.k8s.io`. */
export type ExecApiVersion =
  | "client.authentication.k8s.io/v1"
  | "client.authentication.k8s.io/v1beta1";

/** Whether a plugin reads from a terminal. */
export type ExecInteractiveMode = "Never" | "IfAvailable" | "Always";

/** An environment variable of a plugin. */
export interface ExecEnvVar {
  /** The name of the variable. */
  readonly name: string;
  /** The value of the variable. */
  readonly value: string;
}

/** The information about a cluster that a plugin receives, as `spec.cluster` of an ExecCredential. */
export interface ExecCluster {
  /** The URL of the API server. */
  readonly server: string;
  /** The name that the server's certificate must match. */
  readonly "tls-server-name"?: string | undefined;
  /** Whether any certificate of the server is accepted. */
  readonly "insecure-skip-tls-verify"?: boolean | undefined;
  /** The CA certificates to trust: PEM text in base64. */
  readonly "certificate-authority-data"?: string | undefined;
  /** The URL of the proxy. */
  readonly "proxy-url"?: string | undefined;
  /** The cluster's extension `client.authentication.k8s.io/exec`: settings that only the plugin interprets. */
  readonly config?: unknown;
}
