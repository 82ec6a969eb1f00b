/**
 * Helm itself renders the chart of `kubeloop package`: the same documents as the plain manifests, byte by byte.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runPackage } from "../kubectl/cli/_package.ts";
import { seededRuns } from "../support/seeded_runs.ts";
import { hasGo } from "./kubectl.ts";

const HELM = "helm.sh/helm/v3/cmd/helm@v3.19.0";

async function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const { stderr, stdout, success } = await new Deno.Command(command, { args: [...args], env })
    .output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stderr: decode(stderr), stdout: decode(stdout) };
}

/** Returns the documents of a text, in the order of their texts. */
function documentsOf(text: string): string[] {
  // Helm adds an empty line to the files of definitions.
  return text.replace(/^# Source: .*\n/gm, "").split(/^---\n/m).map((one) => one.trimEnd())
    .filter((one) => one !== "").sort();
}

Deno.test({
  name: "Helm renders the chart of an operator as the plain manifests",
  // The build takes minutes: it runs nightly.
  ignore: seededRuns.factor <= 1 || !(await hasGo("the rendering of a Helm chart")),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const built = await run("go", ["install", HELM], { GOBIN: folder });
      assert(built.success, built.stderr);
      for (const more of [[], ["--runtime", "deno"]]) {
        const { stdout: plain } = await runPackage([
          "--image",
          "acme/widgets:1",
          "-n",
          "ops",
          ...more,
        ]);
        const chart = `${folder}/chart`;
        const { written } = await runPackage(
          ["--image", "acme/widgets:1", "--to", "helm", "-o", chart, ...more],
        );
        for (const [path, text] of written) {
          await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
          await Deno.writeTextFile(path, text);
        }
        const helm = (...args: string[]) =>
          run(`${folder}/helm`, ["template", "widgets", chart, "-n", "ops", ...args], {
            HELM_CACHE_HOME: folder,
            HELM_CONFIG_HOME: folder,
            HELM_DATA_HOME: folder,
          });
        const rendered = await helm("--include-crds");
        assert(rendered.success, rendered.stderr);
        // Helm makes the namespace itself, with --create-namespace.
        const expected = documentsOf(plain).filter((one) => !one.includes("\nkind: Namespace\n"));
        assertEquals(documentsOf(rendered.stdout), expected);
        const chosen = await helm(
          "--set",
          "replicas=1,nodeSelector.disk=ssd,env[0].name=A,env[0].value=b",
        );
        assertStringIncludes(chosen.stdout, "      nodeSelector:\n        disk: ssd\n");
        assertStringIncludes(
          chosen.stdout,
          "          env:\n            - name: A\n              value: b\n",
        );
        assert(!chosen.stdout.includes("PodDisruptionBudget"), chosen.stdout);
        const misspelt = await helm("--set", "replica=1");
        assert(!misspelt.success);
        assertStringIncludes(misspelt.stderr, "replica");
        const lint = await run(`${folder}/helm`, ["lint", "--strict", chart]);
        assert(lint.success, lint.stdout + lint.stderr);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
