/**
 * The project of an operator, in a folder, and `kubeloop dev` as a process in it.
 *
 * @module
 */

import { assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";

/** The folder of this repository. */
export const ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url)).replace(
  /\/$/,
  "",
);

/** Not a measure: it ends a program that neither works nor complains. */
const GIVE_UP_MS = 180_000;

/** An operator that copies the text of ConfigMaps, in two files. With WEBHOOK_URL, it refuses the word "bad". */
const PROGRAM = {
  "main.ts": `import process from "node:process";
import { Client, ConfigMaps, defineResource, loadConfig, Manager } from "@kubeloop/controller";
import { admission } from "@kubeloop/controller/webhooks";
import { greeting } from "./greeting.ts";

const Greetings = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Greeting",
  spec: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
});

const client = new Client({ ...await loadConfig(), logger: { ...console, info() {}, debug() {} } });
const url = process.env.WEBHOOK_URL;
const manager = new Manager(client, {
  name: "greetings",
  definitions: [Greetings],
  leaderElection: {
    name: "greetings",
    namespace: "default",
    leaseDurationMs: 3000,
    renewDeadlineMs: 2000,
    retryPeriodMs: 500,
  },
  ...(url === undefined ? {} : {
    webhooks: {
      url,
      hostname: "127.0.0.1",
      port: Number(new URL(url).port),
      name: "greetings",
      secret: { namespace: "default", name: "greetings-webhook" },
    },
  }),
});
if (url !== undefined) {
  manager.webhooks.add(admission(Greetings, {
    validate: ({ object: { spec: { text } } }) =>
      text === "bad" ? [{ field: "spec.text", message: "a bad word" }] : [],
  }));
}
manager.controller(Greetings).owns(ConfigMaps).reconcile(async ({ object, name, apply }) => {
  await apply(ConfigMaps, { metadata: { name }, data: { text: greeting(object.spec.text) } });
});
await manager.run();
await client.close();
console.log("the program ends");
`,
  "greeting.ts": `export function greeting(text: string): string {
  return text;
}
`,
  "sample.yaml": `apiVersion: acme.io/v1
kind: Greeting
metadata: { name: hi, namespace: default }
spec: { text: hello }
`,
};

/** The folder of the project; removed on disposal. */
export class Project implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Project> {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "kubeloop-dev-project-" }));
    const { links = [] } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
    const config = {
      links: [".", "src/testing", ...links].map((path) => `${ROOT}/${path}`),
      imports: { "@kubeloop/controller": "jsr:@kubeloop/controller@^0.1.0" },
    };
    const files = { ...PROGRAM, "deno.json": JSON.stringify(config) };
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    return new Project(folder);
  }

  /** Replaces a text in a file. */
  async edit(path: string, from: string, to: string): Promise<void> {
    const text = await Deno.readTextFile(`${this.folder}/${path}`);
    assertStringIncludes(text, from);
    await Deno.writeTextFile(`${this.folder}/${path}`, text.replace(from, to));
  }

  /** Starts \`kubeloop dev main.ts\`. */
  dev(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): DevProcess {
    return new DevProcess(this.folder, args, env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** A running `kubeloop dev`. */
export class DevProcess implements AsyncDisposable {
  /** Everything that it and the program have written. */
  output = "";
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<unknown>;
  readonly #waiting = new Set<() => void>();

  constructor(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const command = ["run", "-A", "--config", `${ROOT}/deno.json`];
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...command, `${ROOT}/src/kubectl/cli/main.ts`, "dev", "main.ts", ...args],
      cwd,
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(GIVE_UP_MS),
    }).spawn();
    this.#reading = Promise.all([this.#read("stdout"), this.#read("stderr")]);
  }

  async #read(name: "stdout" | "stderr"): Promise<void> {
    for await (const text of this.#child[name].pipeThrough(new TextDecoderStream())) {
      this.output += text;
      for (const look of this.#waiting) look();
    }
  }

  /** Waits until a text is written, `times` times, and returns the whole output until then. */
  async printed(text: string, times = 1): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => this.output.split(text).length > times && resolve();
    this.#waiting.add(look);
    look();
    await Promise.race([promise, this.#reading]);
    this.#waiting.delete(look);
    assertStringIncludes(this.output, text);
    return this.output;
  }

  /** Presses Ctrl-C, and returns the exit code. */
  async interrupt(): Promise<number> {
    this.#child.kill("SIGINT");
    return await this.ended();
  }

  /** Kills it, as the machine or its user may do. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Waits for the end, also of the processes that have its outputs, and returns the exit code. */
  async ended(): Promise<number> {
    const [{ code }] = await Promise.all([this.#child.status, this.#reading]);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGINT");
    } catch {
      // It has ended.
    }
    await this.ended();
  }
}
