import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../src/cli/commands.ts";
import { cli } from "./_cli.ts";
import { World } from "./_world.ts";

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: c
clusters: [{ name: c, cluster: { server: "http://127.0.0.1:8001" } }]
contexts: [{ name: c, context: { cluster: c } }]
`;

Deno.test("kubeloop completion knows every command and flag, in every shell", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout } = await cli(["completion", shell]);
    assertEquals(code, 0);
    for (const [name, { load }] of COMMANDS) {
      assertStringIncludes(stdout, name);
      for (const flag of Object.keys((await load()).flags)) assertStringIncludes(stdout, flag);
    }
  }
  assertEquals((await cli(["completion", "tcsh"])).code, 2);
  assertEquals((await cli(["completion"])).code, 2);
});

Deno.test("kubeloop completion resources prints the resources of the server of the kubeconfig", async () => {
  await using world = new World();
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/config`, KUBECONFIG);
    const { code, stdout } = await world.clock.run(
      Promise.resolve(
        await cli(["completion", "resources"], {
          fetch: world.server.fetch,
          env: { KUBECONFIG: `${folder}/config` },
        }),
      ),
    );
    assertEquals(code, 0);
    const names = stdout.trimEnd().split("\n");
    assertEquals(["pods", "deployments.apps"].every((name) => names.includes(name)), true);
    assertEquals(names, [...new Set(names)].sort());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the script for bash completes commands, flags, values, files and resources", async () => {
  const { stdout: script } = await cli(["completion", "bash"]);
  const complete = async (...words: string[]) => {
    const program = `${script}
kubeloop() { [ "$*" = "completion resources" ] && printf 'pods\\npodtemplates\\nservices\\n'; }
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_kubeloop
printf '%s\\n' "\${COMPREPLY[@]}"
`;
    const { stdout } = await new Deno.Command("bash", {
      args: ["--norc", "-c", program],
      cwd: new URL(".", import.meta.url),
    }).output();
    return new TextDecoder().decode(stdout).trim().split("\n").filter((line) => line !== "");
  };
  assertEquals(await complete("kubeloop", "wa"), ["watch", "wait"]);
  assertEquals(await complete("kubeloop", "get", "--all"), ["--all-namespaces"]);
  assertEquals(await complete("kubeloop", "get", "-o", ""), ["wide", "name", "json", "yaml"]);
  assertEquals(await complete("kubeloop", "get", "--output", "y"), ["yaml"]);
  assertEquals(await complete("kubeloop", "get", "pod"), ["pods", "podtemplates"]);
  assertEquals(await complete("kubeloop", "completion", "b"), ["bash"]);
  assertEquals(await complete("kubeloop", "get", "-n", ""), []);
  assert((await complete("kubeloop", "types", "widgets")).includes("widgets_crd.yaml"));
  assert((await complete("kubeloop", "get", "--kubeconfig", "wid")).includes("widgets_crd.yaml"));
});
