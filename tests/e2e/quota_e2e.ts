/**
 * What the resourcequota controller of kube-controller-manager makes of a story on a real API server, and what the simulated
 * one makes of it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Client, loadConfig } from "@kubeloop/controller";
import recorded from "../testing/actors/quota_story.json" with { type: "json" };
import { playQuotaStory } from "../testing/actors/quota_story.ts";
import { binary } from "./binaries.ts";
import { World } from "./world.ts";

/** More than the controller needs after a request. */
const PASS_MS = 800;

/** More than the controller needs to fill its caches. */
const START_MS = 5000;

Deno.test("The resourcequota controller of kube-controller-manager says what is recorded", async () => {
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
    const scenes = await playQuotaStory(client, world.namespace, () => sleep(PASS_MS));
    assertEquals<unknown>(scenes, recorded);
  } finally {
    controller.kill();
    await controller.status;
  }
});

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
