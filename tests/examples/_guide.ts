/**
 * Follows docs/guide.md as a new user does: writes the files that it prints, and runs its commands in an empty folder.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  Client,
  type ConfigMap,
  ConfigMaps,
  CustomResourceDefinitions,
  loadConfig,
} from "@kubeloop/controller";
import { established } from "@kubeloop/controller/client";
import { readText } from "./_documented.ts";

/** The runtimes that the guide has commands for. */
export type GuideRuntime = "Deno" | "Node";

/** Not a measure: it ends a program that neither works nor complains. */
const GIVE_UP_MS = 120_000;

/** The address of the server in the guide. The one of the test is at any free port. */
const ADDRESS = "127.0.0.1:8001";

/** The code blocks of the guide, in order. */
export class Guide {
  readonly #blocks: readonly { readonly language: string; readonly text: string }[];

  private constructor(page: string) {
    this.#blocks = [...page.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```/gm)]
      .map(([, language = "", text = ""]) => ({ language, text }));
  }

  static async read(): Promise<Guide> {
    return new Guide(await readText("docs/guide.md"));
  }

  /** Returns the block of a language that contains `part`. */
  block(language: string, part: string): string {
    const found = this.#blocks.find((one) => one.language === language && one.text.includes(part));
    assert(found !== undefined, `The guide has no block of ${language} with ${part}`);
    return found.text;
  }

  /** Returns the commands below a comment such as `# Deno`, in the block that contains `part`. */
  commands(comment: string, part: string): string[] {
    const [, text = ""] = new RegExp(`^# ${comment}\\n([^]*?)(?:\\n\\n|$(?![^]))`, "m")
      .exec(this.block("sh", part)) ?? [];
    const lines = text.trim().split("\n");
    assert(lines[0] !== "", `The guide has no commands for ${comment} with ${part}`);
    return lines;
  }

  /** The program of the first two sections. */
  get program(): string {
    return this.block("ts", "async function run(") + this.block("ts", "SIGINT");
  }

  /** The program that logs translations, put together as the guide says. */
  get translatingProgram(): string {
    const section = this.block("ts", "function translatingController");
    const [definition = ""] = /^const Greetings[^]*?^}\);\n/m.exec(section) ?? [];
    const [controller = ""] = /^function translatingController[^]*?^}\n/m.exec(section) ?? [];
    const program = this.program
      .replace(
        /^import { Client,.*\n/m,
        (line) => `${line}import { changed } from "@kubeloop/controller/operator";\n`,
      )
      .replace(/^const Greetings[^]*?^}\);\n/m, () => definition)
      .replace(
        /^ {2}manager\.controller\(Greetings\)[^]*?^ {4}}\);\n/m,
        () => "  translatingController(manager);\n",
      )
      .replace(/^await using client.*\n/m, () => this.block("ts", "logger: console"));
    assert(program.includes("dictionary") && program.includes("console"), program);
    return `${program}\n${controller}`;
  }
}

/** A terminal in which commands run, in a process group that Ctrl-C reaches as a whole. */
class Terminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<unknown>;
  readonly #waiting: { readonly text: string; readonly found: () => void }[] = [];
  stdout = "";
  stderr = "";

  constructor(
    lines: readonly string[],
    options: { readonly cwd: string; readonly env: Record<string, string> },
  ) {
    // The shell itself says nothing, such as how its job has ended.
    const program = `set -m
exec 3>&2 2>/dev/null
( ${lines.join("\n")}
) 2>&3 3>&- &
trap 'kill -INT -- -$!' INT
trap 'kill -KILL -- -$!' TERM
wait $!
code=$?
while kill -0 $! 2>/dev/null; do wait $!; code=$?; done
exit $code`;
    this.#child = new Deno.Command("bash", {
      args: ["-c", program],
      ...options,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(GIVE_UP_MS),
    }).spawn();
    this.#reading = Promise.all([this.#read("stdout"), this.#read("stderr")]);
  }

  async #read(name: "stdout" | "stderr"): Promise<void> {
    for await (const text of this.#child[name].pipeThrough(new TextDecoderStream())) {
      this[name] += text;
      for (const { text, found } of this.#waiting) if (this.stdout.includes(text)) found();
    }
  }

  /** Waits until the program has printed a text. */
  async printed(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ text, found: resolve });
    if (this.stdout.includes(text)) resolve();
    await Promise.race([promise, this.#reading]);
    assertStringIncludes(this.stdout, text, this.stderr);
  }

  /** Waits for the end of the program, and returns its exit code. */
  async ended(): Promise<number> {
    const [{ code }] = await Promise.all([this.#child.status, this.#reading]);
    return code;
  }

  /** Presses Ctrl-C. */
  async interrupt(): Promise<number> {
    this.#child.kill("SIGINT");
    return await this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    await this.ended();
  }
}

/**
 * Follows the guide to the end of its sixth section.
 *
 * @param runtime The runtime whose commands are run.
 * @param folder The folder, in which the packages are installed.
 * @param env The environment of the commands, in which they are found.
 * @param noise Matches what standard error has besides the lines of the programs.
 */
export async function followGuide(
  runtime: GuideRuntime,
  folder: string,
  { env, noise = /^$/ }: { readonly env: Record<string, string>; readonly noise?: RegExp },
): Promise<void> {
  const guide = await Guide.read();
  const path = (name: string) => `${folder}/${name}`;
  let host = ADDRESS;
  const start = (lines: readonly string[]) =>
    new Terminal(lines.map((line) => line.replaceAll(ADDRESS, host)), { cwd: folder, env });
  const run = async (lines: readonly string[]): Promise<string> => {
    await using terminal = start(lines);
    const code = await terminal.ended();
    assertEquals(code, 0, `${lines.join("\n")}: ${terminal.stdout}${terminal.stderr}`);
    return terminal.stdout;
  };

  const [serve = ""] = guide.commands(runtime, "--kubeconfig-out");
  await using server = start([`${serve} --port 0`]);
  await server.printed("# Serving http://127.0.0.1:");
  [, host = ""] = /# Serving http:\/\/(\S+)/.exec(server.stdout) ?? [];

  await Deno.writeTextFile(path("controller.ts"), guide.program);
  const control = guide.commands(runtime, "controller.ts");
  await using client = new Client(await loadConfig({ kubeconfig: path("greeting.kubeconfig") }));
  const call = { namespace: "default", timeoutMs: GIVE_UP_MS };
  const hasText = (text: string) => (found: ConfigMap | undefined) => found?.data?.text === text;
  {
    await using controller = start(control);
    const definition = { timeoutMs: GIVE_UP_MS };
    const name = "greetings.example.com";
    await client.waitFor(CustomResourceDefinitions, name, established, definition);

    // The user, in the third terminal.
    await Deno.writeTextFile(path("greeting.yaml"), guide.block("yaml", "kind: Greeting"));
    const [variable = "", apply = "", get = ""] = guide.commands(
      `${runtime}, without kubectl`,
      "kubectl apply",
    );
    assertEquals(await run([variable, apply]), "greeting.example.com/hi created\n");
    const first = await client.waitFor(ConfigMaps, "hi", hasText("hello"), call);
    assertStringIncludes(await run([variable, get]), "text: hello\n");
    const changed = (await Deno.readTextFile(path("greeting.yaml"))).replace("hello", "bye");
    await Deno.writeTextFile(path("greeting.yaml"), changed);
    assertEquals(await run([variable, apply]), "greeting.example.com/hi configured\n");
    await client.waitFor(ConfigMaps, "hi", hasText("bye"), call);
    await client.delete(ConfigMaps, "hi", call);
    const isBack = (found: ConfigMap | undefined) =>
      found !== undefined && found.metadata.uid !== first?.metadata.uid;
    await client.waitFor(ConfigMaps, "hi", isBack, call);

    assertEquals(await controller.interrupt(), 0, controller.stderr);
    assertEquals(controller.stdout, "", "The guide says that it prints nothing");
    assert(noise.test(controller.stderr.trim()), controller.stderr);
  }

  // The fifth section, with the logger of the second.
  await Deno.writeTextFile(path("controller.ts"), guide.translatingProgram);
  await using controller = start(control);
  await controller.printed('greeting: "default/hi": bye');
  await Deno.writeTextFile(path("greeting.yaml"), guide.block("yaml", "dictionary: german"));
  const [variable = "", apply = ""] = guide.commands(
    `${runtime}, without kubectl`,
    "kubectl apply",
  );
  await run([variable, apply]);
  const [, line = ""] =
    /The second terminal prints\s+`([^`]+)`/.exec(await readText("docs/guide.md")) ??
      [];
  await controller.printed(`${line}\n`);
  assertEquals(await controller.interrupt(), 0, controller.stderr);
  await server.interrupt();
  assertStringIncludes(server.stderr, "stopping");

  // The sixth section: a test, and a simulation, which is run in the same way.
  const command = guide.commands(runtime, "greetings_test.ts").slice(-1);
  for (const part of ["new ApiServer(", "simulation("]) {
    await Deno.writeTextFile(path("greetings_test.ts"), guide.block("ts", part));
    assertEquals(await run(command), "", part);
  }
}
