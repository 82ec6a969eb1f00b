import type { Manager } from "@kubeloop/controller";
import type { Attention, KeyView, SeeState } from "../../src/see/mod.ts";
import type { Story } from "@kubeloop/controller/operator";

/** A page of a manager, over HTTP. */
export class Seen {
  readonly url: string;
  readonly #token: string;

  private constructor(url: string) {
    this.url = url;
    this.#token = new URL(url).searchParams.get("token") ?? "";
  }

  static async open(manager: Manager): Promise<Seen> {
    return new Seen((await manager.see()).url);
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      "content-type": "application/json",
      ...init.headers,
    };
    return fetch(new URL(path, this.url), { ...init, headers });
  }

  async text(path: string): Promise<string> {
    return await (await this.fetch(path)).text();
  }

  /** Returns the present state, from a stream of its own. */
  async state(): Promise<SeeState> {
    await using stream = await this.stream();
    return await stream.next();
  }

  /** Returns what needs attention, of one kind. */
  async attention(kind: Attention["kind"]): Promise<Attention[]> {
    return (await this.state()).attention.filter((one) => one.kind === kind);
  }

  async keys(query = ""): Promise<KeyView[]> {
    return JSON.parse(await this.text(`/see/keys?${query}`)).keys;
  }

  async stories(controller: string, key: string): Promise<Story[]> {
    return JSON.parse(await this.text(`/see/stories?${new URLSearchParams({ controller, key })}`))
      .stories;
  }

  async stream(): Promise<StateStream> {
    return new StateStream((await this.fetch("/see/events")).body!);
  }
}

/** An open stream of states. */
export class StateStream implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Returns the next state. */
  async next(): Promise<SeeState> {
    for (;;) {
      const [, data] = /^event: state\ndata: (.*)\n\n/.exec(this.#text) ?? [];
      if (data !== undefined) {
        this.#text = this.#text.slice(this.#text.indexOf("\n\n") + 2);
        return JSON.parse(data);
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("The stream has ended");
      this.#text += value;
    }
  }

  /** Resolves when the stream has ended. */
  async ended(): Promise<void> {
    while (!(await this.#reader.read().catch(() => ({ done: true }))).done);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
