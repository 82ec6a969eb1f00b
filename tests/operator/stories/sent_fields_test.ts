import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  debugReconciles,
  storiesText,
  StoryBook,
  type StoryBookOptions,
} from "@kubeloop/controller/operator";
import { VirtualClock } from "@kubeloop/testing";

/** Returns the story of a reconcile that sends bodies. */
function storyOf(
  bodies: readonly (readonly [path: string, body: unknown])[],
  options: StoryBookOptions = {},
) {
  const book = new StoryBook({ clock: new VirtualClock(), ...options });
  const taken = { causes: [], moreCauses: 0, queuedMs: 0 };
  const recorder = book.begin({ controller: "widgets", key: "default/web", taken });
  for (const [url, body] of bodies) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    recorder.requested({ method: "PATCH", url, code: 200, durationMs: 1, body: text });
  }
  recorder.end({ result: "success" });
  return { book, story: book.list()[0]! };
}

const CONFIG_MAP = "/api/v1/namespaces/default/configmaps/a";

Deno.test("a story has the paths of the fields that a write has sent, and no values", () => {
  const { book, story } = storyOf([
    [CONFIG_MAP, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "a",
        namespace: "default",
        labels: { "app.io/x": "secret-1" },
        ownerReferences: [{ uid: "secret-2" }],
      },
      data: { color: "secret-3" },
      list: [{ name: "web", image: "secret-4" }, { port: 80 }],
      empty: {},
    }],
    [CONFIG_MAP, [{ op: "add", path: "/metadata/annotations/a~1b", value: "secret-5" }, null]],
    [CONFIG_MAP, "{not JSON"],
    [CONFIG_MAP, { data: { text: "x".repeat(70_000) } }],
  ]);
  assertEquals(story.requests.map(({ sent }) => sent?.fields), [
    [
      'metadata.labels["app.io/x"]',
      "metadata.ownerReferences",
      "data.color",
      "list[name=web].name",
      "list[name=web].image",
      "list[1].port",
      "empty",
    ],
    ['metadata.annotations["a/b"]'],
    undefined,
    undefined,
  ]);
  assert(!JSON.stringify(book.list()).includes("secret-"));
  assertStringIncludes(
    storiesText([story]),
    '200 in 1 ms, sent metadata.labels["app.io/x"], metadata.ownerReferences, data.color, ' +
      "list[name=web].{name,image}, list[1].port, empty\n",
  );
});

Deno.test("a story lists sixteen sent fields, and counts the others", () => {
  const data = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, "x"]));
  const { story } = storyOf([[CONFIG_MAP, { data }]]);
  const { sent } = story.requests[0]!;
  assertEquals([sent?.fields.length, sent?.moreFields], [16, 84]);
  assertStringIncludes(storiesText([story]), ",k15}, 84 more\n");
});

Deno.test("a story keeps masked values with recordObjects, unless they are long", () => {
  const { book, story } = storyOf([
    [CONFIG_MAP, {
      data: { color: "blue", "db-password": "x1", size: 9007199254740993n.toString() },
    }],
    [CONFIG_MAP, { data: { text: "y".repeat(5_000), more: Array(20).fill("z".repeat(400)) } }],
    ["/api/v1/namespaces/default/secrets/a", { data: { color: "blue" } }],
    ["/api/v1/namespaces/default/serviceaccounts/a/token", { spec: { audiences: ["a"] } }],
  ], { recordObjects: true });
  const [plain, long, ...hidden] = story.requests.map(({ sent }) => sent);
  assertEquals(plain?.values, {
    data: { color: "blue", "db-password": "•••", size: "9007199254740993" },
  });
  assertEquals([long?.fields, long?.values], [["data.text", "data.more"], undefined]);
  assertEquals(hidden, [undefined, undefined]);
  const { bytes } = book.snapshot();
  const { book: lean } = storyOf([[CONFIG_MAP, { data: { color: "blue" } }]]);
  assert(bytes > lean.snapshot().bytes + 200, "the values are not counted");
});

Deno.test("a story lists eight skipped writes, and counts the others", () => {
  const book = new StoryBook({ clock: new VirtualClock() });
  const taken = { causes: [], moreCauses: 0, queuedMs: 0 };
  const recorder = book.begin({ controller: "widgets", key: "default/web", taken });
  recorder.writeSkipped();
  for (let i = 0; i < 20; i++) {
    recorder.writeSkipped({ write: "apply", path: `/api/v1/pods/p${i}` });
  }
  recorder.end({ result: "success" });
  const [story] = book.list();
  assertEquals([story?.skippedWrites, story?.skipped?.length], [21, 8]);
  assertStringIncludes(
    storiesText([story!]),
    "  21 writes skipped: nothing to change (apply of /api/v1/pods/p0, ",
  );
});

Deno.test("only a page gets the values that were kept for it", async () => {
  const book = new StoryBook({ clock: new VirtualClock() });
  book.keepValues();
  const stream = book.stories();
  const taken = { causes: [], moreCauses: 0, queuedMs: 0 };
  const recorder = book.begin({ controller: "widgets", key: "default/web", taken });
  const body = JSON.stringify({ data: { color: "blue" } });
  recorder.requested({ method: "PATCH", url: CONFIG_MAP, code: 200, durationMs: 1, body });
  recorder.end({ result: "success" });
  const values = { data: { color: "blue" } };
  const query = { key: "default/web" };
  assertEquals(book.listWithValues(query)[0]?.requests[0]?.sent, {
    fields: ["data.color"],
    values,
  });
  const answer = debugReconciles(book)(new Request("http://localhost/?format=json"));
  const { value: streamed } = await stream.next();
  const [listed] = book.list(query);
  const [last] = book.keys(() => true);
  for (const story of [(await answer.json()).stories[0], streamed, listed, last?.last()]) {
    assertEquals(story.requests[0].sent, { fields: ["data.color"] });
  }
  book.close();
});
