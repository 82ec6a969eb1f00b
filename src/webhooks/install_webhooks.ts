import { jsonEqual } from "../base/mod.ts";
import type { Client, JsonPatchOperation } from "../client/mod.ts";
import {
  apiVersionOf,
  type ApplyConfiguration,
  type Cached,
  CustomResourceDefinitions,
  type DeepReadonly,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeObject,
  type Resource,
  resourceName,
} from "../types/mod.ts";
import { type AppliedMemory, type Applier, plainJson } from "../operator/apply/mod.ts";
import type { AdmissionHandler } from "./admission.ts";
import {
  admissionConfigurations,
  type ConfiguredWebhook,
  conversionStanza,
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
  type WebhookConfiguration,
  type WebhookTarget,
} from "./configurations.ts";
import type { ConversionHandler } from "./conversion.ts";

const FIELD_MANAGER = "kubeloop-webhooks";

/** The time limit of a request, in milliseconds. */
const REQUEST_MS = 30_000;

/** Maximum number of patches of a definition that other writers change at the same time. */
const MAX_TRIES = 3;

/** The webhooks that {@linkcode installWebhooks} installs. */
export interface InstalledWebhooks {
  readonly admissions: readonly AdmissionHandler[];
  readonly conversions: readonly ConversionHandler[];
  /** The name of the configurations. */
  readonly name: string;
  readonly target: WebhookTarget;
  /** Whether the configurations are written, or only the certificates in them. */
  readonly install: boolean;
  /** The applied fields of the two configurations that the stored objects do not show. */
  readonly memories: { readonly mutating: AppliedMemory; readonly validating: AppliedMemory };
  /** Reports whether another part installs a definition, so that a missing definition is not an error. */
  readonly isAwaited: (definition: string) => boolean;
}

/** The client and the options of its requests. */
interface Installation {
  readonly client: Client;
  readonly call: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number };
}

/**
 * Makes the API server call the webhooks and trust their certificates. Objects that are up to date are not written.
 *
 * @throws The first error, after all objects were tried.
 */
export async function installWebhooks(
  client: Client,
  webhooks: InstalledWebhooks,
  caBundle: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { admissions, conversions, name, target, memories, isAwaited } = webhooks;
  const { mutating, validating } = admissionConfigurations(admissions, { name, target, caBundle });
  const installation = { client, call: { signal, timeoutMs: REQUEST_MS } };
  const write = webhooks.install ? apply : writeTrust;
  const writes = [
    () =>
      mutating && write(installation, MutatingWebhookConfigurations, mutating, memories.mutating),
    () =>
      validating &&
      write(installation, ValidatingWebhookConfigurations, validating, memories.validating),
    ...conversions.map((one) => () =>
      writeConversion(installation, one, { target, caBundle }, isAwaited)
    ),
  ];
  const errors: unknown[] = [];
  for (const one of writes) {
    try {
      await one();
    } catch (error) {
      signal?.throwIfAborted();
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Applies a configuration, unless it is up to date. Fields that are no longer wanted are removed. */
async function apply(
  { client, call }: Installation,
  resource: Resource<WebhookConfiguration>,
  wanted: WebhookConfiguration,
  memory: AppliedMemory,
): Promise<void> {
  const name = wanted.metadata.name!;
  const applier: Applier = {
    fieldManager: FIELD_MANAGER,
    apiVersion: apiVersionOf(resource),
    subresource: "",
  };
  const desired = plainJson(wanted) as Record<string, unknown>;
  const actual = await read(client, resource, name, call);
  if (actual !== undefined) {
    if (memory.isApplied(desired, actual, applier)) return;
    const moves = movesOf(actual.webhooks ?? [], wanted.webhooks);
    if (moves.length > 0) await client.patch(resource, name, moves, { type: "json", ...call });
  }
  const stored = await client.apply(
    resource,
    desired as unknown as ApplyConfiguration<WebhookConfiguration>,
    { fieldManager: FIELD_MANAGER, force: true, ...call },
  ) as Cached<WebhookConfiguration>;
  memory.note(desired, actual, stored, applier, resource);
}

/**
 * Returns the patch that moves webhooks from a Service to a URL, or back. An apply would not remove the old address if
 * another field manager owns it too.
 */
function movesOf(
  actual: readonly DeepReadonly<Pick<ConfiguredWebhook, "name" | "clientConfig">>[],
  wanted: readonly ConfiguredWebhook[],
): JsonPatchOperation[] {
  return wanted.flatMap(({ name, clientConfig }): JsonPatchOperation[] => {
    const index = actual.findIndex((webhook) => webhook.name === name);
    const before = actual[index]?.clientConfig;
    if (before === undefined) return [];
    if ((before.url === undefined) === (clientConfig.url === undefined)) return [];
    const path = `/webhooks/${index}`;
    return [
      { op: "test", path: `${path}/name`, value: name },
      { op: "test", path: `${path}/clientConfig`, value: before },
      { op: "replace", path: `${path}/clientConfig`, value: clientConfig },
    ];
  });
}

/** Writes the trusted certificates into a configuration that another program writes. */
async function writeTrust(
  { client, call }: Installation,
  resource: Resource<WebhookConfiguration>,
  wanted: WebhookConfiguration,
): Promise<void> {
  const name = wanted.metadata.name!;
  const actual = await read(client, resource, name, call);
  if (actual === undefined) throw missing(resource, name, "apply admissionConfigurations()");
  const patch: JsonPatchOperation[] = [];
  for (const { name, clientConfig: { caBundle } } of wanted.webhooks) {
    const index = actual.webhooks?.findIndex((webhook) => webhook.name === name) ?? -1;
    if (index < 0 || actual.webhooks[index]?.clientConfig.caBundle === caBundle) continue;
    patch.push(
      { op: "test", path: `/webhooks/${index}/name`, value: name },
      { op: "add", path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle },
    );
  }
  if (patch.length > 0) await client.patch(resource, name, patch, { type: "json", ...call });
}

/** Writes the conversion of a CustomResourceDefinition, unless it is up to date. */
async function writeConversion(
  { client, call }: Installation,
  handler: ConversionHandler,
  options: { readonly target: WebhookTarget; readonly caBundle: string },
  isAwaited: (definition: string) => boolean,
): Promise<void> {
  const name = resourceName(handler.conversion.resource);
  const conversion = conversionStanza(handler, options);
  for (let tries = 1;; tries++) {
    const actual = await read(client, CustomResourceDefinitions, name, call);
    if (actual === undefined) {
      if (isAwaited(name)) return;
      throw missing(CustomResourceDefinitions, name, "install it");
    }
    const { spec } = actual;
    if (jsonEqual(spec.conversion, conversion)) return;
    // Replaced as a whole: a merge would keep the Service of a webhook that moves to a URL.
    const patch: JsonPatchOperation[] = [
      spec.conversion === undefined
        ? { op: "test", path: "/metadata/resourceVersion", value: actual.metadata.resourceVersion }
        : { op: "test", path: "/spec/conversion", value: spec.conversion },
      { op: "add", path: "/spec/conversion", value: conversion },
    ];
    try {
      await client.patch(CustomResourceDefinitions, name, patch, { type: "json", ...call });
      return;
    } catch (error) {
      // Another writer has changed the definition meanwhile, such as the part that installs it.
      if (!(isInvalid(error) || isConflict(error)) || tries === MAX_TRIES) throw error;
    }
  }
}

async function read<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  name: string,
  call: Installation["call"],
): Promise<Cached<T> | undefined> {
  try {
    return await client.get<never, T>(resource, name, call) as Cached<T>;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function missing({ kind }: Resource, name: string, remedy: string): Error {
  return new Error(`${kind} ${name} does not exist, so the API server calls no webhook: ${remedy}`);
}
