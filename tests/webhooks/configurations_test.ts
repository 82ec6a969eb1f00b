import { assertEquals, assertThrows } from "@std/assert";
import {
  admission,
  admissionConfigurations,
  conversion,
  conversionStanza,
} from "../../src/webhooks/mod.ts";
import { Pods } from "../../src/types/mod.ts";
import { Widgets } from "./_reviews.ts";

const target = { service: { namespace: "acme", name: "widgets" } };
const allow = () => {};

Deno.test("admissionConfigurations() configures a webhook per mode", () => {
  const widgets = admission(Widgets, { validate: allow, mutate: allow }, {
    operations: ["CREATE", "DELETE"],
    subresources: ["status"],
    failurePolicy: "Ignore",
    objectSelector: { matchLabels: { a: "b" } },
  });
  const { validating, mutating } = admissionConfigurations([widgets], {
    name: "acme",
    target,
    caBundle: "PEM",
  });
  const shared = {
    admissionReviewVersions: ["v1"],
    sideEffects: "None" as const,
    failurePolicy: "Ignore" as const,
    matchPolicy: "Equivalent" as const,
    timeoutSeconds: 10,
    objectSelector: { matchLabels: { a: "b" } },
  };
  const rule = {
    apiGroups: ["acme.io"],
    apiVersions: ["v1"],
    resources: ["widgets", "widgets/status"],
    scope: "Namespaced" as const,
  };
  const service = { namespace: "acme", name: "widgets", port: 443 };
  assertEquals(validating, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "acme" },
    webhooks: [{
      name: "validate.widgets.acme.io",
      clientConfig: {
        service: { ...service, path: "/validate-acme-io-v1-widget" },
        caBundle: btoa("PEM"),
      },
      rules: [{ ...rule, operations: ["CREATE", "DELETE"] }],
      ...shared,
    }],
  });
  assertEquals(mutating, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "acme" },
    webhooks: [{
      name: "mutate.widgets.acme.io",
      clientConfig: {
        service: { ...service, path: "/mutate-acme-io-v1-widget" },
        caBundle: btoa("PEM"),
      },
      rules: [{ ...rule, operations: ["CREATE"] }],
      ...shared,
    }],
  });
});

Deno.test("admissionConfigurations() excludes its own namespace for built-in kinds", () => {
  const pods = admission(Pods, { validate: allow });
  const of = (handler: typeof pods, at: Parameters<typeof admissionConfigurations>[1]["target"]) =>
    admissionConfigurations([handler], { name: "pods", target: at }).validating?.webhooks[0];
  assertEquals(of(pods, target)?.name, "validate.pods.core");
  assertEquals(of(pods, target)?.namespaceSelector, {
    matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["acme"] }],
  });
  const all = admission(Pods, { validate: allow }, { namespaceSelector: {} });
  assertEquals(of(all, target)?.namespaceSelector, {});
  const outside = of(pods, { url: "https://host.example:9443/hooks" });
  assertEquals(outside?.namespaceSelector, undefined);
  assertEquals(outside?.clientConfig, { url: "https://host.example:9443/hooks/validate-v1-pod" });
});

Deno.test("admissionConfigurations() refuses duplicates and URLs that the API server refuses", () => {
  const widgets = admission(Widgets, { validate: allow });
  assertThrows(
    () => admissionConfigurations([widgets, widgets], { name: "a", target }),
    TypeError,
    "Two webhooks have the name validate.widgets.acme.io",
  );
  for (const url of ["http://a", "https://a?b", "https://a#b", "https://u@a", "a"]) {
    assertThrows(
      () => admissionConfigurations([widgets], { name: "a", target: { url } }),
      TypeError,
      "expected an https: URL without a query",
    );
  }
  const service = { namespace: "a", name: "a" };
  for (
    const [options, problem] of [
      [{ target }, "name must be a text that is not empty: received undefined"],
      [{ name: "a", target: {} }, "target must have either a service or a url"],
      [{ name: "a", target: { service, url: "https://a" } }, "target must have either a service"],
      [{ name: "a", target: { service: { name: "a" } } }, "service.namespace must be a text"],
      [{ name: "a", target, caBundel: "" }, 'did you mean "caBundle"?'],
    ] as const
  ) {
    assertThrows(() => admissionConfigurations([widgets], options as never), TypeError, problem);
  }
  assertEquals(admissionConfigurations([], { name: "a", target }), {
    mutating: undefined,
    validating: undefined,
  });
});

Deno.test("conversionStanza() configures a conversion webhook", () => {
  const handler = conversion(Widgets, {
    v1beta1: { toHub: (old) => old as never, fromHub: (w) => w },
  });
  assertThrows(() => conversionStanza(handler, {} as never), TypeError, "target takes an object");
  assertEquals(conversionStanza(handler, { target }), {
    strategy: "Webhook",
    webhook: {
      clientConfig: {
        service: {
          namespace: "acme",
          name: "widgets",
          port: 443,
          path: "/convert-acme-io-v1-widget",
        },
      },
      conversionReviewVersions: ["v1"],
    },
  });
});
