import type { KubeObject } from "@kubeloop/controller/types";
import { ownersProblem } from "../kinds/mod.ts";
import type { KindInfo } from "../schema/mod.ts";
import { type DeleteOptions, writeTimeoutMs } from "../http/mod.ts";
import { type Json, jsonEqual, type JsonObject, withPath } from "../../values/mod.ts";
import type { AdmissionAttributes, Operation } from "../webhooks/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import { withoutDuplicateOwners } from "./write_steps.ts";

const INVALID_OWNERS =
  ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests";

/** The operation and options of a write. */
interface Write {
  readonly operation: Operation;
  /** The kind of the objects, if it is not that of the resource. */
  readonly kind?: KindInfo | undefined;
  /** The name, if it is not that in the path. */
  readonly name?: string | undefined;
  readonly dryRun: boolean;
  readonly options: JsonObject | null;
}

/** The parts of a request that its admission needs. */
export type AdmittedExchange = Pick<
  ResourceExchange,
  "info" | "method" | "query" | "request" | "resource" | "reviewed" | "server" | "user" | "warnings"
>;

/** The admission webhooks of one write. */
export class WriteAdmission {
  readonly #exchange: AdmittedExchange;
  readonly #write: Write;
  readonly #deadlineMs: number;
  /** The name that the reviews have; empty if the server is still to generate it. */
  #name: string;

  /** Creates the admission of a write. */
  constructor(exchange: AdmittedExchange, write: Write) {
    this.#exchange = exchange;
    this.#write = write;
    this.#name = write.name ?? exchange.info.name;
    this.#deadlineMs = exchange.server.clock.now() + writeTimeoutMs(exchange.query);
  }

  /**
   * Has the mutating webhooks change an object, and returns the result.
   *
   * @param own The server's own admission, which has been applied to the object already.
   */
  async mutate(
    object: KubeObject,
    old: KubeObject | undefined,
    own?: (object: KubeObject) => KubeObject,
  ): Promise<KubeObject> {
    const { server } = this.#exchange;
    const next = await server.admission.mutate(this.#attributes(object, old), own);
    return withoutDuplicateOwners(this.#exchange, this.#withValidOwners(next!, object), true);
  }

  /** Asks the validating webhooks whether an object may be stored. */
  async validate(object: KubeObject, old: KubeObject | undefined): Promise<void> {
    await this.#exchange.server.admission.validate(this.#attributes(object, old));
  }

  /** Asks all webhooks whether an object may be deleted. */
  async remove(old: KubeObject): Promise<void> {
    const { admission } = this.#exchange.server;
    const attributes = this.#attributes(undefined, old);
    await admission.mutate(attributes);
    await admission.validate(attributes);
  }

  /** Asks all webhooks whether a connection may be opened. */
  async connect(asked: KubeObject): Promise<void> {
    const { admission } = this.#exchange.server;
    const object = await admission.mutate(this.#attributes(asked, undefined));
    await admission.validate(this.#attributes(object, undefined));
  }

  #attributes(
    object: KubeObject | undefined,
    oldObject: KubeObject | undefined,
  ): AdmissionAttributes {
    const { info, request, reviewed, user, warnings } = this.#exchange;
    const { resource, subresource } = reviewed ??
      { resource: this.#exchange.resource, subresource: info.subresource };
    const { operation, kind = resource.kind, dryRun, options } = this.#write;
    // The name that a webhook changes stays as it was in the reviews.
    this.#name ||= this.#write.name ?? object?.metadata.name ?? "";
    const name = this.#name;
    return {
      operation,
      resource,
      subresource,
      kind,
      name,
      namespace: resource.record.isNamespace ? name : info.namespace,
      user,
      dryRun,
      options,
      object,
      oldObject,
      warnings,
      signal: request.signal,
      deadlineMs: this.#deadlineMs,
    };
  }

  /** Returns `next` with the managed fields of `before`, if a webhook has made them invalid. */
  #withValidOwners(next: KubeObject, before: KubeObject): KubeObject {
    const { managedFields } = before.metadata;
    if (
      jsonEqual(next.metadata.managedFields as unknown as Json, managedFields as unknown as Json)
    ) return next;
    const problem = ownersProblem(next);
    if (problem === undefined) return next;
    this.#exchange.warnings.push(`${INVALID_OWNERS}: ${problem}`);
    const path = ["metadata", "managedFields"];
    const restored = withPath(
      next as unknown as JsonObject,
      path,
      managedFields as unknown as Json,
    );
    return restored as unknown as KubeObject;
  }
}

/**
 * Returns the admission of a create or an update; undefined if no webhook is configured, so that the write need not
 * wait. Webhooks are not asked about configurations of webhooks.
 *
 * @param kind The kind of the objects, if it is not that of the resource.
 */
export function writeAdmission(
  exchange: ResourceExchange,
  operation: "CREATE" | "UPDATE",
  { dryRun }: { readonly dryRun: boolean },
  kind?: KindInfo,
): WriteAdmission | undefined {
  if (isExempt(exchange)) return undefined;
  const { query } = exchange;
  const options: JsonObject = {
    kind: operation === "CREATE" ? "CreateOptions" : "UpdateOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
  for (const name of ["fieldManager", "fieldValidation"]) {
    const value = query.get(name) ?? "";
    if (value !== "") options[name] = value;
  }
  return new WriteAdmission(exchange, { operation, kind, dryRun, options });
}

/**
 * Returns the admission of a deletion; undefined if no webhook is configured.
 *
 * @param name The name in the review that webhooks get.
 */
export function deleteAdmission(
  exchange: ResourceExchange,
  { dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions,
  name: string,
): WriteAdmission | undefined {
  if (isExempt(exchange)) return undefined;
  const options: JsonObject = {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
  return new WriteAdmission(exchange, { operation: "DELETE", name, dryRun, options });
}

/**
 * Returns the admission of a connection; undefined if no webhook is configured.
 *
 * @param kind The kind of its options.
 */
export function connectAdmission(
  exchange: AdmittedExchange,
  kind: KindInfo,
): WriteAdmission | undefined {
  if (isExempt(exchange)) return undefined;
  const { name } = exchange.info;
  return new WriteAdmission(exchange, {
    operation: "CONNECT",
    kind,
    name,
    dryRun: false,
    options: null,
  });
}

function isExempt({ server, resource }: AdmittedExchange): boolean {
  return server.admission.isIdle || resource.record.isExempt;
}
