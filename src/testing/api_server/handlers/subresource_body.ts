import type { KubeObject } from "@kubeloop/controller/types";
import { writeAdmission } from "./admission.ts";
import type { ResourceExchange } from "./exchange.ts";
import { requireNamespace } from "./write_steps.ts";
import { apiVersionOf, type KindInfo } from "../schema/mod.ts";
import { getObject, type JsonObject } from "../../values/mod.ts";
import type { WriteOptions } from "./write_context.ts";

/**
 * Returns the body of a create of a subresource as admission leaves it.
 *
 * @throws {ApiError} 403 or 404, if the namespace takes no new content, or a webhook refuses it.
 */
export async function admittedBody(
  exchange: ResourceExchange,
  sent: JsonObject,
  kind: KindInfo,
  options: WriteOptions,
): Promise<JsonObject> {
  const { info, resource, server } = exchange;
  requireNamespace(server, info.namespace, resource, info.name);
  const admission = writeAdmission(exchange, "CREATE", options, kind);
  if (admission === undefined) return sent;
  const metadata = { namespace: info.namespace, ...getObject(sent, "metadata") };
  const head = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  const object = { ...head, ...sent, metadata } as unknown as KubeObject;
  const changed = await admission.mutate(object, undefined);
  await admission.validate(changed, undefined);
  return changed as unknown as JsonObject;
}
