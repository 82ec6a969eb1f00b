import type { KubeObject } from "@kubeloop/controller/types";
import type { UserInfo } from "../access/mod.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import { canonical, type KindInfo } from "../schema/mod.ts";
import { encodeJson, type Json, type JsonObject, readJson } from "../../values/mod.ts";

/** The operation of a request, for admission. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The facts about a request that admission webhooks get. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** The resource of the path. */
  readonly resource: ResourceInfo;
  /** The subresource of the path; empty for the object itself. */
  readonly subresource: string;
  /** The kind of the objects: that of the resource, or of the subresource. */
  readonly kind: KindInfo;
  /** The name in the path or the object; empty if the server is to generate it, and for a collection. */
  readonly name: string;
  /** The namespace; for a namespace itself, its name. */
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The options of the request, as an object of `meta.k8s.io/v1`; null for a connection. */
  readonly options: JsonObject | null;
  /** The new object; undefined for a deletion. For a connection, its options, which have no metadata. */
  readonly object: KubeObject | undefined;
  /** The present object; undefined for a creation. */
  readonly oldObject: KubeObject | undefined;
  /** The texts of the Warning headers of the answer, to which webhooks add. */
  readonly warnings: string[];
  /** Aborts with the request. */
  readonly signal: AbortSignal;
  /** The time of the server's clock at which the request must be answered, in milliseconds. */
  readonly deadlineMs: number;
}

/** The form in which a webhook gets a request: in a version that its rules name. */
export interface Invocation {
  readonly resource: ResourceInfo;
  readonly kind: KindInfo;
}

/** Returns the review to send to a webhook. */
export function admissionReview(
  attributes: AdmissionAttributes,
  { resource, kind }: Invocation,
  version: string,
  uid: string,
): JsonObject {
  const { subresource, name, namespace } = attributes;
  const request: JsonObject = {
    uid,
    kind: gvk(kind),
    resource: gvr(resource),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: gvk(attributes.kind),
    requestResource: gvr(attributes.resource),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation: attributes.operation,
    userInfo: userOf(attributes.user),
    object: shown(attributes.object, kind),
    oldObject: shown(attributes.oldObject, kind),
    dryRun: attributes.dryRun,
    options: attributes.options,
  };
  return { kind: "AdmissionReview", apiVersion: `admission.k8s.io/${version}`, request };
}

/** Returns an object with its fields in the order in which the real server writes them. */
function shown(object: KubeObject | undefined, kind: KindInfo): Json {
  if (object === undefined) return null;
  const json = object as unknown as JsonObject;
  if (kind.custom === undefined) return canonical(json, kind.schema);
  return readJson(encodeJson(json, kind.schema));
}

function gvk({ group, version, kind }: KindInfo): JsonObject {
  return { group, version, kind };
}

function gvr({ definition: { group, version, plural } }: ResourceInfo): JsonObject {
  return { group, version, resource: plural };
}

function userOf({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(username === "" ? {} : { username }),
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extra === undefined ? {} : { extra: extra as unknown as Json }),
  };
}
