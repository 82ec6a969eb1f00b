import { assertEquals } from "@std/assert";
import { applyDefaults } from "../../../../src/testing/api_server/kinds/defaults/defaults.ts";
import { toEventsEvent } from "../../../../src/testing/api_server/kinds/events/event_view.ts";
import { updateManagedFields } from "../../../../src/testing/api_server/kinds/server_side_apply.ts";
import {
  admit,
  asRead,
  prepareForCreate,
} from "../../../../src/testing/api_server/kinds/strategy/strategy.ts";
import {
  checkNamespaceMatches,
  validateCreate,
} from "../../../../src/testing/api_server/kinds/validation/validation.ts";
import { decodeObject } from "../../../../src/testing/api_server/schema/decode.ts";
import type { KindInfo } from "../../../../src/testing/api_server/schema/kind.ts";
import { ApiError } from "../../../../src/testing/values/api_error.ts";
import { encodeJson } from "../../../../src/testing/values/encode.ts";
import { CLUSTER, kindOf, type Loose, NOW, WRITER } from "../support.ts";

/** A create with `dryRun=All`, as answered by a real server (1.35.4); uid and times are replaced by those used here. */
interface RecordedCreate {
  readonly path: string;
  readonly body: Loose;
  readonly code: number;
  readonly answer: Loose;
}

const KINDS = new Map([
  ["pods", "Pod"],
  ["configmaps", "ConfigMap"],
  ["secrets", "Secret"],
  ["services", "Service"],
  ["serviceaccounts", "ServiceAccount"],
  ["namespaces", "Namespace"],
  ["nodes", "Node"],
  ["events", "Event"],
  ["leases", "Lease"],
  ["deployments", "Deployment"],
  ["replicasets", "ReplicaSet"],
  ["jobs", "Job"],
  ["poddisruptionbudgets", "PodDisruptionBudget"],
  ["roles", "Role"],
  ["rolebindings", "RoleBinding"],
  ["clusterroles", "ClusterRole"],
  ["clusterrolebindings", "ClusterRoleBinding"],
]);

function target(path: string): { kind: KindInfo; namespace: string } {
  const parts = path.split("/").slice(2);
  const group = path.startsWith("/api/") ? "" : parts.shift()!;
  const plural = parts.at(-1)!;
  const namespace = parts.length > 2 ? parts[2]! : "";
  return { kind: kindOf(group, KINDS.get(plural)!, plural, namespace !== ""), namespace };
}

/** Returns the response body that our modules produce for a request body. */
function answer({ path, body }: RecordedCreate): string {
  const { kind, namespace } = target(path);
  try {
    const { object } = decodeObject(JSON.stringify(body), kind, "Warn");
    let next: Loose = applyDefaults(kind, object);
    next = updateManagedFields({ kind, next, manager: "test", now: NOW, subresource: "" });
    if (namespace !== "") checkNamespaceMatches(namespace, next);
    const metadata = { ...next.metadata, uid: "uid-1", creationTimestamp: NOW };
    if (namespace !== "") metadata.namespace = namespace;
    next = prepareForCreate(kind, admit(kind, { ...next, metadata }, CLUSTER), WRITER);
    validateCreate(kind, next);
    next = asRead(kind, next);
    return encodeJson(kind.group === "events.k8s.io" ? toEventsEvent(next) : next, kind.schema);
  } catch (error) {
    if (ApiError.is(error)) return JSON.stringify(error.status);
    throw error;
  }
}

const text = await Deno.readTextFile(new URL("./recorded_creates.jsonl", import.meta.url));
const recorded: RecordedCreate[] = text.trim().split("\n").map((line) => JSON.parse(line));

for (const [path, creates] of Map.groupBy(recorded, (one) => one.path)) {
  Deno.test(`validateCreate() and the steps before it answer the recorded creates of ${path}`, () => {
    for (const one of creates) {
      assertEquals(JSON.parse(answer(one)), one.answer, JSON.stringify(one.body));
    }
  });
}
