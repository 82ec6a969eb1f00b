import {
  isName,
  isText,
  type OptionCheck,
  type OptionChecks,
  requireOptions,
} from "../base/mod.ts";
import { requirePort } from "../serving/mod.ts";
import {
  defineResource,
  type KubeObject,
  type LabelSelector,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../types/mod.ts";
import {
  type AdmissionHandler,
  type AdmissionMode,
  admissionPath,
  type AdmissionWebhook,
} from "./admission.ts";
import { type ConversionHandler, conversionPath } from "./conversion.ts";

/** The Service of a webhook server. */
export interface WebhookService {
  /** The namespace of the Service. */
  readonly namespace: string;
  /** The name of the Service. */
  readonly name: string;
  /** The port of the Service. Default: 443. */
  readonly port?: number | undefined;
}

/** The address of webhooks: a Service of the cluster, or a URL without a path. */
export type WebhookTarget = { readonly service: WebhookService } | { readonly url: string };

/** The address of one webhook, and the trusted authorities. */
export interface WebhookClientConfig {
  /** The URL, for a webhook outside of the cluster. */
  url?: string;
  /** The Service and the path. */
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** The certificates of the trusted authorities, in PEM and then base64. */
  caBundle?: string;
}

/** A webhook of a {@linkcode WebhookConfiguration}. */
export interface ConfiguredWebhook {
  /** The fully qualified name, unique in the configuration. */
  name: string;
  /** The address of the webhook. */
  clientConfig: WebhookClientConfig;
  /** The requests for which it is called. */
  rules: {
    apiGroups: string[];
    apiVersions: string[];
    operations: string[];
    resources: string[];
    scope: "Namespaced" | "Cluster" | "*";
  }[];
  /** The supported versions of AdmissionReview. */
  admissionReviewVersions: string[];
  /** Whether the webhook has side effects, apart from dry runs. */
  sideEffects: "None" | "NoneOnDryRun";
  /** Whether the API server denies or allows a request if it cannot call the webhook. */
  failurePolicy?: "Fail" | "Ignore";
  /** Whether it is also called for other versions of the resource, with the converted object. */
  matchPolicy?: "Equivalent" | "Exact";
  /** The timeout of the API server, in seconds. */
  timeoutSeconds?: number;
  /** Selects the namespaces of the objects. */
  namespaceSelector?: LabelSelector;
  /** Selects the objects by their labels. */
  objectSelector?: LabelSelector;
}

/** A ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. */
export interface WebhookConfiguration extends KubeObject {
  /** The webhooks. */
  webhooks: ConfiguredWebhook[];
}

/** The resource `validatingwebhookconfigurations.admissionregistration.k8s.io`, which is cluster-scoped. */
export const ValidatingWebhookConfigurations: Resource<WebhookConfiguration> = configuration(
  "validatingwebhookconfigurations",
  "ValidatingWebhookConfiguration",
);
/** The resource `mutatingwebhookconfigurations.admissionregistration.k8s.io`, which is cluster-scoped. */
export const MutatingWebhookConfigurations: Resource<WebhookConfiguration> = configuration(
  "mutatingwebhookconfigurations",
  "MutatingWebhookConfiguration",
);

function configuration(plural: string, kind: string): Resource<WebhookConfiguration> {
  const group = "admissionregistration.k8s.io";
  return defineResource({ group, version: "v1", plural, kind, namespaced: false });
}

/** Options of {@linkcode admissionConfigurations}. */
export interface AdmissionConfigurationOptions {
  /** The name of both configurations. */
  readonly name: string;
  /** The address of the webhooks. */
  readonly target: WebhookTarget;
  /** The certificates of the trusted authorities, in PEM. Default: none; a `WebhookServer` adds its own. */
  readonly caBundle?: string | undefined;
}

/** The configurations of admission webhooks. A configuration without webhooks is undefined. */
export interface AdmissionConfigurations {
  /** The configuration of the webhooks that mutate. */
  readonly mutating: WebhookConfiguration | undefined;
  /** The configuration of the webhooks that validate. */
  readonly validating: WebhookConfiguration | undefined;
}

/** The default of the API server. */
const TIMEOUT_SECONDS = 10;

/**
 * Returns a check of an object with the required fields `namespace` and `name`.
 *
 * @internal
 */
export function isNamed<O extends object>(checks: OptionChecks<O>): OptionCheck {
  return (option, value) => {
    requireOptions(option, value, checks);
    const { namespace, name } = value as { readonly namespace?: unknown; readonly name?: unknown };
    isName(`${option}.namespace`, namespace);
    isName(`${option}.name`, name);
  };
}

/**
 * Checks a {@linkcode WebhookService}.
 *
 * @internal
 */
export const isService: OptionCheck = isNamed<WebhookService>({
  namespace: isName,
  name: isName,
  port: requirePort,
});

const isTarget: OptionCheck = (option, value) => {
  requireOptions<{ service: WebhookService; url: string }>(option, value, {
    service: isService,
    url: isName,
  });
  if (Object.keys(value as object).length === 1) return;
  throw new TypeError(`${option} must have either a service or a url`);
};

const TARGET_CHECKS: OptionChecks<Omit<AdmissionConfigurationOptions, "name">> = {
  target: isTarget,
  caBundle: isText,
};
const CHECKS: OptionChecks<AdmissionConfigurationOptions> = { name: isName, ...TARGET_CHECKS };

/**
 * Returns the configurations that make the API server call admission webhooks at the paths of {@linkcode admissionPath}.
 *
 * By default, a webhook for a built-in kind such as Pod is not called for objects in the namespace of its own Service.
 * Otherwise an operator that is down could not be started again. A `namespaceSelector` replaces this default.
 *
 * @param webhooks The results of `admission()`.
 * @param options The name and the address.
 * @throws {TypeError | RangeError} If two webhooks have the same mode and resource, or an option is invalid.
 *
 * @example
 * ```ts
 * import { admission, admissionConfigurations } from "@kubeloop/controller/webhooks";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const pods = admission(Pods, { validate: () => "no" });
 * const target = { service: { namespace: "guards", name: "guard" } };
 * const { validating } = admissionConfigurations([pods], { name: "guard", target });
 * assertEquals(validating?.webhooks[0]?.clientConfig.service?.path, "/validate-v1-pod");
 * ```
 */
export function admissionConfigurations(
  webhooks: readonly AdmissionHandler[],
  options: AdmissionConfigurationOptions,
): AdmissionConfigurations {
  requireOptions("admissionConfigurations()", options, CHECKS);
  isName("name", options.name);
  isTarget("target", options.target);
  const of = (mode: AdmissionMode, { kind }: ResourceDescriptor) => {
    const configured = webhooks.map(({ admission }) => admission)
      .filter(({ modes }) => modes.includes(mode))
      .map((webhook) => configuredWebhook(mode, webhook, options))
      // The API server refuses a webhook without operations, such as a mutation of DELETE only.
      .filter(({ rules }) => rules.every(({ operations }) => operations.length > 0));
    const names = configured.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) throw new TypeError(`Two webhooks have the name ${twice}: keep one`);
    if (configured.length === 0) return undefined;
    return {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind,
      metadata: { name: options.name },
      webhooks: configured,
    };
  };
  return {
    mutating: of("mutate", MutatingWebhookConfigurations),
    validating: of("validate", ValidatingWebhookConfigurations),
  };
}

/** The `spec.conversion` of a CustomResourceDefinition with a conversion webhook. */
export interface ConversionStanza {
  /** Always `Webhook`. */
  strategy: "Webhook";
  /** The webhook. */
  webhook: { clientConfig: WebhookClientConfig; conversionReviewVersions: string[] };
}

/**
 * Returns the `spec.conversion` that makes the API server call a conversion webhook.
 *
 * @param webhook The result of `conversion()`.
 * @param options The address of the webhook.
 * @throws {TypeError | RangeError} If an option is invalid.
 */
export function conversionStanza(
  { conversion: { resource } }: Pick<ConversionHandler, "conversion">,
  options: Omit<AdmissionConfigurationOptions, "name">,
): ConversionStanza {
  requireOptions("conversionStanza()", options, TARGET_CHECKS);
  isTarget("target", options.target);
  const clientConfig = clientConfigOf(conversionPath(resource), options);
  return { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
}

function configuredWebhook(
  mode: AdmissionMode,
  webhook: AdmissionWebhook,
  options: AdmissionConfigurationOptions,
): ConfiguredWebhook {
  const { resource, operations, subresources, failurePolicy, objectSelector } = webhook;
  const { group, version, plural, namespaced } = resource;
  const namespaceSelector = webhook.namespaceSelector ?? otherNamespaces(resource, options.target);
  // DELETE has no object to mutate.
  const called = operations.filter((one) => mode === "validate" || one !== "DELETE");
  return {
    name: `${mode}.${group === "" ? `${plural}.core` : resourceName(resource)}`,
    clientConfig: clientConfigOf(admissionPath(mode, resource), options),
    rules: [{
      apiGroups: [group],
      apiVersions: [version],
      operations: called,
      resources: [plural, ...subresources.map((one) => `${plural}/${one}`)],
      scope: namespaced ? "Namespaced" : "Cluster",
    }],
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy,
    matchPolicy: "Equivalent",
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
  };
}

/** Excludes the namespace of the webhook itself for a built-in kind, which the webhook may need in order to start. */
function otherNamespaces(
  { group, namespaced }: ResourceDescriptor,
  target: WebhookTarget,
): LabelSelector | undefined {
  const builtIn = !group.includes(".") || group.endsWith(".k8s.io");
  if (!builtIn || !namespaced || !("service" in target)) return undefined;
  const values = [target.service.namespace];
  return { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values }] };
}

function clientConfigOf(
  path: string,
  { target, caBundle }: Omit<AdmissionConfigurationOptions, "name">,
): WebhookClientConfig {
  const trust = caBundle === undefined ? {} : { caBundle: btoa(caBundle) };
  if ("service" in target) {
    const { namespace, name, port = 443 } = target.service;
    return { service: { namespace, name, path, port }, ...trust };
  }
  const url = URL.canParse(target.url) ? new URL(target.url) : undefined;
  if (url === undefined || url.protocol !== "https:" || url.search + url.hash + url.username) {
    throw new TypeError(
      `Cannot call webhooks at ${
        JSON.stringify(target.url)
      }: expected an https: URL without a query`,
    );
  }
  return { url: url.origin + (url.pathname === "/" ? "" : url.pathname) + path, ...trust };
}
