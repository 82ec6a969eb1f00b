import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../../src/kubectl/cli/commands.ts";
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

/** Lines that a lying server may pass off as resources. Each of them would leave a file behind if a shell ran it. */
const LIES: readonly string[] = [
  "pod$(touch pwned)",
  "pod`touch pwned`",
  "pod;touch pwned",
  "pod|touch pwned",
  "pod>pwned",
  "pod${x:=$(touch pwned)}",
  "pod*",
  "*",
  "~",
  "pod x",
  "pod\u001b[2J",
  "-o",
  "--kubeconfig=pwned",
  "pöd",
  "",
];

/** A folder with files of odd names, and a `kubeloop` that writes its arguments into the file `ran`. */
async function shellFolder(shell: "bash" | "zsh" | "fish") {
  const path = await Deno.makeTempDir();
  const { stdout: script } = await cli(["completion", shell]);
  await Deno.writeTextFile(`${path}/script`, script);
  await Deno.writeTextFile(
    `${path}/resources`,
    ["pods", "podtemplates", "services", ...LIES, ""].join("\n"),
  );
  await Deno.mkdir(`${path}/bin`);
  await Deno.writeTextFile(
    `${path}/bin/kubeloop`,
    `#!/bin/sh
if [ "$*" = "completion resources" ]; then cat '${path}/resources'; exit; fi
for one in "$@"; do printf '<%s>' "$one"; done >> '${path}/ran'
echo >> '${path}/ran'
`,
    { mode: 0o755 },
  );
  await Deno.mkdir(`${path}/files`);
  await Deno.mkdir(`${path}/files/folder`);
  await Deno.writeTextFile(`${path}/files/folder/inside.yaml`, "");
  for (const name of ["widgets crd.yaml", "x$(touch pwned).yaml", "plain.yaml"]) {
    await Deno.writeTextFile(`${path}/files/${name}`, "");
  }
  return {
    /** Runs the shell in the folder with the files, and returns what it writes to standard output. */
    run: async (args: readonly string[], input: string): Promise<string> => {
      const child = new Deno.Command(shell, {
        args: [...args],
        cwd: `${path}/files`,
        env: {
          PATH: `${path}/bin:${Deno.env.get("PATH")}`,
          HOME: path,
          TERM: "dumb",
          SCRIPT: `${path}/script`,
        },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(input));
      await writer.close();
      const { stdout } = await child.output();
      const files = await Array.fromAsync(Deno.readDir(`${path}/files`), ({ name }) => name);
      assertEquals(files.sort(), [
        "folder",
        "plain.yaml",
        "widgets crd.yaml",
        "x$(touch pwned).yaml",
      ]);
      return new TextDecoder().decode(stdout);
    },
    /** Returns the lines of the commands that were run. */
    ran: async () => (await Deno.readTextFile(`${path}/ran`)).trimEnd().split("\n"),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("TAB in bash completes commands, flags, values, files and resources, and runs nothing", async () => {
  await using folder = await shellFolder("bash");
  // The typed text, and the arguments of the command.
  const typed: Readonly<Record<string, string>> = {
    "kubeloop typ\tplain\t": "<types><plain.yaml>",
    "kubeloop get --all\t": "<get><--all-namespaces>",
    "kubeloop get -o y\t": "<get><-o><yaml>",
    "kubeloop get --output na\t": "<get><--output><name>",
    "kubeloop get podt\t": "<get><podtemplates>",
    "kubeloop get pod\t\t": "<get><pod>",
    "kubeloop get s\tweb": "<get><services><web>",
    "kubeloop get \t\t": "<get>",
    "kubeloop get -n \tx": "<get><-n><x>",
    "kubeloop get pla\t": "<get><pla>",
    "kubeloop get --kubeconfig pla\t": "<get><--kubeconfig><plain.yaml>",
    "kubeloop completion b\t": "<completion><bash>",
    "kubeloop types wid\t": "<types><widgets crd.yaml>",
    "kubeloop types x\t": "<types><x$(touch pwned).yaml>",
    "kubeloop types 'wid\t": "<types><widgets crd.yaml>",
    "kubeloop types widgets\\ \t": "<types><widgets crd.yaml>",
    "kubeloop types fol\tin\t": "<types><folder/inside.yaml>",
  };
  const lines = ['source "$SCRIPT"', ...Object.keys(typed), ""].join("\n");
  await folder.run(["--norc", "--noprofile", "-i"], lines);
  assertEquals(await folder.ran(), Object.values(typed));
});

/** Whether a shell is installed, which is needed to test its script. */
async function isInstalled(shell: string): Promise<boolean> {
  try {
    return (await new Deno.Command(shell, { args: ["-c", ":"] }).output()).success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "TAB in zsh offers the resources of the server as text, and runs nothing",
  ignore: !await isInstalled("zsh"),
  fn: async () => {
    await using folder = await shellFolder("zsh");
    const program = `compdef() {}
compadd() { print -rl -- "\${(@P)2}" }
for option in NO_GLOB_SUBST GLOB_SUBST SH_WORD_SPLIT KSH_ARRAYS; do
  setopt $option
  source "$SCRIPT"
  _kubeloop_resources
done
`;
    const offered = ["pods", "podtemplates", "services"];
    assertEquals(
      (await folder.run(["-f", "-c", program], "")).trimEnd().split("\n"),
      [...offered, ...offered, ...offered, ...offered],
    );
  },
});

Deno.test({
  name: "TAB in fish offers commands, values and resources as text, and runs nothing",
  ignore: !await isInstalled("fish"),
  fn: async () => {
    await using folder = await shellFolder("fish");
    const offered = async (line: string) => {
      const program = `source "$SCRIPT"; complete -C '${line}'`;
      const text = await folder.run(["--no-config", "-c", program], "");
      return text.trimEnd().split("\n").map((one) => one.split("\t")[0]);
    };
    assertEquals(await offered("kubeloop get "), ["pods", "podtemplates", "services"]);
    assertEquals(await offered("kubeloop get -o "), ["json", "name", "wide", "yaml"]);
    assertEquals(await offered("kubeloop completion z"), ["zsh"]);
    assertEquals(await offered("kubeloop types x"), ["x$(touch pwned).yaml"]);
  },
});

Deno.test("no script lets a shell expand names", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout } = await cli(["completion", shell]);
    const code = stdout.split("\n").filter((line) => !line.startsWith("#")).join("\n");
    assertEquals(/compgen -W|\beval\b|\$words\b(?!\[2\])/.test(code), false, shell);
  }
});

Deno.test("kubeloop completion resources omits invalid names, and limits their number", async () => {
  const names = [
    "pods",
    ...LIES,
    "x".repeat(10_000),
    ...Array.from({ length: 20_000 }, (_, i) => `r${i}`),
  ];
  const resources = names.map((name) => ({ name, kind: "X", namespaced: true, verbs: ["get"] }));
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = new URL(new Request(input, init).url);
    return Promise.resolve(Response.json(
      pathname === "/api/v1"
        ? { kind: "APIResourceList", groupVersion: "v1", resources }
        : pathname === "/api"
        ? { kind: "APIVersions", versions: ["v1"] }
        : { kind: "APIGroupList", groups: [] },
    ));
  };
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/config`, KUBECONFIG);
    const env = { KUBECONFIG: `${folder}/config` };
    const { stdout, stderr } = await cli(["completion", "resources"], { fetch, env, columns: 80 });
    const lines = stdout.trimEnd().split("\n");
    assertEquals(stderr, []);
    assert(lines.includes("pods") && lines.length <= 5000, `${lines.length}`);
    assertEquals(lines.filter((line) => !/^[a-z0-9]{1,10}$/.test(line)), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
