/** Each call of a client takes an object, and refuses everything else with an error that says so. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client } from "../../../src/client/mod.ts";
import { CALLS } from "../_calls.ts";

const NO_OBJECTS = ["null", "true", "5", '"text"', "[]", '[{"metadata":{}}]', "1e999"];

for (const [name, call] of Object.entries(CALLS)) {
  if (name.includes("watch()") || name === "getRaw()" || name === "logs()") continue;
  Deno.test(`Client.${name} refuses an answer that is not an object`, async () => {
    for (const body of NO_OBJECTS) {
      const client = new Client({ fetch: () => Promise.resolve(new Response(body)) });
      const error = await assertRejects(() => call(client), TypeError);
      assert(/expected (an object|a list)/.test(error.message), error.message);
      assertEquals(error.message.includes("https://kubeloop.invalid/"), true);
    }
  });
}
