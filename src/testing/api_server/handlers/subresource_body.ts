import type { KubeObject } from "@kubeloop/controller/types";
import { updateManagedFields } from "../kinds/mod.ts";
import { writeAdmission } from "./admission.ts";
import type { ResourceExchange } from "./exchange.ts";
import { requireNamespace } from "./write_steps.ts";
import { apiVersionOf, type KindInfo } from "../schema/mod.ts";
import { getObject, type JsonObject } from "../../values/mod.ts";
import type { WriteOptions } from "./write_context.ts";

/** The body of a create of an object that is not stored, on its way through admission. */
export interface AdmittedBody {
  /** The body as the mutating webhooks leave it. */
  readonly body: JsonObject;
  /**
   * Asks the validating webhooks.
   *
   * @throws {ApiError} If one of them refuses the body.
   */
  readonly confirm: (body: JsonObject) => Promise<void>;
}

/**
 * Returns the body of a create of a subresource as mutating webhooks leave it.
 *
 * @throws {ApiError} 403 or 404, if the namespace takes no new content, or a webhook refuses it.
 */
export function admitBody(
  exchange: ResourceExchange,
  sent: JsonObject,
  kind: KindInfo,
  options: WriteOptions,
): Promise<AdmittedBody> {
  const { info, resource, server } = exchange;
  requireNamespace(server, info.namespace, resource, info.name);
  return admitUnstored(exchange, sent, kind, options);
}

/**
 * Returns the body of a create of an object that is not stored as mutating webhooks leave it.
 *
 * @throws {ApiError} If a webhook refuses it.
 */
export async function admitUnstored(
  exchange: ResourceExchange,
  sent: JsonObject,
  kind: KindInfo,
  options: WriteOptions,
): Promise<AdmittedBody> {
  const { info: { namespace, subresource }, reviewed } = exchange;
  const admission = writeAdmission(exchange, "CREATE", options, kind);
  if (admission === undefined) return { body: sent, confirm: () => Promise.resolve() };
  const { manager, now } = options;
  const given = getObject(sent, "metadata");
  const metadata = { ...(namespace === "" ? {} : { namespace }), ...given };
  const head = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  const next = { ...head, ...sent, metadata } as unknown as KubeObject;
  const object = given["managedFields"] === undefined
    ? updateManagedFields({
      kind,
      next,
      manager,
      subresource: reviewed?.subresource ?? subresource,
      now,
    })
    : next;
  const body = await admission.mutate(object, undefined) as unknown as JsonObject;
  return {
    body,
    confirm: (body) => admission.validate(body as unknown as KubeObject, undefined),
  };
}
