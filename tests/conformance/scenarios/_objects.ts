import { post, type RequestStep } from "../step.ts";

const CORE = "/api/v1/namespaces";

/** Returns a step that creates the namespace of a scenario. */
export function namespaced(name: string): RequestStep {
  return post(CORE, { metadata: { name } }, { unseen: true });
}

/** Returns the path of a core collection in a namespace. */
export function core(namespace: string, plural: string): string {
  return `${CORE}/${namespace}/${plural}`;
}

/** Returns the path of a collection of a group in a namespace. */
export function grouped(groupVersion: string, namespace: string, plural: string): string {
  return `/apis/${groupVersion}/namespaces/${namespace}/${plural}`;
}

/** Returns a ConfigMap. */
export function configMap(name: string, data: object = { k: "v" }, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** Returns a Pod with one container. */
export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [{ name: "c", image: "i:1" }], ...spec },
  };
}

/** Returns a Deployment. */
export function deployment(name: string, spec: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "c", image: "i:1" }] },
      },
      ...spec,
    },
  };
}

/** The path of CustomResourceDefinitions. */
export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Returns a CustomResourceDefinition of a kind in `suite.example.com`. */
export function definition(plural: string, kind: string, spec: object): object {
  const singular = kind.toLowerCase();
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.suite.example.com` },
    spec: {
      group: "suite.example.com",
      scope: "Namespaced",
      names: { plural, singular, kind, listKind: `${kind}List` },
      ...spec,
    },
  };
}
