/** Objects that the tests of apply share. */

import { namespace } from "../_world.ts";

/** Returns a ConfigMap. */
export function configMap(name: string, data: Record<string, string> = {}, labels?: object) {
  const metadata = { name, namespace, ...(labels === undefined ? {} : { labels }) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

/** Returns the CustomResourceDefinition of a kind of the group `acme.io` whose objects may have any fields. */
export function definition(plural: string, kind: string) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.acme.io` },
    spec: {
      group: "acme.io",
      scope: "Namespaced" as const,
      names: { plural, kind, singular: `${plural}one` },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object" as const,
            "x-kubernetes-preserve-unknown-fields": true,
          },
        },
      }],
    },
  };
}
