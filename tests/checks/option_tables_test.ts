import { assert, assertEquals } from "@std/assert";
import { optionsPage, readOptionsPage } from "./options_page.ts";
import {
  optionsOf,
  readDocs,
  rowsAfter,
  stepCalls,
  tablesOfOptions,
  wrongTables,
} from "./option_tables.ts";

const docs = await readDocs();

Deno.test("each table of options has every option of its interface, and no other", async () => {
  assertEquals(await wrongTables(docs), []);
});

Deno.test("each table of options in the pages is compared with an interface", async () => {
  assertEquals(await tablesOfOptions(), []);
});

Deno.test("the table of steps has every step of a workload, with its parameters", async () => {
  const rows = await rowsAfter("simulation.md", "## Steps of a workload");
  assertEquals(rows.map((cell) => cell.replaceAll("`", "")).sort(), stepCalls(docs));
});

Deno.test("optionsOf() finds the inherited options of an interface, without the options that it omits", () => {
  const webhooks = optionsOf("WebhookServerOptions", docs);
  assert(webhooks.has("clock") && webhooks.has("port") && !webhooks.has("metrics"));
  const logs = optionsOf("FollowLogsOptions", docs);
  assert(logs.has("tailLines") && logs.has("onError") && !logs.has("follow"));
});

Deno.test("docs/options.md lists every option of the public interfaces", async () => {
  assertEquals(await readOptionsPage(), await optionsPage(), "run tests/checks/options_page.ts");
});
