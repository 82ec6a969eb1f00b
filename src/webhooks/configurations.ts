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

/** A Service in front of the operator's webhooks. */
export interface WebhookService {
  /** The namespace of the Service. */
  readonly namespace: string;
  /** The name of the Service. */
  readonly name: string;
  /** The port of the Service. Default: 443. */
  readonly port?: number | undefined;
}

/** Where the API server calls webhooks: at a Service of the cluster, or at a URL without a path. */
export type WebhookTarget = { readonly service: WebhookService } | { readonly url: string };

/** How the API server calls one webhook. */
export interface WebhookClientConfig {
  /** The URL, for a webhook outside of the cluster. */
  url?: string;
  /** The Service, and the path that is called there. */
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** The certificates of the authorities that are trusted, in PEM and then base64. */
  caBundle?: string;
}

/** A webhook of a {@linkcode WebhookConfiguration}. */
export interface ConfiguredWebhook {
  /** The name: fully qualified, and unique in the configuration. */
  name: string;
  /** How the API server calls it. */
  clientConfig: WebhookClientConfig;
  /** The requests that it is called for. */
  rules: {
    apiGroups: string[];
    apiVersions: string[];
    operations: string[];
    resources: string[];
    scope: "Namespaced" | "Cluster" | "*";
  }[];
  /** The versions of the AdmissionReview that it answers. */
  admissionReviewVersions: string[];
  /** Whether it has effects outside, which a dry run must not have. */
  sideEffects: "None" | "NoneOnDryRun";
  /** What the API server does if it cannot be called. */
  failurePolicy?: "Fail" | "Ignore";
  /** Whether it is called for other versions of the resource too, with the object converted. */
  matchPolicy?: "Equivalent" | "Exact";
  /** How long the API server waits, in seconds. */
  timeoutSeconds?: number;
  /** The labels of the namespaces whose objects it is called for. */
  namespaceSelector?: LabelSelector;
  /** The labels of the objects that it is called for. */
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
  /** Where the API server calls the webhooks. */
  readonly target: WebhookTarget;
  /** The certificates of the authorities to trust, in PEM. Default: none; a `WebhookServer` adds its own. */
  readonly caBundle?: string | undefined;
}

/** The configurations of admission webhooks. Undefined if there is no webhook of the kind. */
export interface AdmissionConfigurations {
  /** The configuration of the webhooks that mutate. */
  readonly mutating: WebhookConfiguration | undefined;
  /** The configuration of the webhooks that validate. */
  readonly validating: WebhookConfiguration | undefined;
}

/** The API server's own default. */
const TIMEOUT_SECONDS = 10;

/**
 * Returns a check of an object whose fields `namespace` and `name` are needed.
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
 * Returns the objects that make the API server call admission webhooks, at the paths of {@linkcode admissionPath}.
 *
 * A webhook for a kind that is built into Kubernetes, such as Pod, does not decide on objects in the namespace of its
 * own Service, unless it has a `namespaceSelector`: an operator that is down could otherwise not be started again.
 *
 * @param webhooks The results of `admission()`.
 * @param options The name, and where the webhooks are called.
 * @throws {TypeError | RangeError} If two webhooks do the same for one resource, or an option cannot be used.
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
      // For example a mutation of DELETE only: the API server refuses a webhook without operations.
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

/** The part of a CustomResourceDefinition that makes the API server call a conversion webhook. */
export interface ConversionStanza {
  /** Always `Webhook`. */
  strategy: "Webhook";
  /** The webhook. */
  webhook: { clientConfig: WebhookClientConfig; conversionReviewVersions: string[] };
}

/**
 * Returns `spec.conversion` of the CustomResourceDefinition of a resource whose versions a webhook converts.
 *
 * @param webhook The result of `conversion()`.
 * @param options Where the webhook is called.
 * @throws {TypeError | RangeError} If an option cannot be used.
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

/** Selects all namespaces but that of the webhook itself, for a kind that the webhook may need in order to start. */
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
