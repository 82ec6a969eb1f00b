import { visibleText } from "../../base/mod.ts";
import { type Condition, type KubeObject, type Stored, takenNames } from "../../types/mod.ts";
import { nameOf, type ObjectPredicate, objectPredicate, type Verdict } from "./wait_predicate.ts";

/** The longest message of a condition that is shown, in characters. */
const MAX_MESSAGE_LENGTH = 500;

/** The part of an object that the predicates read. A server may send anything else. */
interface WithConditions extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

/** Returns the condition of a type, if the object has it. */
export function conditionOf(object: KubeObject, type: string): Condition | undefined {
  const conditions: unknown = (object as WithConditions).status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as Condition[]).find((condition) => condition?.type === type);
}

/**
 * Waits until the object has a condition of the given type and status, as `kubectl wait --for=condition=TYPE` does: upper
 * and lower case make no difference.
 *
 * A condition that its controller has not yet brought up to date does not count: one whose `observedGeneration`, or else
 * that of the status, is below `metadata.generation`.
 *
 * @param type The type of the condition, such as `Ready`.
 * @param status The status that the condition must have. Default `True`.
 * @returns A predicate for `Client.waitFor`.
 * @throws {TypeError} If `type` is not a text, or `status` not one of the three.
 *
 * @example
 * ```ts
 * import { Client, condition } from "@kubeloop/controller/client";
 * import { Pods } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const namespace = "default";
 * await client.create(Pods, {
 *   metadata: { name: "web", namespace },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 * const waiting = client.waitFor(Pods, "web", condition("Ready"), { namespace });
 * await client.patchStatus(Pods, "web", {
 *   status: { conditions: [{ type: "Ready", status: "True" }] },
 * }, { namespace });
 * assertEquals((await waiting).metadata.name, "web");
 * ```
 */
export function condition(type: string, status: Condition["status"] = "True"): ObjectPredicate {
  if (typeof type !== "string" || type === "") {
    throw new TypeError(
      'condition() needs the type of a condition, such as condition("Ready"): received ' +
        (type === "" ? "an empty text" : `a value of type ${typeof type}`),
    );
  }
  if (!["True", "False", "Unknown"].includes(status)) {
    throw new TypeError(
      `condition("${type}", …) needs the status "True", "False" or "Unknown": received ${
        typeof status === "string" ? JSON.stringify(status) : `a value of type ${typeof status}`
      }`,
    );
  }
  return objectPredicate(
    `did not have the condition ${type}=${status}`,
    (object) => judgeCondition(object, type, status),
  );
}

function judgeCondition(
  object: Stored<KubeObject>,
  type: string,
  status: Condition["status"],
): Verdict {
  const found = conditionOf(object, type) ?? conditionLike(object, type);
  if (found === undefined) return `it has no condition ${type}`;
  const { generation } = object.metadata;
  const observed = found.observedGeneration ??
    (object as WithConditions).status?.observedGeneration;
  if (generation !== undefined && observed !== undefined && observed < generation) {
    return `its condition ${type} is of generation ${observed}, the object is at ${generation}`;
  }
  return isSameText(found.status, status) ||
    `its condition ${type} is ${found.status}${reasonOf(found)}`;
}

/** Returns the condition of a type that differs in upper and lower case. */
function conditionLike(object: KubeObject, type: string): Condition | undefined {
  const conditions: unknown = (object as WithConditions).status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as Condition[]).find((one) => isSameText(one?.type, type));
}

function isSameText(found: unknown, wanted: string): boolean {
  return typeof found === "string" && found.toLowerCase() === wanted.toLowerCase();
}

/**
 * Waits until the server serves the resource of a CustomResourceDefinition. If another definition has its names, the wait
 * ends with an error that names the condition `NamesAccepted`.
 */
export const established: ObjectPredicate = objectPredicate("was not established", (definition) => {
  const taken = takenNames(definition as WithConditions);
  if (taken !== undefined) {
    const what = nameOf("CustomResourceDefinition", definition.metadata.name, undefined);
    throw new Error(`${what} cannot be established: ${taken}`);
  }
  return judgeCondition(definition, "Established", "True");
});

/**
 * Waits until a Job is complete. A Job that has failed ends the wait with an error that has the reason and the message
 * of its condition `Failed`.
 *
 * @example
 * ```ts
 * import { complete } from "@kubeloop/controller/client";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const metadata = { name: "backup", namespace: "default", uid: "1", resourceVersion: "2" };
 * const failed = {
 *   metadata,
 *   status: { conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }] },
 * };
 * assertEquals(complete({ metadata }), "0 Pods have succeeded, 0 are active");
 * assertThrows(() => complete(failed), Error, "Job default/backup has failed: BackoffLimitExceeded");
 * ```
 */
export const complete: ObjectPredicate = objectPredicate("was not complete", (job) => {
  if (conditionOf(job, "Complete")?.status === "True") return true;
  const failed = conditionOf(job, "Failed");
  if (failed?.status === "True") {
    const { name, namespace } = job.metadata;
    throw new Error(`${nameOf(job.kind ?? "Job", name, namespace)} has failed${reasonOf(failed)}`);
  }
  const { succeeded = 0, active = 0 }: { succeeded?: number; active?: number } =
    (job as { status?: Record<string, number> }).status ?? {};
  return `${succeeded} Pods have succeeded, ${active} are active`;
});

/** Returns the reason and the message of a condition, each after a colon. */
function reasonOf({ reason, message }: Condition): string {
  const parts = [reason, message].filter((part) => typeof part === "string" && part !== "");
  return visibleText(parts.map((part) => `: ${part}`).join(""), MAX_MESSAGE_LENGTH);
}
