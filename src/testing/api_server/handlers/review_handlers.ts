import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import { showErrors } from "../access/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { parseLabelSelector } from "../http/mod.ts";
import {
  checkFieldSelector,
  checkNamespaceMatches,
  type Review,
  type ReviewView,
  updateManagedFields,
} from "../kinds/mod.ts";
import { ApiError, type JsonObject } from "../../values/mod.ts";
import { admitUnstored } from "./subresource_body.ts";
import { readObject, readWriteOptions, type WriteOptions } from "./write_context.ts";

/** Answers a review, which is not stored: who the caller is, or what a user may do. */
export async function handleReview(exchange: ResourceExchange, review: Review): Promise<Answer> {
  const options = readWriteOptions(exchange, "CreateOptions");
  const body = await readObject(exchange, options);
  const asked = review.hasOwners ? owned(exchange, body, options) : body;
  const { body: admitted, confirm } = await admitUnstored(
    exchange,
    asked as unknown as JsonObject,
    exchange.resource.kind,
    options,
  );
  const object = review.answer(admitted, viewOf(exchange));
  await confirm(admitted);
  const text = exchange.resource.encodeStored(object as unknown as KubeObject);
  return { type: "object", code: 201, text };
}

function owned(
  { info: { namespace }, resource }: ResourceExchange,
  body: KubeObject,
  { manager, now }: WriteOptions,
): KubeObject {
  checkNamespaceMatches(namespace, body);
  const { namespace: _, ...rest } = body.metadata ?? {};
  const metadata = namespace === "" ? rest : { ...rest, namespace };
  const next = { ...body, metadata };
  return updateManagedFields({ kind: resource.kind, next, manager, now });
}

function viewOf({ server, user }: ResourceExchange): ReviewView {
  const { authenticator, authorizer, clock } = server;
  return {
    user,
    release: server.registry.release,
    now: formatTime(clock.wallNow()),
    decide: (asked, access) => authorizer.decide(asked, access),
    rules(namespace) {
      const { rules, errors } = authorizer.rulesFor(user, namespace);
      const error = errors.length === 0 ? "" : showErrors(errors);
      return { rules: rules as unknown as JsonObject[], error };
    },
    isSelector: {
      labelSelector: (text) => isAccepted(() => parseLabelSelector(text)),
      fieldSelector: (text) => isAccepted(() => checkFieldSelector(text)),
    },
    authenticate: (token, audiences) => authenticator.review(token, audiences),
  };
}

function isAccepted(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (!ApiError.is(error)) throw error;
    return false;
  }
}
