/** When a delete is made on stale knowledge, and how a step is taken back. */

import { assertEquals, assertRejects } from "@std/assert";
import { Client, ConfigMaps, Namespaces } from "../../../mod.ts";
import { ApiServer, type ServerWrite, VirtualClock } from "../../../src/testing/mod.ts";
import { staleDelete } from "../../../src/testing/simulation/judge/mod.ts";
import { Journal, type SentWrite } from "../../../src/testing/simulation/record/mod.ts";
import { create, patch, settle, type Step } from "../../../src/testing/simulation/mod.ts";
import { undoStep } from "../../../src/testing/simulation/plans/mod.ts";
import { ToldRun } from "./told_run.ts";

const OWNED = { ownerReferences: [{ kind: "Thing", name: "w" }] };

interface Deletion {
  readonly body?: string;
  readonly seconds?: number;
  readonly metadata?: object;
  readonly by?: string;
  readonly owner?: string;
  readonly namespace?: string;
  readonly spec?: unknown;
  readonly tell?: (run: ToldRun, first: ServerWrite, last: ServerWrite) => void;
}

/** Returns what is said of a delete of the map `w-0`, `seconds` after its owner was changed. */
function said({
  body = "{}",
  seconds = 5,
  metadata = OWNED,
  by = "user",
  namespace = "default",
  owner = "things w",
  spec = { size: 3 },
  tell = (run, first) => run.see("op", first),
}: Deletion): string {
  const run = new ToldRun();
  run.process("op");
  const of = (spec: unknown) => ({ kind: "Thing", spec });
  const first = run.commit(by, "creates", owner, of({ size: 1 }), { namespace });
  run.commit("op", "creates", "maps w-0", {}, { metadata });
  const last = run.commit(by, "changes", owner, of(spec), { namespace });
  tell(run, first, last);
  let nowMs = 0;
  const journal = new Journal(() => nowMs, new Set(), []);
  for (const moment of run.moments) {
    nowMs = moment.atMs;
    if (moment.kind === "committed") journal.enter(moment.write);
    else journal.history.add(moment);
  }
  for (const [version, writer] of run.record().writers) journal.writers.set(version, writer);
  nowMs = seconds * 1000;
  const sent = { process: "op", resource: "maps", namespace: "default", name: "w-0", body };
  return staleDelete(sent as SentWrite, journal)?.replace(
    /, and the deleted object is wanted\. .*/,
    "",
  ) ?? "";
}

Deno.test("staleDelete() tells what a process did not know of the owner of what it deletes by name", () => {
  const deletes = "op deletes maps default/w-0 by its name, ";
  const because =
    'because of things default/w at version 1 ({"spec":{"size":1}}). Since version 3 that is ';
  const cases: [string, Deletion][] = [
    [`${deletes}${because}{"spec":{"size":3}}`, {}],
    ["", { seconds: 4.999 }],
    ["", { body: '{"preconditions":{"uid":"u"}}' }],
    ["", { body: '{"preconditions":{"resourceVersion":"1"}}' }],
    [`${deletes}${because}{"spec":{"size":3}}`, { body: "" }],
    ["", { spec: { size: 1 } }],
    [`${deletes}${because}{"spec":"${"x".repeat(87)}"}`, { spec: "x".repeat(89 - 2) }],
    [`${deletes}${because}{"spec":"${"x".repeat(90)}…`, { spec: "x".repeat(99) }],
    ["", { tell: (run, _, last) => run.see("op", last) }],
    // It knows nothing of the owner, and has asked for all of its kind, or has not.
    ["", { tell: () => {} }],
    [
      `${deletes}since it knows of no things default/w. At version 3 there is one, {"spec":{"size":3}}`,
      {
        tell: (run) => run.list("op", "things"),
      },
    ],
    ["", { tell: (run) => run.list("op", "others") }],
    ["", { tell: (run) => run.list("other", "things") }],
    ["", {
      tell: (run, first) => {
        run.see("op", first);
        run.list("op", "things");
        run.process("op", "starts again");
      },
    }],
    [
      `${deletes}since it knows of things default/w that it is deleted. At version 4 there is one again, {"spec":1}`,
      {
        tell: (run, _, last) => {
          run.see("op", { ...last, type: "DELETED" });
          run.commit("user", "changes", "things w", { kind: "Thing", spec: 1 });
        },
      },
    ],
    ["", { tell: (run) => void run.commit("user", "deletes", "things w") }],
    // The owner is another one.
    ["", { metadata: { ownerReferences: [{ kind: "Other", name: "w" }] } }],
    ["", { metadata: { ownerReferences: [{ kind: "Thing", name: "x" }] } }],
    ["", { namespace: "other", tell: (run) => run.list("op", "things") }],
    [`${deletes}since it knows of no things w. At version 3 there is one, {"spec":{"size":3}}`, {
      namespace: "",
      tell: (run) => run.list("op", "things"),
    }],
    // Without owner references, a user's object whose name it has.
    [`${deletes}${because}{"spec":{"size":3}}`, { metadata: {} }],
    ["", { metadata: {}, by: "op" }],
    ["", { metadata: {}, owner: "maps w", tell: (run) => run.list("op", "maps") }],
    ["", { metadata: {}, owner: "things v", tell: (run) => run.list("op", "things") }],
    ...["labels", "annotations"].map((field): [string, Deletion] => [
      `${deletes}since it knows of no things default/v. At version 3 there is one, {"spec":{"size":3}}`,
      {
        metadata: { [field]: { of: "v" } },
        owner: "things v",
        tell: (run) => run.list("op", "things"),
      },
    ]),
    [
      `${deletes}since it knows of no things default/w-0. At version 3 there is one, {"spec":{"size":3}}`,
      {
        metadata: {},
        owner: "things w-0",
        tell: (run) => run.list("op", "things"),
      },
    ],
  ];
  for (const [expected, deletion] of cases) assertEquals(said(deletion), expected);
});

Deno.test("undoStep() restores an object, except for its status and the entry of another client", async () => {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  await using client = new Client({ ...server.clientOptions, clock });
  const call = { namespace: "default" };
  const undo = (step: Step<unknown>) => undoStep(step, server, client);
  const target = { resource: ConfigMaps, namespace: "default", name: "a" };
  assertEquals([
    undo(settle() as Step<unknown>),
    undo({ kind: "act", text: "", target }),
    undo({ kind: "write", text: "" }),
  ], [undefined, undefined, undefined]);

  const uncreate = undo(create(ConfigMaps, "a") as Step<unknown>)!;
  await client.create(ConfigMaps, { metadata: { name: "a" } }, call);
  await uncreate();
  assertEquals(server.get(ConfigMaps, "a", "default"), undefined);
  await uncreate();

  const somebody = { "another-client.example.com/was-here": "yes" };
  await client.create(ConfigMaps, {
    metadata: { name: "a", labels: { x: "1" }, annotations: { z: "1" } },
    data: { a: "1" },
  }, call);
  const unpatch = undo(patch(ConfigMaps, "a", {}) as Step<unknown>)!;
  const shown = () => {
    const { data, metadata } = server.get(ConfigMaps, "a", "default")!;
    return { data, labels: metadata.labels, annotations: metadata.annotations };
  };
  const before = shown();
  await client.patch(ConfigMaps, "a", {
    metadata: { labels: { x: "2", y: "2", ...somebody }, annotations: null, finalizers: ["a/b"] },
    data: { a: "2", b: "2" },
  }, call);
  await unpatch();
  assertEquals(shown(), { ...before, labels: { x: "1", ...somebody } });
  assertEquals(server.get(ConfigMaps, "a", "default")!.metadata.finalizers, ["a/b"]);
  await client.delete(ConfigMaps, "a", call);
  await assertRejects(unpatch, Error, "a is still being deleted");
  await client.patch(ConfigMaps, "a", { metadata: { finalizers: null } }, call);
  await unpatch();
  assertEquals(shown().data, { a: "1" });

  const unspace = undo(create(Namespaces, "n") as Step<unknown>)!;
  await client.create(Namespaces, { metadata: { name: "n" } });
  await unspace();
  // No controller ends the Namespace here.
  assertEquals(server.get(Namespaces, "n", "")?.status?.phase, "Terminating");
  server.faults.fail(403, { when: ({ resource }) => resource === "configmaps" });
  for (const undo of [uncreate, unpatch]) await assertRejects(undo, Error, "403");
});
