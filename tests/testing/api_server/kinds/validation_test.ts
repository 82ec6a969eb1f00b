import { assertEquals } from "@std/assert";
import {
  causes,
  CONFIG_MAP,
  create,
  kindOf,
  type Loose,
  patch,
  POD,
  refusal,
  update,
} from "../support.ts";

function named(metadata: Loose): string[] {
  return causes(() => create(CONFIG_MAP, { metadata }));
}

Deno.test("ApiServer checks labels, annotations and owners", () => {
  const name = "a";
  assertEquals(named({ name, labels: { "Bad Key": "ok" } }), [
    `metadata.labels: Invalid value: "Bad Key": name part must consist of alphanumeric characters, '-', '_' or '.', ` +
    `and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used ` +
    `for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ]);
  assertEquals(named({ name, labels: { a: "-" } }), [
    `metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, ` +
    `'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', ` +
    `regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ]);
  assertEquals(named({ name, labels: { a: "x".repeat(64) } }), [
    `metadata.labels: Invalid value: "${"x".repeat(64)}": must be no more than 63 bytes`,
  ]);
  assertEquals(named({ name, annotations: { a: "x".repeat(300_000) } }), [
    "metadata.annotations: Too long: may not be more than 262144 bytes",
  ]);
  assertEquals(named({ name, generation: -1 }), [
    "metadata.generation: Invalid value: -1: must be greater than or equal to 0",
  ]);
  assertEquals(
    named({ name, ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "" }] }),
    [
      "metadata.ownerReferences[0].kind: Required value: must not be empty",
      "metadata.ownerReferences[0].name: Required value: must not be empty",
      "metadata.ownerReferences[0].uid: Required value: must not be empty",
    ],
  );
});

Deno.test("ApiServer checks the keys and the size of config maps and secrets", () => {
  const metadata = { name: "a" };
  assertEquals(causes(() => create(CONFIG_MAP, { metadata, data: { "a b": "" } })), [
    `data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' ` +
    `(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
  ]);
  create(CONFIG_MAP, { metadata, data: { a: "x".repeat(1 << 20) } });
  assertEquals(
    refusal(() => create(CONFIG_MAP, { metadata, data: { a: "x".repeat((1 << 20) + 1) } })).message,
    'ConfigMap "a" is invalid: []: Too long: may not be more than 1048576 bytes',
  );
});

Deno.test("ApiServer checks pods in depth", () => {
  const pod = (spec: Loose) => causes(() => create(POD, { metadata: { name: "p" }, spec }));
  assertEquals(pod({ containers: [] }), ["spec.containers: Required value"]);
  const container = { name: "c", image: "i" };
  assertEquals(pod({ containers: [{ ...container, name: "A_" }] }), [
    `spec.containers[0].name: Invalid value: "A_": a lowercase RFC 1123 label must consist of lower case alphanumeric ` +
    `characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex ` +
    `used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ]);
  assertEquals(pod({ containers: [container], restartPolicy: "Sometimes" }), [
    `spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"`,
  ]);
  assertEquals(
    pod({ containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/x" }] }] }),
    [`spec.containers[0].volumeMounts[0].name: Not found: "v"`],
  );
});

Deno.test("ApiServer rejects changes of immutable fields", () => {
  const fixed = create(CONFIG_MAP, { metadata: { name: "a" }, immutable: true, data: { a: "1" } });
  assertEquals(causes(() => patch(CONFIG_MAP, fixed, "merge", { data: { a: "2" } })), [
    "data: Forbidden: field is immutable when `immutable` is set",
  ]);
});

Deno.test("ApiServer allows changes of images and a few other fields of a Pod spec only", () => {
  const spec = { containers: [{ name: "nginx", image: "a:1" }] };
  const live = create(POD, { metadata: { name: "p2" }, spec });
  const next = patch(POD, live, "strategic", {
    spec: { containers: [{ name: "nginx", image: "b" }] },
  });
  assertEquals(next.spec.containers[0].image, "b");
  const [cause] = causes(() => patch(POD, live, "merge", { spec: { nodeName: "n" } }));
  assertEquals(
    cause,
    "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`," +
      "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing " +
      "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
  );
});

Deno.test("ApiServer increments the generation for changes of the spec only", () => {
  const job = kindOf("apps", "Deployment", "deployments");
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "c", image: "i" }] },
  };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  const live = create(job, { metadata: { name: "d" }, spec });
  assertEquals(live.metadata.generation, 1);
  assertEquals(
    patch(job, live, "merge", { metadata: { labels: { x: "y" } } }).metadata.generation,
    1,
  );
  assertEquals(patch(job, live, "merge", { spec: { replicas: 3 } }).metadata.generation, 2);
  const status = update(job, live, { ...live, status: { replicas: 1 } }, "test", "status");
  assertEquals([status.metadata.generation, status.status.replicas], [1, 1]);
  const ignored = update(job, live, { ...live, status: { replicas: 1 } });
  assertEquals(ignored.status.replicas, undefined);
});

const DEADLINE = "spec.activeDeadlineSeconds: Invalid value: ";

Deno.test("ApiServer allows only an earlier deadline of a Pod", () => {
  const live = create(POD, {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i" }], activeDeadlineSeconds: 5 },
  });
  const change = (activeDeadlineSeconds: number | null) => () =>
    patch(POD, live, "merge", { spec: { activeDeadlineSeconds } });
  assertEquals(change(1)().spec.activeDeadlineSeconds, 1);
  assertEquals(change(5)().spec.activeDeadlineSeconds, 5);
  const [later] = causes(change(6));
  assertEquals(later, `${DEADLINE}6: must be less than or equal to previous value`);
  const [never] = causes(change(null));
  assertEquals(never, `${DEADLINE}null: must not update from a positive integer to nil value`);
});

Deno.test("ApiServer allows changes of completions for Indexed Jobs only", () => {
  const job = kindOf("batch", "Job", "jobs");
  const template = {
    spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "i" }] },
  };
  const make = (completionMode: string) =>
    create(job, { metadata: { name: "j" }, spec: { template, completions: 3, completionMode } });
  const more = { spec: { completions: 4, parallelism: 4 } };
  assertEquals(patch(job, make("Indexed"), "merge", more).spec.completions, 4);
  assertEquals(causes(() => patch(job, make("NonIndexed"), "merge", more)), [
    "spec.completions: Invalid value: 4: field is immutable",
  ]);
});

Deno.test("ApiServer rejects the finalizers orphan and foregroundDeletion together", () => {
  create(CONFIG_MAP, { metadata: { name: "a", finalizers: ["orphan"] } });
  create(CONFIG_MAP, { metadata: { name: "a", finalizers: ["foregroundDeletion"] } });
  assertEquals(named({ name: "a", finalizers: ["orphan", "foregroundDeletion"] }), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion ' +
    "cannot be both set",
  ]);
});
