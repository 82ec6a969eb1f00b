/** Invalid calls of `Client.logs`, as JavaScript code without types can make them. None of them makes a request. */

import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { ScriptedFetch } from "../_scripted_fetch.ts";

const inN = { namespace: "n" };
const WRONG: readonly (readonly [unknown, unknown, string])[] = [
  ["p", {}, "Missing namespace for pods: give { namespace } in the options"],
  [{ metadata: { name: "p" } }, {}, "Missing namespace for pods"],
  [{ metadata: { name: "p", namespace: "a" } }, { namespace: "b" }, "leave one of them out"],
  ["", inN, "Missing name for pods"],
  ["..", inN, "Invalid name for pods"],
  ["a/b", inN, "Invalid name for pods"],
  [undefined, inN, "Invalid pod: expected a name"],
  [7, inN, "expected a name, or an object with metadata, received 7"],
  [{}, inN, "Invalid pod: expected a name"],
  [{ metadata: {} }, inN, "Missing name for pods"],
  ["p", null, "Invalid options of logs(): received null"],
  ["p", { ...inN, follow: "yes" }, "Invalid follow: expected true or false, received a string"],
  ["p", { ...inN, previous: 1 }, "Invalid previous: expected true or false, received 1"],
  ["p", { ...inN, timestamps: null }, "Invalid timestamps: expected true or false, received null"],
  ["p", { ...inN, container: {} }, "Invalid container: expected a string"],
  ["p", { ...inN, tailLines: -1 }, "tailLines must be a whole number of at least 0"],
  ["p", { ...inN, tailLines: "5" }, "tailLines must be a whole number of at least 0"],
  ["p", { ...inN, sinceSeconds: 0 }, "sinceSeconds must be a whole number of at least 1"],
  ["p", { ...inN, limitBytes: 0.5 }, "limitBytes must be a whole number of at least 1"],
  ["p", { ...inN, maxLineBytes: 0 }, "maxLineBytes must be a whole number of at least 1"],
  ["p", { ...inN, maxRetries: NaN }, "maxRetries must be a whole number of at least 0"],
  ["p", { ...inN, sinceTime: "today" }, "Invalid sinceTime: expected a Date or RFC 3339 text"],
  ["p", { ...inN, sinceTime: new Date(NaN) }, "received an invalid Date"],
  ["p", { ...inN, sinceTime: new Date(Date.UTC(10000, 0)) }, "received a Date of the year 10000"],
  ["p", { ...inN, sinceTime: 5 }, "Invalid sinceTime"],
  [
    "p",
    { ...inN, sinceTime: new Date(0), sinceSeconds: 5 },
    "Cannot use sinceSeconds and sinceTime",
  ],
];

for (const [pod, options, message] of WRONG) {
  Deno.test(`Client.logs(${JSON.stringify(pod)}, ${JSON.stringify(options)}) is refused`, () => {
    const script = new ScriptedFetch();
    const client = new Client({ fetch: script.fetch });
    assertThrows(() => client.logs(pod as never, options as never), Error, message);
    assertEquals(script.requests.length, 0);
  });
}
