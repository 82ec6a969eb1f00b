import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseLabelSelector } from "../../../../src/testing/api_server/http/label_selector.ts";
import { parseFieldSelector } from "../../../../src/testing/api_server/kinds/field_selector.ts";
import type { KindInfo } from "../../../../src/testing/api_server/schema/kind.ts";
import {
  CONFIG_MAP,
  crdWithSpec,
  customKind,
  kindOf,
  type Loose,
  POD,
  refusal,
} from "../support.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

function matches(selector: string, labels: Record<string, string>): boolean {
  return parseLabelSelector(selector).matches(labels);
}

Deno.test("parseLabelSelector() understands every operator", () => {
  const labels = { app: "web", tier: "a", n: "5" };
  for (
    const [selector, expected] of [
      ["", true],
      ["app=web", true],
      ["app==web", true],
      ["app = web , tier = a", true],
      ["app!=web", false],
      ["other!=web", true],
      ["app in (web,db)", true],
      ["app in (db)", false],
      ["app notin (web)", false],
      ["other notin (web)", true],
      ["app", true],
      ["other", false],
      ["!app", false],
      ["! other", true],
      ["n>4", true],
      ["n>5", false],
      ["n<6", true],
      ["app>4", false],
      ["in=x", false],
      ["app in (),tier=a", false],
      ["empty=", false],
    ] as const
  ) assertEquals(matches(selector, labels), expected, selector);
  assert(matches("empty=", { empty: "" }));
  assert(matches("empty in (,x)", { empty: "" }));
});

Deno.test("parseLabelSelector() never treats an inherited property as a label", () => {
  assert(!matches("constructor", {}));
  assert(!matches("toString", {}));
  assert(matches("!hasOwnProperty", {}));
});

Deno.test("parseLabelSelector() matches equal labels with =, and all others with !=", () => {
  const value = fc.stringMatching(/^[a-z0-9]{0,3}$/);
  assertProperty(fc.property(value, value, (wanted, actual) => {
    const labels = { k: actual };
    assertEquals(matches(`k=${wanted}`, labels), wanted === actual);
    assertEquals(matches(`k!=${wanted}`, labels), wanted !== actual);
    assertEquals(matches(`k in (${wanted},zzzz)`, labels), wanted === actual);
    assertEquals(matches(`k notin (${wanted},zzzz)`, labels), wanted !== actual);
  }));
});

function select(selector: string, kind: KindInfo, object: Loose): boolean {
  return parseFieldSelector(selector, kind).matches(object);
}

Deno.test("parseFieldSelector() selects every kind by name and namespace", () => {
  const object = { metadata: { name: "a", namespace: "n" } };
  for (const kind of [CONFIG_MAP, POD, customKind(crdWithSpec({ type: "object" }))]) {
    assert(select("metadata.name=a,metadata.namespace==n", kind, object));
    assert(!select("metadata.name!=a", kind, object));
    assert(select("", kind, object));
  }
});

Deno.test("parseFieldSelector() selects built-in kinds by their own fields", () => {
  const pod = {
    metadata: { name: "p" },
    spec: { nodeName: "n1", restartPolicy: "Always" },
    status: { phase: "Running", podIP: "1.2.3.4" },
  };
  assert(select("spec.nodeName=n1,status.phase!=Failed,spec.hostNetwork=false", POD, pod));
  assert(!select("status.phase=Pending", POD, pod));
  const event = kindOf("", "Event", "events");
  const seen = { metadata: {}, involvedObject: { name: "p", kind: "Pod" }, type: "Warning" };
  assert(select("involvedObject.name=p,type=Warning,reason=", event, seen));
  const secret = kindOf("", "Secret", "secrets");
  assert(select("type=Opaque", secret, { metadata: {}, type: "Opaque" }));
  const job = kindOf("batch", "Job", "jobs");
  assert(select("status.successful=0", job, { metadata: {}, status: {} }));
});

Deno.test("parseFieldSelector() selects custom resources by their selectable fields", () => {
  const spec = { type: "object", properties: { color: { type: "string" } } };
  const kind = customKind(crdWithSpec(spec, { selectableFields: [{ jsonPath: ".spec.color" }] }));
  assert(select("spec.color=red", kind, { metadata: {}, spec: { color: "red" } }));
  assert(select("spec.color=", kind, { metadata: {}, spec: {} }));
  assertEquals(
    refusal(() => parseFieldSelector("spec.size=1", kind)).message,
    "field label not supported: spec.size",
  );
});

Deno.test("parseFieldSelector() unescapes values", () => {
  const kind = CONFIG_MAP;
  assert(select("metadata.name=a\\,b\\=c\\\\d", kind, { metadata: { name: "a,b=c\\d" } }));
});
