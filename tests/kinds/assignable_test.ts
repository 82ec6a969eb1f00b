/**
 * Checks by compiling that the generated types and the minimal ones of `src/types` can stand for each other.
 *
 * @module
 */

import type * as minimal from "../../src/types/mod.ts";
import type {
  ApplyConfiguration,
  Cached,
  DeepReadonly,
  DeepWritable,
  KubeList,
  KubeObject,
  MergePatch,
  Resource,
  Stored,
  StrategicMergePatch,
} from "../../src/types/mod.ts";
import type * as apiextensions from "../../src/kinds/apiextensions/v1.ts";
import type * as apps from "../../src/kinds/apps/v1.ts";
import type * as batch from "../../src/kinds/batch/v1.ts";
import type * as coordination from "../../src/kinds/coordination/v1.ts";
import type * as core from "../../src/kinds/core/v1.ts";
import type * as meta from "../../src/kinds/meta/v1.ts";

/** Whether each of two types is assignable to the other. */
type Both<A, B> = [A] extends [B] ? [B] extends [A] ? true : "the second is not the first"
  : "the first is not the second";

/** The same of all that the library makes of objects. */
type Everywhere<A extends KubeObject, B extends KubeObject> = [
  Both<A, B>,
  Both<Stored<A>, Stored<B>>,
  Both<Cached<A>, Cached<B>>,
  Both<ApplyConfiguration<A>, ApplyConfiguration<B>>,
  Both<MergePatch<A>, MergePatch<B>>,
  Both<StrategicMergePatch<A>, StrategicMergePatch<B>>,
  Both<DeepWritable<Cached<A>>, DeepWritable<Cached<B>>>,
  Both<Resource<A>, Resource<B>>,
];

/** Compiles only if every element of the type is true. */
function holds<T extends readonly true[]>(..._: T extends readonly true[] ? [] : never): void {}

Deno.test("each minimal object is assignable to its generated type, and the other way round", () => {
  holds<Everywhere<minimal.ConfigMap, core.ConfigMap>>();
  holds<Everywhere<minimal.CustomResourceDefinition, apiextensions.CustomResourceDefinition>>();
  holds<Everywhere<minimal.Deployment, apps.Deployment>>();
  holds<Everywhere<minimal.Event, core.Event>>();
  holds<Everywhere<minimal.Job, batch.Job>>();
  holds<Everywhere<minimal.Lease, coordination.Lease>>();
  holds<Everywhere<minimal.Namespace, core.Namespace>>();
  holds<Everywhere<minimal.Node, core.Node>>();
  holds<Everywhere<minimal.Pod, core.Pod>>();
  holds<Everywhere<minimal.ReplicaSet, apps.ReplicaSet>>();
  holds<Everywhere<minimal.Secret, core.Secret>>();
  holds<Everywhere<minimal.Service, core.Service>>();
  holds<Everywhere<minimal.ServiceAccount, core.ServiceAccount>>();
});

Deno.test("each minimal part of an object is assignable to its generated type, and the other way round", () => {
  holds<
    [
      Both<minimal.Condition, meta.Condition>,
      Both<minimal.Condition, core.PodCondition>,
      Both<minimal.Condition, apps.DeploymentCondition>,
      Both<minimal.Container, core.Container>,
      Both<minimal.ContainerStatus, core.ContainerStatus>,
      Both<
        minimal.CustomResourceDefinitionVersion,
        apiextensions.CustomResourceDefinitionVersion
      >,
      Both<minimal.JSONSchemaProps, apiextensions.JSONSchemaProps>,
      Both<minimal.LabelSelector, meta.LabelSelector>,
      Both<minimal.ObjectMeta, meta.ObjectMeta>,
      Both<minimal.ObjectReference, core.ObjectReference>,
      Both<minimal.PodSpec, core.PodSpec>,
      Both<minimal.PodStatus, core.PodStatus>,
      Both<minimal.PodTemplateSpec, core.PodTemplateSpec>,
      Both<minimal.ServicePort, core.ServicePort>,
      Both<DeepReadonly<minimal.PodSpec>, DeepReadonly<core.PodSpec>>,
      Both<KubeList<minimal.Pod>, core.PodList>,
    ]
  >();
});
