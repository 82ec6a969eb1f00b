/**
 * Runs the same commands of a real kubectl against our server and the real one, which must print the same.
 *
 * @module
 */

import { assertEquals, assertNotEquals } from "@std/assert";
import { Cluster } from "../e2e/cluster.ts";
import { hasGo, Kubectl } from "./kubectl.ts";
import { type Step, STEPS } from "./kubectl_steps.ts";
import { OurServer } from "./our_server.ts";
import { runSession } from "./session.ts";

Deno.test({
  name: "kubectl sees no difference between our server and the real one",
  ignore: !(await hasGo("kubectl against our server and the real one")),
  async fn(t) {
    await using real = await Cluster.start();
    await using ours = await OurServer.start({ tls: true });
    await using kubectlReal = await Kubectl.create(real.kubeconfig);
    await using kubectlOurs = await Kubectl.create(ours.kubeconfig);
    const [expected, actual] = await Promise.all([
      runSession(kubectlReal),
      runSession(kubectlOurs),
    ]);
    for (const [index, step] of STEPS.entries()) {
      await t.step(`${index}: kubectl ${step.command}`, () => {
        check(step, actual[index]!, expected[index]!);
      });
    }
  },
});

/** The difference of two Go structures, with which a real server ends the message about an immutable field. */
const GO_DIFFERENCE = /(?<= is invalid: .*)\n@@ -[^]*?\n(?=\[exit \d+\]|$)/;

function check(step: Step, actual: string, expected: string): void {
  if (step.differs !== undefined) {
    // A known difference that no longer exists must be removed from the list.
    assertNotEquals(actual, expected, `no difference any more, though: ${step.differs}`);
  } else if (step.subset) {
    const lines = new Set(expected.split("\n"));
    assertEquals(actual.split("\n").filter((line) => !lines.has(line)), []);
  } else {
    assertEquals(actual, expected.replace(GO_DIFFERENCE, "\n"));
  }
}
