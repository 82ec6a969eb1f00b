import { assert, assertEquals } from "@std/assert";
import { decodeObject, loadTable } from "../../src/protobuf/mod.ts";
import { type Message, OP } from "../../src/protobuf/table.ts";
import { TABLE_NAMES, TABLES } from "../../src/protobuf/tables/index.ts";
import { KINDS, PACKAGES } from "../../src/testing/api_server/schema/generated/mod.ts";
import { field } from "./_message.ts";

/** Kinds that no server encodes as an answer: lists are scanned, and options are parts of requests. */
const NOT_ANSWERED = /List$|Options$|^(Status|SerializedReference)$/;

Deno.test("loadTable() finds the table of each stable kind", async () => {
  for (const [groupVersion, from] of Object.entries(PACKAGES)) {
    if (from === "meta") continue;
    const [group = "", version = ""] = groupVersion.split("/");
    for (const kind of KINDS[from]!.trim().split(/\s+/).filter((one) => !NOT_ANSWERED.test(one))) {
      assert(await loadTable({ group, version, kind }) !== undefined, `${kind} of ${groupVersion}`);
    }
  }
});

Deno.test("loadTable() returns undefined for other kinds", async () => {
  for (
    const [group, version, kind] of [
      ["", "v1", "PodSpec"],
      ["", "v1", "PodList"],
      ["", "v1", "__proto__"],
      ["", "v2", "Pod"],
      ["example.com", "v1", "Widget"],
      ["", "", "constructor"],
    ] as const
  ) {
    assertEquals(
      await loadTable({ group, version, kind }),
      undefined,
      `${group} ${version} ${kind}`,
    );
  }
});

Deno.test("loadTable() gives the same table to all, also while it loads", async () => {
  const id = { group: "batch", version: "v1", kind: "CronJob" };
  const [one, other] = await Promise.all([loadTable(id), loadTable(id)]);
  assert(one !== undefined && one === other && one === await loadTable(id));
});

Deno.test("loadTable() knows metadata without the rest of an object", async () => {
  const table = (await loadTable({
    group: "meta.k8s.io",
    version: "v1",
    kind: "PartialObjectMetadata",
  }))!;
  const bytes = Uint8Array.from(field(1, [field(1, "web")]));
  assertEquals(decodeObject(table, bytes, 0, bytes.length), { metadata: { name: "web" } });
});

Deno.test("each message of each table has fields with names and types", async () => {
  const seen = new Set<Message>();
  const check = (message: Message): void => {
    if (seen.has(message)) return;
    seen.add(message);
    const names = new Set<string>();
    for (const one of message.fields ?? message.resolve()) {
      if (one === undefined) continue;
      assert(one.code === OP.INLINE ? one.name === "" : /^[\w$-]+$/.test(one.name), one.name);
      assert(one.name === "" || !names.has(one.name), one.name);
      names.add(one.name);
      if (one.message !== undefined) check(one.message);
    }
  };
  for (const [groupVersion, name] of Object.entries(TABLE_NAMES)) {
    const [group = "", version = ""] = groupVersion.split("/");
    const text = (await TABLES[name]?.())?.MESSAGES ?? "";
    for (const [, kind = ""] of text.matchAll(/^\+(\w+) /gm)) {
      check((await loadTable({ group, version, kind }))!);
    }
  }
  assert(seen.size > 500, String(seen.size));
});
