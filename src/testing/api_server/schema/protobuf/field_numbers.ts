import type { Field, StructType } from "../../values/mod.ts";

/**
 * The protobuf field numbers of structs whose fields are not numbered 1, 2, 3 … in the order of their schema.
 *
 * The numbers are in the order of the schema. `2.1` is field 1 of the message in field 2; such a message is inlined in
 * JSON. `kind` and `apiVersion` have no number. The source is the published protobuf definitions of the Kubernetes API.
 */
const NUMBERS: Readonly<Record<string, string>> = {
  ObjectMeta: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 17",
  OwnerReference: "5 1 3 4 6 7",
  ManagedFieldsEntry: "1 2 3 4 6 7 8",
  PodSpec:
    "1 20 2 34 3 4 5 6 7 8 9 21 10 11 12 13 27 14 15 16 17 18 19 22 23 24 25 26 28 29 30 31 32 33 35 36 37 38 39 40 41 42",
  PodStatus: "17 1 2 3 4 11 5 16 6 12 7 10 8 9 13 14 15 18 19 20",
  PodSecurityContext: "1 8 2 6 3 4 12 5 7 9 10 11 13",
  PodResourceClaim: "1 3 4",
  PodCondition: "1 7 2 3 4 5 6",
  Container: "1 2 3 4 5 6 19 7 8 23 24 25 9 21 10 11 22 12 13 20 14 15 16 17 18",
  EphemeralContainer:
    "1.1 1.2 1.3 1.4 1.5 1.6 1.19 1.7 1.8 1.23 1.24 1.25 1.9 1.21 1.10 1.11 1.22 1.12 1.13 1.20 1.14 1.15 1.16 1.17 1.18 2",
  VolumeMount: "1 2 7 3 4 5 6",
  Probe: "1.1 1.2 1.3 1.4 2 3 4 5 6 7",
  SecurityContext: "1 2 3 10 4 8 5 6 7 9 11 12",
  ConfigMapEnvSource: "1.1 2",
  SecretEnvSource: "1.1 2",
  ConfigMapKeySelector: "1.1 2 3",
  SecretKeySelector: "1.1 2 3",
  Volume:
    "1 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 2.13 2.14 2.15 2.16 2.17 2.18 2.19 2.20 2.21 2.22 2.23 2.26 2.24 2.25 2.27 2.28 2.29 2.30",
  ISCSIVolumeSource: "1 2 3 4 5 6 7 8 11 10 12",
  ConfigMapVolumeSource: "1.1 2 3 4",
  SecretProjection: "1.1 2 4",
  ConfigMapProjection: "1.1 2 4",
  ClusterTrustBundleProjection: "1 2 3 5 4",
  PersistentVolumeClaimSpec: "1 4 2 3 5 6 7 8 9",
  ConfigMap: "1 4 2 3",
  Secret: "1 5 2 4 3",
  ServiceSpec: "1 2 3 18 4 5 7 8 9 10 11 12 13 14 19 17 20 21 22 23",
  ServicePort: "1 2 6 3 4 5",
  NamespaceCondition: "1 2 4 5 6",
  NodeSpec: "1 7 3 4 5 6 2",
  NodeConfigSource: "2",
  DeploymentSpec: "1 2 3 4 5 6 7 9",
  DeploymentStatus: "1 2 3 7 4 5 9 6 8",
  ReplicaSetSpec: "1 4 2 3",
  ReplicaSetStatus: "1 2 4 5 7 3 6",
  DeploymentCondition: "1 2 6 7 4 5",
  JobSpec: "1 2 3 11 16 7 12 13 4 5 6 8 9 10 14 15",
  JobStatus: "1 2 3 4 5 6 11 7 10 8 9",
  SubjectAccessReviewStatus: "1 4 2 3",
  MutatingWebhook: "1 2 3 4 9 5 11 6 7 8 10 12",
  ValidatingWebhook: "1 2 3 4 9 5 10 6 7 8 11",
  RuleWithOperations: "1 2.1 2.2 2.3 2.4",
  CustomResourceDefinitionSpec: "1 3 4 7 9 10",
  CustomResourceDefinitionVersion: "1 2 3 7 8 4 5 6 9",
  WebhookConversion: "2 3",
  WebhookClientConfig: "3 1 2",
  JSONSchemaProps:
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24.1 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44",
};

/** The meaning of a field number: a field, or a message whose fields are inlined in JSON. */
export type Numbered = Field | ReadonlyMap<number, Field>;

const known = new WeakMap<StructType["fields"], ReadonlyMap<number, Numbered>>();

/** Returns the fields of a struct by their numbers. */
export function fieldsByNumber(struct: StructType): ReadonlyMap<number, Numbered> {
  const cached = known.get(struct.fields);
  if (cached !== undefined) return cached;
  const fields = [...struct.fields.values()].filter((field) => !isTypeMeta(field, struct));
  const numbers = Object.hasOwn(NUMBERS, struct.name)
    ? NUMBERS[struct.name]!.split(" ")
    : fields.map((_, index) => String(index + 1));
  if (numbers.length !== fields.length) {
    throw new RangeError(`Struct "${struct.name}" has ${fields.length} fields, not those numbered`);
  }
  const out = new Map<number, Numbered>();
  fields.forEach((field, index) => {
    const [outer = 0, inner] = numbers[index]!.split(".").map(Number);
    if (inner === undefined) {
      out.set(outer, field);
      return;
    }
    const hidden = (out.get(outer) ?? new Map()) as Map<number, Field>;
    out.set(outer, hidden.set(inner, field));
  });
  known.set(struct.fields, out);
  return out;
}

/** Reports whether a field is `kind` or `apiVersion` of a whole object, which protobuf encodes outside the object. */
function isTypeMeta({ name }: Field, { name: struct, fields }: StructType): boolean {
  if (name !== "kind" && name !== "apiVersion") return false;
  return fields.has("metadata") || struct === "DeleteOptions";
}
