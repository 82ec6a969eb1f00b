import { assert, assertEquals, assertThrows } from "@std/assert";
import { parse } from "@std/yaml/parse";
import fc from "fast-check";
import {
  decodeContinue,
  encodeContinue,
  StoredObject,
} from "../../../src/testing/api_server/storage/mod.ts";
import { EventLog, type LogEntry } from "../../../src/testing/api_server/storage/event_log.ts";
import { parseRequestInfo } from "../../../src/testing/api_server/http/request_info.ts";
import { compareVersions } from "../../../src/testing/api_server/kinds/mod.ts";
import { yamlText } from "../../../src/testing/api_server/http/yaml_text.ts";
import { heapMiB } from "../../support/heap.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

Deno.test("yamlText() round-trips", () => {
  assertProperty(
    fc.property(fc.jsonValue(), (value) => {
      assertEquals(parse(yamlText(JSON.stringify(value))!, { schema: "json" }), value);
    }),
    500,
  );
});

Deno.test("decodeContinue() reads only tokens of encodeContinue()", () => {
  assertProperty(
    fc.property(fc.integer({ min: 1 }), fc.string({ minLength: 1 }), (revision, name) => {
      fc.pre(!name.includes("/"));
      // A page starts after an object: no name and zero.
      const start = `default/${name}\0`;
      const token = encodeContinue({ revision, start: `/${start}` });
      assertEquals(decodeContinue(token), { revision, start });
    }),
  );
  for (
    const bad of ["garbage", "!", "", btoa("{}"), btoa('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}')]
  ) {
    assertThrows(() => decodeContinue(bad), Error, "continue key is not valid");
  }
});

Deno.test("EventLog returns the events after a resource version, as far back as it keeps them", () => {
  assertProperty(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      (steps, capacity) => {
        const log = new EventLog(capacity);
        const all: number[] = [];
        let revision = 0;
        for (const step of steps) {
          revision += step;
          all.push(revision);
          log.append(entry(revision));
        }
        const kept = all.slice(-capacity);
        assertEquals(log.forgottenRevision, all[all.length - capacity - 1] ?? 0);
        for (let from = log.forgottenRevision; from <= revision; from++) {
          const found = log.after(from).map((one) => one.revision);
          assertEquals(found, kept.filter((one) => one > from));
          assertEquals(log.hasAfter(from), found.length > 0);
        }
      },
    ),
    50,
  );
});

testOn(
  ["deno", "node"],
  "Bun does not collect garbage on demand",
  "EventLog takes no more memory however many events it has dropped",
  () => {
    const log = new EventLog(10);
    const shared = entry(0);
    const append = (count: number) => {
      for (let i = 0; i < count; i++) log.append(shared);
    };
    append(10_000);
    const before = heapMiB();
    append(1_000_000);
    const grown = heapMiB() - before;
    assert(grown < 2, `${grown.toFixed(1)} MiB more`);
    assertEquals(log.length, 10);
  },
);

Deno.test("EventLog forgets an entry, or all of them, with their bytes", () => {
  const log = new EventLog(10);
  const size = entry(1).object.bytes;
  for (const revision of [2, 4, 6]) log.append(entry(revision));
  assertEquals([log.length, log.bytes, log.oldestRevision], [3, 3 * size, 2]);
  log.forget(4);
  assertEquals([log.length, log.forgottenRevision], [3, 0], "only the oldest entry can go");
  log.forget(2);
  assertEquals([log.length, log.bytes, log.oldestRevision, log.forgottenRevision], [
    2,
    2 * size,
    4,
    2,
  ]);
  log.clear(9);
  assertEquals([log.length, log.bytes, log.oldestRevision, log.forgottenRevision], [
    0,
    0,
    undefined,
    9,
  ]);
  log.append(entry(10));
  assertEquals([log.after(9).length, log.after(10).length, log.hasAfter(10)], [1, 0, false]);
});

function entry(revision: number): LogEntry {
  const object = new StoredObject({ metadata: { name: "a" } }, revision, "");
  return { revision, type: "MODIFIED", object, previous: undefined };
}

Deno.test("parseRequestInfo() reads paths as the API server does", () => {
  for (
    const [method, path, verb, group, namespace, resource, name, subresource] of [
      ["GET", "/api/v1/pods", "list", "", "", "pods", "", ""],
      ["GET", "/api/v1/pods?watch=true", "watch", "", "", "pods", "", ""],
      ["GET", "/api/v1/pods?watch=0", "list", "", "", "pods", "", ""],
      ["GET", "/api/v1/namespaces/a/pods/b", "get", "", "a", "pods", "b", ""],
      ["PATCH", "/api/v1/namespaces/a/pods/b/status", "patch", "", "a", "pods", "b", "status"],
      ["GET", "/api/v1/namespaces/a", "get", "", "a", "namespaces", "a", ""],
      ["PUT", "/api/v1/namespaces/a/finalize", "update", "", "a", "namespaces", "a", "finalize"],
      [
        "DELETE",
        "/apis/apps/v1/namespaces/a/deployments",
        "deletecollection",
        "apps",
        "a",
        "deployments",
        "",
        "",
      ],
      [
        "POST",
        "/apis/apps/v1/namespaces/a/deployments",
        "create",
        "apps",
        "a",
        "deployments",
        "",
        "",
      ],
      ["GET", "/api/v1/watch/namespaces/a/pods/b", "watch", "", "a", "pods", "b", ""],
      ["GET", "/apis/x/v1/ys/system%3Az", "get", "x", "", "ys", "system:z", ""],
      ["GET", "/api/v1", "get", "", "", "", "", ""],
      ["GET", "/metrics", "get", "", "", "", "", ""],
    ] as const
  ) {
    const url = new URL(`http://c${path}`);
    const info = parseRequestInfo(method, url.pathname, url.searchParams);
    assertEquals(
      [info.verb, info.group, info.namespace, info.resource, info.name, info.subresource],
      [verb, group, namespace, resource, name, subresource],
      `${method} ${path}`,
    );
  }
});

Deno.test("compareVersions() sorts GA before beta before alpha, newer before older", () => {
  const versions = [
    "foo",
    "v1alpha1",
    "v2",
    "v1beta2",
    "v10",
    "v1",
    "v1beta10",
    "bar",
    "v11alpha2",
  ];
  assertEquals(versions.sort(compareVersions), [
    "v10",
    "v2",
    "v1",
    "v1beta10",
    "v1beta2",
    "v11alpha2",
    "v1alpha1",
    "bar",
    "foo",
  ]);
});
