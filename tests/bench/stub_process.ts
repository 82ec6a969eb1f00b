import { TextLineStream } from "@std/streams/text-line-stream";
import { ROOT } from "../package/_tools.ts";
import type { Fixture } from "./stub/representation.ts";

/** Options of the stub server. */
export interface StubOptions extends Fixture {
  readonly streamingLists: boolean;
}

/** The stub server as a separate process. */
export class StubProcess implements AsyncDisposable {
  /** The URL of the server. */
  readonly url: string;
  readonly #process: Deno.ChildProcess;

  private constructor(url: string, process: Deno.ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /** Starts the server and waits until it listens. */
  static async start(options: StubOptions): Promise<StubProcess> {
    const { pods, bytes, keyOrder, streamingLists } = options;
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-check",
        "--allow-net=127.0.0.1",
        "tests/bench/stub_server.ts",
        ...["--pods", `${pods}`, "--pod-bytes", `${bytes}`, "--key-order", keyOrder],
        ...(streamingLists ? ["--streaming-lists"] : []),
      ],
      cwd: ROOT,
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const lines = process.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream());
    const reader = lines.getReader();
    const { value } = await reader.read();
    if (value === undefined) throw new Error("The stub server ended before it listened");
    await reader.cancel();
    return new StubProcess(`http://127.0.0.1:${JSON.parse(value).port}`, process);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.status;
  }
}
