import { assertEquals } from "@std/assert";
import { imageTag } from "../../../../src/testing/api_server/kinds/core/pod_spec/image_tag.ts";
import { CRD, crdWithSpec, create, kindOf, type Loose, POD } from "../support.ts";

Deno.test("applyDefaults() derives the pull policy of an image from its tag", () => {
  const policy = (image: string) =>
    create(POD, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image }] } })
      .spec.containers[0].imagePullPolicy;
  assertEquals(policy("nginx"), "Always");
  assertEquals(policy("nginx:latest"), "Always");
  assertEquals(policy("nginx:1.27"), "IfNotPresent");
  assertEquals(policy("host:5000/nginx"), "Always");
  assertEquals(policy("nginx@sha256:" + "a".repeat(64)), "IfNotPresent");
});

Deno.test("imageTag() knows what is a reference to an image", () => {
  const sha = (length: number) => `@sha256:${"a".repeat(length)}`;
  const tags: Record<string, string> = {
    "a": "latest",
    "a/b__c/d--e.f": "latest",
    "localhost/a": "latest",
    "Host/a": "latest",
    "host.x:5000/a:1": "1",
    "[::1]:5000/a": "latest",
    "[::1/a": "",
    "x-.y/a": "",
    "host:p/a": "",
    "ko://example.com/a": "",
    "a/B": "",
    "a:": "",
    "a:-": "",
    "a..b": "",
    "a___b": "",
    "a/": "",
    " a": "",
    [`a:${"t".repeat(128)}`]: "t".repeat(128),
    [`a:${"t".repeat(129)}`]: "",
    ["a".repeat(247)]: "latest",
    ["a".repeat(248)]: "",
    [`x.y/${"a".repeat(255)}`]: "latest",
    [`x.y/${"a".repeat(256)}`]: "",
    ["a".repeat(64)]: "",
    [`a${sha(64)}`]: "",
    [`a:latest${sha(64)}`]: "latest",
    [`a:latest${sha(63)}`]: "",
    [`a:latest@sha256:${"A".repeat(64)}`]: "",
    [`a:latest${sha(64)}${sha(64)}`]: "",
    "": "",
  };
  const found = Object.fromEntries(Object.keys(tags).map((image) => [image, imageTag(image)]));
  assertEquals(found, tags);
});

Deno.test("ApiServer sets the QoS class of a Pod", () => {
  const qos = (resources: Loose) =>
    create(POD, {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i", resources }] },
    }).status.qosClass;
  const all = { cpu: "1", memory: "1Gi" };
  assertEquals(qos({}), "BestEffort");
  assertEquals(qos({ requests: { cpu: "1" } }), "Burstable");
  assertEquals(qos({ limits: all }), "Guaranteed");
  assertEquals(qos({ limits: all, requests: { ...all, cpu: "500m" } }), "Burstable");
});

Deno.test("applyDefaults() writes the stringData of a secret into its data", () => {
  const secret = create(kindOf("", "Secret", "secrets"), {
    metadata: { name: "s" },
    data: { a: "YQ==", b: "Yg==" },
    stringData: { b: "ü" },
  });
  assertEquals(secret.data, { a: "YQ==", b: "w7w=" });
  assertEquals([secret.type, secret.stringData], ["Opaque", undefined]);
});

Deno.test("applyDefaults() sets the selector and the labels of a Job", () => {
  const job = create(kindOf("batch", "Job", "jobs"), {
    metadata: { name: "j" },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
    },
  });
  assertEquals(job.spec.selector.matchLabels, { "batch.kubernetes.io/controller-uid": "uid-1" });
  assertEquals(job.spec.template.metadata.labels, {
    "batch.kubernetes.io/controller-uid": "uid-1",
    "batch.kubernetes.io/job-name": "j",
    "controller-uid": "uid-1",
    "job-name": "j",
  });
  assertEquals([job.spec.completions, job.spec.parallelism, job.spec.backoffLimit], [1, 1, 6]);
});

Deno.test("applyDefaults() completes the names of a CRD", () => {
  const crd = create(CRD, crdWithSpec({ type: "object" }));
  assertEquals(crd.spec.names, {
    plural: "things",
    singular: "thing",
    kind: "Thing",
    listKind: "ThingList",
  });
  assertEquals(crd.spec.conversion, { strategy: "None" });
  assertEquals(crd.status.storedVersions, ["v1"]);
});
