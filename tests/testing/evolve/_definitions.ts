import type { CustomResourceDefinition } from "../../../mod.ts";

/** A version of {@linkcode widgets}. */
export interface TestVersion {
  readonly name: string;
  readonly served?: boolean;
  readonly schema: object;
  readonly [keyword: string]: unknown;
}

/** Returns a CustomResourceDefinition with versions. Objects are stored in the first one. */
export function widgets(
  versions: readonly TestVersion[],
  { status, ...spec }: { readonly status?: object; readonly [field: string]: unknown } = {},
): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.acme.io" },
    spec: {
      group: "acme.io",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
      versions: versions.map(({ schema, served = true, ...version }, i) => ({
        ...version,
        served,
        storage: i === 0,
        schema: { openAPIV3Schema: schema },
      })),
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  } as unknown as CustomResourceDefinition;
}

/** Returns the schema of an object with the fields of a spec. */
export function ofSpec(properties: object, more: object = {}): object {
  return {
    type: "object",
    properties: { spec: { type: "object", properties, ...more } },
  };
}

/** Returns a definition with one version, v1. */
export function widgetsOf(properties: object, more: object = {}): CustomResourceDefinition {
  return widgets([{ name: "v1", schema: ofSpec(properties, more) }]);
}
