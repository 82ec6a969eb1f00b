/**
 * Runs one scenario with the resourcequota controller of kube-controller-manager on a real API server and with the
 * simulated controller, and compares the results.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Client, loadConfig } from "@kubeloop/controller";
import recorded from "../testing/actors/quota_story.json" with { type: "json" };
import { playQuotaStory } from "../testing/actors/quota_story.ts";
import { binary } from "./binaries.ts";
import { World } from "./world.ts";

/** The waits for the controller after each request, in milliseconds; a busy machine may need the second. */
const PASSES_MS = [800, 5000];

/** More than the controller needs to fill its caches. */
const START_MS = 5000;

Deno.test("The resourcequota controller of kube-controller-manager says what is recorded", async () => {
  let scenes: unknown;
  for (const passMs of PASSES_MS) {
    scenes = await played(passMs);
    if (JSON.stringify(scenes) === JSON.stringify(recorded)) break;
  }
  assertEquals<unknown>(scenes, recorded);
});

/** Plays the story beside a controller of its own. */
async function played(passMs: number): Promise<unknown> {
  await using world = await World.create();
  const controller = new Deno.Command(await binary("quota-controller"), {
    args: ["--kubeconfig", world.kubeconfig],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await sleep(START_MS);
    const config = await loadConfig({ kubeconfig: world.kubeconfig });
    await using client = new Client({ ...config, warningHandler: () => {} });
    return await playQuotaStory(client, world.namespace, () => sleep(passMs));
  } finally {
    controller.kill();
    await controller.status;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
