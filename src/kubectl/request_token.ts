import {
  describeValue,
  isCount,
  isSignal,
  type OptionChecks,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { type KubeObject, ServiceAccounts } from "@kubeloop/controller/types";
import { namedPlaceOf, type NamedTarget, requireClient } from "./target.ts";

/** The shortest lifetime that a server accepts, in seconds. */
const MIN_SECONDS = 600;

/** Options of {@linkcode requestToken}. */
export interface RequestTokenOptions {
  /** The audiences that accept the token. Default: the API server. */
  readonly audiences?: readonly string[] | undefined;
  /** The requested lifetime, in seconds, at least 600. The server may choose another. Default 3600. */
  readonly expirationSeconds?: number | undefined;
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<RequestTokenOptions> = {
  audiences: (name, value) => {
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return;
    throw new TypeError(`${name} must be a list of texts: received ${describeValue(value)}`);
  },
  expirationSeconds: isCount(MIN_SECONDS),
  signal: isSignal,
};

/** A token of a ServiceAccount. */
export interface RequestedToken {
  /** The token, a secret: it gives all rights of the ServiceAccount. */
  readonly token: string;
  /** The time at which the token expires (RFC 3339). */
  readonly expirationTimestamp: string;
}

interface TokenRequest extends KubeObject {
  readonly spec: {
    readonly audiences?: readonly string[];
    readonly expirationSeconds?: number;
  };
  readonly status?: Partial<RequestedToken>;
}

/**
 * Requests a token of a ServiceAccount, as `kubectl create token` does.
 *
 * @param client The client that makes the request.
 * @param serviceAccount The ServiceAccount.
 * @param options The audiences and the lifetime.
 * @returns The token, and the time at which it expires.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { requestToken } from "@kubeloop/kubectl";
 *
 * async function clientAs(client: Client, server: string, name: string, namespace: string) {
 *   const { token } = await requestToken(client, { name, namespace }, { expirationSeconds: 900 });
 *   return new Client({ server, token });
 * }
 * ```
 */
export async function requestToken(
  client: Client,
  serviceAccount: NamedTarget,
  options: RequestTokenOptions = {},
): Promise<RequestedToken> {
  requireClient(client, "requestToken");
  const { name, namespace } = namedPlaceOf(serviceAccount, "requestToken");
  requireOptions("requestToken()", options, CHECKS);
  const { audiences, expirationSeconds, signal } = options;
  const spec = {
    ...(audiences === undefined ? {} : { audiences }),
    ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
  };
  const request: TokenRequest = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name, namespace },
    spec,
  };
  const call = { namespace, subresource: "token", signal };
  const { status } = await client.create<TokenRequest>(ServiceAccounts, request, call);
  const { token, expirationTimestamp } = status ?? {};
  if (typeof token === "string" && token !== "" && typeof expirationTimestamp === "string") {
    return { token, expirationTimestamp };
  }
  throw new Error(`The server answered without a token of ServiceAccount ${namespace}/${name}`);
}
