/**
 * Checks by compiling that the minimal `Pod` and `Event` of `src/types/minimal` are assignable to the complete ones. The
 * reverse holds because the complete ones extend them.
 *
 * @module
 */

import type * as minimal from "../../src/types/minimal/mod.ts";
import type {
  ApplyConfiguration,
  Cached,
  Condition,
  DeepReadonly,
  DeepWritable,
  KubeObject,
  MergePatch,
  Resource,
  Stored,
  StrategicMergePatch,
} from "../../src/types/mod.ts";
import type * as apps from "../../src/kinds/apps/v1.ts";
import type * as batch from "../../src/kinds/batch/v1.ts";
import type * as core from "../../src/kinds/core/v1.ts";

/** Whether each of two types is assignable to the other. */
type Both<A, B> = [A] extends [B] ? [B] extends [A] ? true : "the second is not the first"
  : "the first is not the second";

/** The same of all types that the library derives from the type of an object. */
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

Deno.test("a minimal Pod or Event is assignable to the complete one, and the reverse", () => {
  holds<Everywhere<minimal.Pod, core.Pod>>();
  holds<Everywhere<minimal.Event, core.Event>>();
  holds<[Both<DeepReadonly<minimal.PodSpec>, DeepReadonly<core.PodSpec>>]>();
});

Deno.test("the conditions of kinds are assignable to a Condition, and the reverse", () => {
  holds<
    [
      Both<Condition, core.PodCondition>,
      Both<Condition, core.NodeCondition>,
      Both<Condition, apps.DeploymentCondition>,
      Both<Condition, batch.JobCondition>,
    ]
  >();
});
