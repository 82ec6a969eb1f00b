import type { Client, JsonPatchOperation } from "../../client/mod.ts";
import {
  CustomResourceDefinitions,
  isNotFound,
  type KubeObject,
  type Resource,
  resourceName,
} from "../../types/mod.ts";
import type { AdmissionHandler } from "./admission.ts";
import {
  admissionConfigurations,
  conversionStanza,
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
  type WebhookConfiguration,
  type WebhookTarget,
} from "./configurations.ts";
import { contains } from "./contains.ts";
import type { ConversionHandler } from "./conversion.ts";

const FIELD_MANAGER = "kubeloop-webhooks";

/** What {@linkcode installWebhooks} installs. */
export interface InstalledWebhooks {
  readonly admissions: readonly AdmissionHandler[];
  readonly conversions: readonly ConversionHandler[];
  /** The name of the configurations. */
  readonly name: string;
  readonly target: WebhookTarget;
  /** Whether the configurations are written; otherwise only the certificates in them. */
  readonly install: boolean;
}

/**
 * Makes the API server call the webhooks, and trust their certificates. What is as it should be is not written.
 *
 * @throws The first error. The other objects are written nevertheless.
 */
export async function installWebhooks(
  client: Client,
  webhooks: InstalledWebhooks,
  caBundle: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { admissions, conversions, name, target } = webhooks;
  const { mutating, validating } = admissionConfigurations(admissions, { name, target, caBundle });
  const write = webhooks.install ? apply : trust;
  const writes = [
    () => mutating && write(client, MutatingWebhookConfigurations, mutating, signal),
    () => validating && write(client, ValidatingWebhookConfigurations, validating, signal),
    ...conversions.map((one) => () => convert(client, one, { target, caBundle }, signal)),
  ];
  const errors: unknown[] = [];
  for (const one of writes) {
    try {
      await one();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Writes a configuration that is not as it should be. */
async function apply(
  client: Client,
  resource: Resource<WebhookConfiguration>,
  wanted: WebhookConfiguration,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = wanted.metadata.name!;
  const actual = await read(client, resource, name, signal);
  if (contains(actual?.webhooks, wanted.webhooks)) return;
  const configuration = { ...wanted, metadata: { name } };
  await client.apply(resource, configuration, { fieldManager: FIELD_MANAGER, force: true, signal });
}

/** Writes the certificates into the webhooks of a configuration that somebody else writes. */
async function trust(
  client: Client,
  resource: Resource<WebhookConfiguration>,
  wanted: WebhookConfiguration,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = wanted.metadata.name!;
  const actual = await read(client, resource, name, signal);
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
  if (patch.length > 0) await client.patch(resource, name, patch, { type: "json", signal });
}

/** Writes the conversion of a CustomResourceDefinition that is not as it should be. */
async function convert(
  client: Client,
  handler: ConversionHandler,
  options: { readonly target: WebhookTarget; readonly caBundle: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = resourceName(handler.conversion.resource);
  const conversion = conversionStanza(handler, options);
  const actual = await read(client, CustomResourceDefinitions, name, signal);
  if (actual === undefined) throw missing(CustomResourceDefinitions, name, "install it");
  const spec: object = actual.spec;
  if (contains("conversion" in spec ? spec.conversion : undefined, conversion)) return;
  await client.patch<never, KubeObject>(
    CustomResourceDefinitions as Resource,
    name,
    { spec: { conversion } } as object,
    { signal },
  );
}

async function read<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await client.get(resource, name, { signal }) as T;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function missing({ kind }: Resource, name: string, remedy: string): Error {
  return new Error(`${kind} ${name} does not exist, so the API server calls no webhook: ${remedy}`);
}
