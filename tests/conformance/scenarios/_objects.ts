import { post, type RequestStep } from "../step.ts";

const CORE = "/api/v1/namespaces";

/** Makes a namespace of the scenario's own. */
export function namespaced(name: string): RequestStep {
  return post(CORE, { metadata: { name } }, { unseen: true });
}

/** The path of a core collection in a namespace. */
export function core(namespace: string, plural: string): string {
  return `${CORE}/${namespace}/${plural}`;
}

/** The path of a collection of a group in a namespace. */
export function grouped(groupVersion: string, namespace: string, plural: string): string {
  return `/apis/${groupVersion}/namespaces/${namespace}/${plural}`;
}

/** A ConfigMap. */
export function configMap(name: string, data: object = { k: "v" }, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** A Pod with one container. */
export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [{ name: "c", image: "i:1" }], ...spec },
  };
}

/** A Deployment. */
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

/** The path of definitions. */
export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A definition of one kind in `suite.example.com`. */
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
