import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  GenericLister,
  listAll,
  listAllByNamespace,
  type ListSelector,
  metaNamespaceIndexFunc,
  metaNamespaceKeyFunc,
  NAMESPACE_INDEX,
  newIndexer,
} from "../../../src/cache/mod.ts";
import {
  defineResource,
  isNotFound,
  type KubeObject,
  Pods,
  Selector,
  StatusError,
} from "../../../src/types/mod.ts";
import { recordingLogger } from "../_support.ts";

const objects: KubeObject[] = [
  { metadata: { namespace: "x", name: "a", labels: { app: "web" } } },
  { metadata: { namespace: "x", name: "b", labels: { app: "api" } } },
  { metadata: { namespace: "y", name: "a", labels: { app: "web" } } },
  { metadata: { namespace: "y", name: "c" } },
  { metadata: { name: "node" } },
];
function make(indexed = true) {
  const indexer = newIndexer<KubeObject>(
    metaNamespaceKeyFunc,
    indexed ? { [NAMESPACE_INDEX]: metaNamespaceIndexFunc } : {},
  );
  indexer.replace(objects, "1");
  return indexer;
}
const keys = (found: KubeObject[]) => found.map(metaNamespaceKeyFunc).sort();

Deno.test("listAll() accepts selectors in every form", () => {
  const indexer = make();
  const cases: [ListSelector | undefined, string[]][] = [
    [undefined, ["node", "x/a", "x/b", "y/a", "y/c"]],
    ["", ["node", "x/a", "x/b", "y/a", "y/c"]],
    [{}, ["node", "x/a", "x/b", "y/a", "y/c"]],
    ["app=web", ["x/a", "y/a"]],
    [{ matchLabels: { app: "api" } }, ["x/b"]],
    ["!app", ["node", "y/c"]],
    [Selector.nothing, []],
    [Selector.everything, ["node", "x/a", "x/b", "y/a", "y/c"]],
  ];
  for (const [selector, expected] of cases) {
    assertEquals(keys(listAll(indexer, selector)), expected, String(JSON.stringify(selector)));
  }
  assertThrows(() => listAll(indexer, "app in web"), SyntaxError);
});

Deno.test("listAllByNamespace() lists one namespace, or all namespaces if the namespace is empty", () => {
  const logger = recordingLogger();
  const indexer = make();
  assertEquals(keys(listAllByNamespace(indexer, "x", { logger })), ["x/a", "x/b"]);
  assertEquals(keys(listAllByNamespace(indexer, "x", { selector: "app=web", logger })), ["x/a"]);
  assertEquals(listAllByNamespace(indexer, "x", { selector: Selector.nothing, logger }), []);
  assertEquals(listAllByNamespace(indexer, "none", { logger }), []);
  assertEquals(listAllByNamespace(indexer, "", { logger }).length, 5);
  assertEquals(logger.lines, []);
});

Deno.test("listAllByNamespace() scans all objects and warns if the index is missing", () => {
  const logger = recordingLogger();
  const found = listAllByNamespace(make(false), "x", { selector: "app=web", logger });
  assertEquals(keys(found), ["x/a"]);
  assertEquals(logger.lines.length, 1);
  assert(logger.lines[0]?.startsWith("warn: "));
});

Deno.test("GenericLister lists and gets objects like the API", () => {
  const lister = new GenericLister(make(), Pods);
  assertEquals(lister.list().length, 5);
  assertEquals(keys(lister.list("app=web")), ["x/a", "y/a"]);
  assertStrictEquals(lister.get("node"), objects[4]);
  assertEquals(keys(lister.byNamespace("y").list()), ["y/a", "y/c"]);
  assertEquals(keys(lister.byNamespace("y").list({ matchLabels: { app: "web" } })), ["y/a"]);
  assertStrictEquals(lister.byNamespace("y").get("a"), objects[2]);
});

Deno.test("GenericLister throws NotFound for an object that does not exist", () => {
  const lister = new GenericLister(make(), Pods);
  const error = assertThrows(() => lister.byNamespace("x").get("c"), Error, 'pods "c" not found');
  assert(StatusError.is(error) && isNotFound(error));
  assertEquals(error.code, 404);
  assertEquals(error.status.details, { group: "", kind: "pods", name: "c" });

  const Websites = defineResource({
    group: "example.com",
    version: "v1",
    plural: "websites",
    kind: "Website",
    namespaced: false,
  });
  const websites = new GenericLister(make(), Websites);
  assertThrows(() => websites.get("gone"), Error, 'websites.example.com "gone" not found');
});
