import { own, requireCount } from "@kubeloop/controller/internal/base";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  isInvalid,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "@kubeloop/controller/types";
import type { ApiServer } from "../../api_server/mod.ts";
import { sampleOf, type SchemaNode, wishesOf } from "../../samples/mod.ts";
import { create, settle, type Step } from "../plans/mod.ts";

/** Options of {@linkcode campaign}. */
export interface CampaignOptions<T extends KubeObject = KubeObject> {
  /** The name of the object, in the namespace `default`, or `NAMESPACE/NAME`. Default: `campaign`. */
  readonly key?: string | undefined;
  /** The fields of the object before it is changed, besides its name. Default: samples of all properties of the schema. */
  readonly object?: Partial<T> | undefined;
  /** The levels of nesting below `spec` whose properties are changed. Default 2. */
  readonly depth?: number | undefined;
  /** The paths of properties that never change, as in `spec.storage.class`. Default: none. */
  readonly except?: readonly string[] | undefined;
}

/**
 * A workload that comes from the schema of a custom resource: an object that settles, and whose properties users then change,
 * one in each plan. Each property is removed, and set to the extremes that its schema allows, such as its minimum and each
 * value of an enumeration; then it is restored. Properties that a rule, a choice or the first word of their names couples
 * change together, too.
 *
 * When a property has changed, the objects must be the same as after the creation of an object with that property. When the
 * property is restored, they must be the same as before the change. A value with which a new object does not settle is a mistake of the user, from which the controller must
 * recover. The plans with these changes come first; then the crashes, lost answers and stale replicas that disturb them. The
 * report lists the properties that changed nothing.
 *
 * The schema is that of the definition among the `resources` of the simulation, or that of a resource which `defineResource`
 * has made of schemas.
 *
 * @param resource The custom resource.
 * @param options The object, and which of its properties are changed.
 * @returns Steps: it can be a part of a workload, too.
 * @throws {RangeError} If `depth` is not a whole number of at least 1. When the simulation runs: if there is no schema, or no
 * object fits it, so that `object` must be given.
 *
 * @example
 * ```ts
 * import { ConfigMaps, Controller, defineResource, SharedInformerFactory } from "@kubeloop/controller";
 * import { campaign, type ProcessEnv, simulation } from "@kubeloop/testing/simulation";
 * import { assertEquals, assertMatch } from "@std/assert";
 * import { z } from "zod";
 *
 * const Sites = defineResource({
 *   group: "example.com",
 *   version: "v1",
 *   kind: "Site",
 *   spec: z.object({ theme: z.string().optional(), owner: z.string().optional() }),
 * });
 *
 * // Sets the theme, and never removes it.
 * async function operator({ client, signal }: ProcessEnv) {
 *   const sites = new SharedInformerFactory(client).informer(Sites);
 *   const controller = new Controller({
 *     informer: sites,
 *     async reconcile(key) {
 *       const site = sites.indexer.getByKey(key);
 *       if (site === undefined) return;
 *       const { name, namespace = "" } = site.metadata;
 *       const { theme } = site.spec;
 *       await client.create(ConfigMaps, { metadata: { name } }, { namespace }).catch(() => {});
 *       if (theme) await client.patch(ConfigMaps, name, { data: { theme } }, { namespace });
 *     },
 *   });
 *   await controller.run({ signal });
 * }
 *
 * const report = await simulation({ process: operator, workload: campaign(Sites) }).explore();
 * const [finding] = report.findings;
 * assertEquals(finding?.plan.faults, [
 *   { fault: "change", step: 2, set: [{ path: ["spec", "theme"], from: "a" }] },
 * ]);
 * assertMatch(String(finding), /Fault: a user changes spec.theme: a → removed → a/);
 * ```
 */
export function campaign<T extends KubeObject>(
  resource: Resource<T>,
  { depth = 2, except = [], key = "campaign", object }: CampaignOptions<T> = {},
): readonly Step<never>[] {
  requireCount("depth", depth, 1);
  const given = create(resource, key, object);
  const { target } = given;
  return [
    object === undefined ? { ...given, run: createSample(given, key) } : given,
    settle(),
    {
      text: `change ${resource.kind} ${key}`,
      kind: "change",
      target,
      campaign: { depth, except: new Set(except) },
    },
  ];
}

/** Creates an object with samples of all properties, or of the required properties if a rule refuses that. */
function createSample({ target }: Step<never>, key: string): NonNullable<Step<never>["run"]> {
  const resource = target!.resource as Resource;
  return async (scene) => {
    const schema = schemaOf(scene.server, resource);
    try {
      await create(resource, key, sampleObject(schema, false)).run!(scene);
    } catch (error) {
      if (!isInvalid(error)) throw error;
      await create(resource, key, sampleObject(schema, true)).run!(scene);
    }
  };
}

function sampleObject(schema: SchemaNode, isSmall: boolean): Partial<KubeObject> {
  return Object.fromEntries(
    wishesOf(schema).map(([name, node]) => [name, sampleOf(node, { isSmall })]),
  );
}

/**
 * Returns the schema of the objects of a custom resource.
 *
 * @throws {RangeError} If the server has none with properties.
 */
export function schemaOf(server: ApiServer, resource: ResourceDescriptor): SchemaNode {
  const name = resourceName(resource);
  const definition = server.get(CustomResourceDefinitions, name) as
    | CustomResourceDefinition
    | undefined;
  const version = definition?.spec.versions.find(({ name }) => name === resource.version);
  const schema = own(version?.schema, "openAPIV3Schema") as SchemaNode | undefined;
  if (schema !== undefined && wishesOf(schema).length > 0) return schema;
  throw new RangeError(
    `A campaign needs the schema of ${name}: add its CustomResourceDefinition to the resources of the simulation, ` +
      "or give defineResource() schemas",
  );
}
