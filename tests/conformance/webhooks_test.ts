import { assertEquals } from "@std/assert";
import { readGolden, stepDifferences } from "./golden.ts";
import { InProcessServer } from "./in_process_server.ts";
import { KNOWN_STEP_DIFFERENCES } from "./out_of_scope.ts";
import { playSteps } from "./play_steps.ts";
import { WEBHOOK_SCENARIOS } from "./scenarios/webhooks/mod.ts";
import { ScriptedWebhooks } from "./scripted_webhooks.ts";

for (const scenario of WEBHOOK_SCENARIOS) {
  const { name } = scenario;
  Deno.test(`ApiServer calls the webhooks of the scenario ${name} as the real server did`, async () => {
    const webhooks = new ScriptedWebhooks(scenario.webhooks ?? {});
    await using server = new InProcessServer({
      start: "2026-11-21T00:00:00Z",
      webhooks: (request) => webhooks.handle(request),
    });
    const hooks = { webhooks, url: "https://hooks.example:9443", caBundle: btoa("authority") };
    const found = await playSteps(server, scenario, hooks);
    const differences = stepDifferences(name, found, await readGolden(name));
    for (const [step, text] of differences) {
      if (!KNOWN_STEP_DIFFERENCES.has(step)) console.log(`${step} ${text}`);
    }
    const known = [...KNOWN_STEP_DIFFERENCES.keys()].filter((step) => step.startsWith(`${name} `));
    assertEquals([...differences.keys()], known);
    console.log(`${name}: ${found.length - differences.size} of ${found.length} the same`);
  });
}
