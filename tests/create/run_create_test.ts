import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCreate } from "../../src/create/run_create.ts";
import { KUBELOOP_VERSION } from "../../src/create/versions.ts";

const FLAGS = ["--kind", "acme.io/v1/Widget", "--owns", "Deployment,ConfigMap", "--outside", "no"];

/** Runs the program in a temporary folder. */
async function create(
  args: (folder: string) => readonly string[],
  { answers, before }: {
    readonly answers?: readonly string[];
    readonly before?: (folder: string) => Promise<unknown>;
  } = {},
) {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-create-" });
  const left = [...answers ?? []];
  const asked: string[] = [];
  let stdout = "";
  let stderr = "";
  try {
    await before?.(folder);
    const code = await runCreate(args(folder), {
      runtime: "node",
      print: (text) => void (stdout += text),
      warn: (text) => void (stderr += `${text}\n`),
      ask: answers && ((question) => {
        asked.push(question);
        return Promise.resolve(left.shift() ?? "");
      }),
    });
    const files = new Map<string, string>();
    await read(folder, "", files);
    return { code, stdout, stderr: stderr.replaceAll(folder, "FOLDER"), files, asked };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function read(root: string, path: string, into: Map<string, string>): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${path}`)) {
    const below = path === "" ? name : `${path}/${name}`;
    if (isDirectory) await read(root, below, into);
    else into.set(below, await Deno.readTextFile(`${root}/${below}`));
  }
}

Deno.test("create writes a project of flags, without a terminal", async () => {
  const { code, files, stdout, stderr } = await create((folder) => [...FLAGS, `${folder}/new/one`]);
  assertEquals([code, stderr], [0, ""]);
  assertEquals([...files.keys()].map((path) => path.replace("new/one/", "")).sort(), [
    ".dockerignore",
    ".github/workflows/ci.yml",
    ".gitignore",
    "AGENTS.md",
    "README.md",
    "deploy/Dockerfile",
    "deploy/sample.yaml",
    "package.json",
    "src/children.ts",
    "src/controller.ts",
    "src/definition.ts",
    "src/main.ts",
    "src/operator.ts",
    "tests/controller.test.ts",
    "tests/simulate.ts",
    "tests/simulation.test.ts",
    "tests/simulation.ts",
    "tsconfig.json",
  ]);
  assertStringIncludes(stdout, "  npm install\n  npm test\n  npm run dev\n");
  // The instruction of the README is about a line that is there.
  assertStringIncludes(files.get("new/one/README.md")!, "comment out the line `throw error;`");
  assertStringIncludes(files.get("new/one/src/controller.ts")!, "\n        throw error; // ");
});

Deno.test("create asks what the flags do not say, and asks again after a wrong answer", async () => {
  const { code, asked, files, stderr } = await create(
    (folder) => ["--owns", "Secret", "--runtime", "deno", folder],
    { answers: ["widget", "acme.io/v1/Gadget", "perhaps", "yes"] },
  );
  assertEquals(code, 0);
  assertEquals(asked.map((question) => question.slice(0, 8)), [
    "The kind",
    "The kind",
    "Anything",
    "Anything",
  ]);
  assertStringIncludes(stderr, "The kind must be GROUP/VERSION/KIND");
  assertStringIncludes(stderr, "Outside must be yes or no");
  assertStringIncludes(files.get("src/definition.ts")!, 'kind: "Gadget"');
  assertEquals(files.has("src/outside.ts"), true);
  assertEquals(files.has("deno.json"), true);
});

Deno.test("create takes an empty answer for the one in its question", async () => {
  const { code, files } = await create((folder) => [folder], { answers: [] });
  assertEquals(code, 0);
  assertStringIncludes(files.get("src/definition.ts")!, 'kind: "Widget"');
  assertStringIncludes(files.get("src/controller.ts")!, "apply(ConfigMaps, ");
});

Deno.test("create never writes into a folder with files", async () => {
  const { code, files, stderr } = await create((folder) => [...FLAGS, folder], {
    before: (folder) => Deno.writeTextFile(`${folder}/precious.txt`, "mine"),
  });
  assertEquals(code, 1);
  assertEquals([...files], [["precious.txt", "mine"]]);
  assertEquals(
    stderr,
    "error: The folder FOLDER is not empty (it has precious.txt): name another, so that nothing is overwritten\n",
  );
});

Deno.test("create fails if the folder is a file", async () => {
  const { code, files, stderr } = await create((folder) => [...FLAGS, `${folder}/file`], {
    before: (folder) => Deno.writeTextFile(`${folder}/file`, "mine"),
  });
  assertEquals([code, ...files], [1, ["file", "mine"]]);
  assertStringIncludes(stderr, "error: Cannot make the folder FOLDER/file: EEXIST");
});

Deno.test("create writes into a new repository", async () => {
  const { code, files } = await create((folder) => [...FLAGS, folder], {
    before: async (folder) => {
      await Deno.mkdir(`${folder}/.git`);
      await Deno.writeTextFile(`${folder}/.git/HEAD`, "ref: refs/heads/main\n");
    },
  });
  assertEquals(code, 0);
  assertEquals(files.get(".git/HEAD"), "ref: refs/heads/main\n");
});

Deno.test("create names the missing flags if there is no terminal", async () => {
  const { code, files, stderr } = await create((folder) => ["--outside", "no", folder]);
  assertEquals([code, files.size], [2, 0]);
  assertStringIncludes(
    stderr,
    "error: Without a terminal, the answers are flags: add --kind, --owns",
  );
});

Deno.test("create refuses unknown flags and more folders, and writes nothing", async () => {
  for (const more of [["--kindd", "x"], ["other"], [""]]) {
    const { code, files } = await create((folder) => [...FLAGS, `${folder}/a`, ...more]);
    assertEquals([code, files.size], [2, 0], `${more}`);
  }
});

Deno.test("create --help prints the flags", async () => {
  const { code, files, stdout } = await create(() => ["--help"]);
  assertEquals([code, files.size], [0, 0]);
  assertStringIncludes(stdout, "--kind GROUP/VERSION/KIND");
});

Deno.test("a project needs the version of kubeloop that has made it", async () => {
  for (const folder of ["", "src/create/", "src/kubectl/", "src/testing/"]) {
    const { version } = JSON.parse(
      await Deno.readTextFile(new URL(`../../${folder}deno.json`, import.meta.url)),
    );
    assertEquals(KUBELOOP_VERSION, version, folder);
  }
});
