import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import { type AccessAttributes, showErrors, type UserInfo } from "../access/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { checkNamespaceMatches, type ResourceInfo, updateManagedFields } from "../kinds/mod.ts";
import { badRequest, type FieldError, invalid, invalidValue, type Json } from "../values/mod.ts";
import { readObject, readWriteOptions } from "./write_context.ts";

/** Reports whether the resource is a review. Reviews are answered and not stored. */
export function isReview({ group }: ResourceInfo): boolean {
  return group === "authorization.k8s.io" || group === "authentication.k8s.io";
}

interface AccessReviewSpec {
  resourceAttributes?: Partial<AccessAttributes>;
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  groups?: string[];
}

/** Answers a review: who the caller is, or what a user may do. */
export async function handleReview(exchange: ResourceExchange): Promise<Answer> {
  const options = readWriteOptions(exchange, "CreateOptions");
  const body = await readObject(exchange, options);
  const { resource, server, user } = exchange;
  if (resource.kind.kind === "SelfSubjectReview") {
    const object = {
      ...body,
      metadata: { ...body.metadata, creationTimestamp: formatTime(server.clock.wallNow()) },
      status: { userInfo: userInfoOf(user) },
    };
    return { type: "object", code: 201, text: resource.encodeStored(object) };
  }
  if (resource.kind.kind === "SelfSubjectRulesReview") {
    const object = { ...body, spec: {}, status: rulesStatus(exchange, body) };
    return { type: "object", code: 201, text: resource.encodeStored(object) };
  }
  const { manager, now } = options;
  const { namespace } = exchange.info;
  checkNamespaceMatches(namespace, body);
  const metadata = namespace === "" ? body.metadata : { ...body.metadata, namespace };
  const next = { ...body, metadata };
  const managed = updateManagedFields({ kind: resource.kind, next, manager, now });
  const status = resource.kind.kind === "TokenReview"
    ? tokenStatus(exchange, body)
    : accessStatus(exchange, managed);
  const text = resource.encodeStored({ ...managed, status } as KubeObject);
  return { type: "object", code: 201, text };
}

/** Says whom a token authenticates. */
function tokenStatus({ server }: ResourceExchange, body: KubeObject): object {
  const { spec = {} } = body as KubeObject & {
    spec?: { token?: string; audiences?: string[] };
  };
  if (!spec.token) throw badRequest("token is required for TokenReview in authentication");
  const audiences = spec.audiences?.length ? spec.audiences : undefined;
  const answer = server.authenticator.review(spec.token, audiences);
  return "error" in answer
    ? { user: {}, error: answer.error }
    : { authenticated: true, user: userInfoOf(answer.user), audiences: answer.audiences };
}

/** Says whether a user may do something. */
function accessStatus({ resource, server, user }: ResourceExchange, review: KubeObject): object {
  const { spec = {} } = review as KubeObject & { spec?: AccessReviewSpec };
  const isLocal = resource.namespaced;
  const aboutAnother = isLocal || resource.kind.kind === "SubjectAccessReview";
  const errors = [
    ...specErrors(spec, aboutAnother),
    ...metadataErrors(review, isLocal),
    ...(isLocal ? localErrors(review, spec) : []),
  ];
  if (errors.length > 0) throw invalid({ group: "authorization.k8s.io", kind: "" }, "", errors);
  const subject = aboutAnother ? { username: spec.user ?? "", groups: spec.groups ?? [] } : user;
  const { allowed, reason } = server.authorizer.decide(subject, attributesOf(spec));
  return { allowed, ...(reason === "" ? {} : { reason }) };
}

/** A review is not stored, so it needs no metadata. */
function metadataErrors({ metadata }: KubeObject, isLocal: boolean): FieldError[] {
  const { managedFields: _, namespace, ...rest } = metadata;
  if (Object.keys(rest).length === 0 && (isLocal || namespace === undefined)) return [];
  const text = isLocal ? "must be empty except for namespace" : "must be empty";
  return [invalidValue("metadata", metadata as unknown as Json, text)];
}

function localErrors({ metadata }: KubeObject, spec: AccessReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  const namespace = resourceAttributes?.namespace ?? "";
  if (resourceAttributes !== undefined && namespace !== metadata.namespace) {
    const text = "must match metadata.namespace";
    errors.push(invalidValue("spec.resourceAttributes.namespace", namespace, text));
  }
  if (nonResourceAttributes !== undefined) {
    const { path = "", verb = "" } = nonResourceAttributes;
    const text = "disallowed on this kind of request";
    errors.push(invalidValue("spec.nonResourceAttributes", { Path: path, Verb: verb }, text));
  }
  return errors;
}

/** Returns the errors of a spec that does not say exactly which access, or whose. */
function specErrors(spec: AccessReviewSpec, aboutAnother: boolean): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user = "", groups = [] } = spec;
  const errors: FieldError[] = [];
  const one = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    errors.push(invalidValue("spec.resourceAttributes", null, one));
  }
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    errors.push(
      invalidValue(
        "spec.nonResourceAttributes",
        "cannot be specified in combination with resourceAttributes",
        one,
      ),
    );
  }
  if (aboutAnother && user === "" && groups.length === 0) {
    errors.push(invalidValue("spec.user", user, "at least one of user or group must be specified"));
  }
  return errors;
}

function rulesStatus({ server, user }: ResourceExchange, body: KubeObject): object {
  const namespace = (body as KubeObject & { spec?: { namespace?: string } }).spec?.namespace;
  if (!namespace) throw badRequest("no namespace on request");
  const { rules, errors } = server.authorizer.rulesFor(user, namespace);
  const resourceRules = rules.filter(({ resources }) => (resources ?? []).length > 0);
  const nonResourceRules = rules.filter(({ nonResourceURLs: urls }) => (urls ?? []).length > 0);
  return {
    resourceRules: resourceRules.map(({ nonResourceURLs: _, ...rule }) => rule),
    nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
      verbs,
      nonResourceURLs,
    })),
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: showErrors(errors) }),
  };
}

function attributesOf(spec: AccessReviewSpec): AccessAttributes {
  const none = { group: "", resource: "", subresource: "", namespace: "", name: "", verb: "" };
  const path = spec.nonResourceAttributes;
  if (path !== undefined) return { ...none, verb: path.verb ?? "", path: path.path ?? "" };
  return { ...none, ...spec.resourceAttributes };
}

function userInfoOf({ username, uid, groups, extra }: UserInfo): object {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra }),
  };
}
