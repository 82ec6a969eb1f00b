import type { StubState } from "../stub_server.ts";

/** Tells the stub server what to do. */
export class StubControl {
  /** As in `http://127.0.0.1:8001`. */
  readonly server: string;

  /** The server at that URL. */
  constructor(server: string) {
    this.server = server;
  }

  /** What the server has seen. */
  state(): Promise<StubState> {
    return this.#call("state");
  }

  /** Forgets all events; ends all watches. */
  reset(): Promise<StubState> {
    return this.#call("reset");
  }

  /** Has the events made, in all formats that have been listed. */
  prepare(): Promise<StubState> {
    return this.#call("prepare");
  }

  /** Sends `count` events as fast as they are taken. */
  flood(count: number): Promise<StubState> {
    return this.#call(`flood?count=${count}`);
  }

  /** Sends `count` events, `rate` a second, with their send times. */
  pace(count: number, rate: number): Promise<StubState> {
    return this.#call(`pace?count=${count}&rate=${rate}`);
  }

  /** Ends all watches with 410: clients have to list again. */
  expire(): Promise<StubState> {
    return this.#call("expire");
  }

  /** Answers when `count` watches have been opened since the last reset. */
  watchesOpened(count: number): Promise<StubState> {
    return this.#call(`opened?count=${count}`);
  }

  async #call(command: string): Promise<StubState> {
    const response = await fetch(`${this.server}/_bench/${command}`);
    return await response.json();
  }
}
