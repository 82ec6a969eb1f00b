// Compiles: a JSON Schema whose type is given, and a field that holds a type of Kubernetes.

import { defineResource, type Manager, type PodSpec } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import type { JsonSchema } from "@kubeloop/controller/types";
import { z } from "zod";
import { same } from "./_same.ts";

declare const manager: Manager;

const spec: JsonSchema<{ replicas: number; note?: string }> = {
  type: "object",
  properties: { replicas: { type: "integer" }, note: { type: "string" } },
};
const Sets = defineResource({ group: "acme.io", version: "v1", kind: "Set", spec });
manager.controller(Sets, { when: changed("spec.note") }).reconcile(({ object }) => {
  same<typeof object.spec.replicas, number>(true);
});

const Workers = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Worker",
  spec: z.object({ pod: z.looseObject({}) as unknown as z.ZodType<PodSpec> }),
});
manager.controller(Workers, { when: changed("spec.pod.containers.0.image") }).reconcile(
  ({ object }) => {
    same<typeof object.spec.pod.containers[number]["name"], string>(true);
  },
);
