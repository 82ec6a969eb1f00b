import type { Encoding } from "../stub/representation.ts";
import type { StubState } from "../stub_server.ts";

/** Sends commands to the stub server. */
export class StubControl {
  /** The URL of the server, such as `http://127.0.0.1:8001`. */
  readonly server: string;

  /** Controls the server at that URL. */
  constructor(server: string) {
    this.server = server;
  }

  /** Returns the state of the server. */
  state(): Promise<StubState> {
    return this.#call("state");
  }

  /** Discards all events and ends all watches. Responses are in that encoding from then on, if requests accept it. */
  reset(encoding: Encoding): Promise<StubState> {
    return this.#call(`reset?encoding=${encoding}`);
  }

  /** Prepares the events of the open watches. */
  prepare(): Promise<StubState> {
    return this.#call("prepare");
  }

  /** Sends `count` events as fast as the watches read them. */
  flood(count: number): Promise<StubState> {
    return this.#call(`flood?count=${count}`);
  }

  /** Sends `count` events at `rate` per second, with their send times. */
  pace(count: number, rate: number): Promise<StubState> {
    return this.#call(`pace?count=${count}&rate=${rate}`);
  }

  /** Ends all watches with 410. Resolves when the client lists again; {@linkcode answer} answers that list. */
  expire(): Promise<StubState> {
    return this.#call("expire");
  }

  /** Answers the list that waits since {@linkcode expire}, and those after it. */
  answer(): Promise<StubState> {
    return this.#call("answer");
  }

  /** Resolves when `count` watches have been opened since the last reset. */
  watchesOpened(count: number): Promise<StubState> {
    return this.#call(`opened?count=${count}`);
  }

  async #call(command: string): Promise<StubState> {
    const response = await fetch(`${this.server}/_bench/${command}`);
    return await response.json();
  }
}
