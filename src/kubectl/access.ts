import {
  checkedElsewhere,
  describeValue,
  isRecord,
  isSignal,
  type OptionChecks,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { SelfSubjectReviews } from "@kubeloop/controller/types/authentication/v1";
import {
  SelfSubjectAccessReviews,
  type SelfSubjectAccessReviewSpec,
} from "@kubeloop/controller/types/authorization/v1";
import type { ResourceDescriptor } from "@kubeloop/controller/types";
import { requireClient } from "./target.ts";

/** A kind of request: a verb, and a resource or a path. */
export type AccessQuestion =
  | {
    /** The verb, such as `get`, `create` or `*`. */
    readonly verb: string;
    /** The resource. */
    readonly resource: Pick<ResourceDescriptor, "group" | "plural">;
    /** The subresource, such as `scale`. Default: the objects themselves. */
    readonly subresource?: string | undefined;
    /** The namespace. Default: all namespaces. Omit it for a cluster-scoped resource. */
    readonly namespace?: string | undefined;
    /** The name of the object. Default: any. */
    readonly name?: string | undefined;
  }
  | {
    /** The verb, such as `get`. */
    readonly verb: string;
    /** A path that does not belong to a resource, such as `/metrics`. */
    readonly path: string;
  };

/** Options of {@linkcode canI} and {@linkcode whoAmI}. */
export interface AccessOptions {
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<AccessOptions> = { signal: isSignal };

type AccessPart = "verb" | "path" | "resource" | "subresource" | "namespace" | "name";

/** Checks of the parts of a question. Ignoring a misspelt part would ask about all objects. */
const QUESTION_CHECKS: OptionChecks<Record<AccessPart, unknown>> = {
  verb: checkedElsewhere,
  path: checkedElsewhere,
  resource: checkedElsewhere,
  subresource: checkedElsewhere,
  namespace: checkedElsewhere,
  name: checkedElsewhere,
};

/** The user of a client, as the server has authenticated it. */
export interface ClientIdentity {
  /** The name of the user. */
  readonly username: string;
  /** The groups of the user. */
  readonly groups: readonly string[];
  /** The unique ID of the user; empty if the server has none. */
  readonly uid: string;
  /** Further attributes of the user, from the authenticator of the server. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reports whether the client is authorized to make a request, as `kubectl auth can-i` does. Admission, which depends on the
 * content of the request, may still refuse it.
 *
 * @param client The client that makes the request.
 * @param question The verb, and the resource or the path.
 * @param options A signal.
 * @throws {TypeError} If the question is incomplete.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { canI } from "@kubeloop/kubectl";
 * import { Secrets } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assert } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * assert(await canI(client, { verb: "list", resource: Secrets, namespace: "default" }));
 * ```
 */
export async function canI(
  client: Client,
  question: AccessQuestion,
  options: AccessOptions = {},
): Promise<boolean> {
  requireClient(client, "canI");
  requireOptions("canI()", options, CHECKS);
  const { signal } = options;
  const review = { metadata: {}, spec: attributesOf(question) };
  const { status } = await client.create(SelfSubjectAccessReviews, review, { signal });
  return status?.allowed === true;
}

function attributesOf(question: AccessQuestion): SelfSubjectAccessReviewSpec {
  const given: unknown = question;
  if (!isRecord(given) || typeof given.verb !== "string" || given.verb === "") {
    throw new TypeError(
      'canI() needs a verb and a resource or a path, as in { verb: "get", resource: Pods }: ' +
        `received ${
          isRecord(given) ? `the verb ${describeValue(given.verb)}` : describeValue(given)
        }`,
    );
  }
  requireOptions("The question of canI()", given, QUESTION_CHECKS);
  const { verb, path, resource } = given;
  if (typeof path === "string") return { nonResourceAttributes: { verb, path } };
  if (!isRecord(resource) || typeof resource.plural !== "string") {
    throw new TypeError(
      `canI() needs a resource such as Pods, or a path: received ${describeValue(resource)}`,
    );
  }
  const { group = "", plural } = resource as { group?: string; plural: string };
  const attributes: Record<string, string> = { verb, group, resource: plural };
  // An empty part means all objects, which would be another question.
  for (const part of ["subresource", "namespace", "name"]) {
    const value = given[part];
    if (value === undefined) continue;
    if (typeof value !== "string" || value === "") {
      throw new TypeError(
        `${part} must be a non-empty text, or left out: received ${describeValue(value)}`,
      );
    }
    attributes[part] = value;
  }
  return { resourceAttributes: attributes };
}

/**
 * Returns the user of the client, as the server has authenticated it: `kubectl auth whoami`.
 *
 * @param client The client that makes the request.
 * @param options A signal.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { whoAmI } from "@kubeloop/kubectl";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assert } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const { groups } = await whoAmI(client);
 * assert(groups.includes("system:masters"));
 * ```
 */
export async function whoAmI(
  client: Client,
  options: AccessOptions = {},
): Promise<ClientIdentity> {
  requireClient(client, "whoAmI");
  requireOptions("whoAmI()", options, CHECKS);
  const { signal } = options;
  const { status } = await client.create(SelfSubjectReviews, { metadata: {} }, { signal });
  const { username, groups, uid, extra } = status?.userInfo ?? {};
  return { username: username ?? "", groups: groups ?? [], uid: uid ?? "", extra: extra ?? {} };
}
