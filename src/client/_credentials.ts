import { type Clock, describeError, type Logger } from "../base/mod.ts";
import type { Config } from "./config.ts";
import type { ReadFile } from "./_environment.ts";

/** client-go reads a token file once a minute: kubelets renew projected tokens long before they expire. */
const TOKEN_FILE_MAX_AGE_MS = 60_000;

/** What {@linkcode Credentials} need. */
export interface CredentialsOptions {
  readonly config: Pick<Config, "token" | "tokenFile">;
  readonly readFile: ReadFile;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The bearer token of a client, read again and again when it comes from a file. */
export class Credentials {
  readonly #tokenFile: string | undefined;
  readonly #readFile: ReadFile;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #token: string | undefined;
  #readAtMs = -Infinity;

  /** @throws {TypeError} When the token holds what a header cannot carry. */
  constructor(options: CredentialsOptions) {
    const { token, tokenFile } = options.config;
    this.#tokenFile = tokenFile;
    this.#readFile = options.readFile;
    this.#clock = options.clock;
    this.#logger = options.logger;
    // A token beside a token file is what the file held when the configuration was made.
    if (token !== undefined && tokenFile === undefined) this.#token = requireToken(token, "token");
  }

  /** The value of the Authorization header; undefined without a token. */
  async authorization(): Promise<string | undefined> {
    if (
      this.#tokenFile !== undefined &&
      this.#clock.now() - this.#readAtMs >= TOKEN_FILE_MAX_AGE_MS
    ) {
      await this.#refresh(this.#tokenFile);
    }
    return this.#token === undefined ? undefined : `Bearer ${this.#token}`;
  }

  /**
   * Reads the token file again, after the server refused the token.
   *
   * @returns Whether there is another token now.
   * @throws {Error} When the file cannot be read.
   */
  async renew(): Promise<boolean> {
    if (this.#tokenFile === undefined) return false;
    const refused = this.#token;
    this.#token = undefined;
    await this.#refresh(this.#tokenFile);
    return this.#token !== refused;
  }

  async #refresh(path: string): Promise<void> {
    // Also after a failure: a file that cannot be read is tried once a minute, while the old token works.
    this.#readAtMs = this.#clock.now();
    try {
      this.#token = await readToken(path, this.#readFile);
    } catch (error) {
      if (this.#token === undefined) {
        this.#readAtMs = -Infinity;
        throw error;
      }
      this.#logger.warn(`${describeError(error)}; going on with the token read before`);
    }
  }
}

async function readToken(path: string, readFile: ReadFile): Promise<string> {
  let text: string;
  try {
    text = await readFile(path);
  } catch (cause) {
    throw new Error(
      `Cannot read token file "${path}": does it exist, and may this process read it (${
        describeError(cause)
      })`,
    );
  }
  const token = text.trim();
  if (token === "") throw new Error(`Token file "${path}" is empty: expected a bearer token`);
  return requireToken(token, `token file "${path}"`);
}

/**
 * A token that a header can carry. The message does not show it.
 *
 * @throws {TypeError} When it cannot be carried.
 */
export function requireToken(token: string, source: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const problem = /[\r\n]/.test(token)
      ? "holds a line break"
      : token === ""
      ? "is empty"
      : "holds a space or another character that a header cannot carry";
    throw new TypeError(`Bearer token from ${source} ${problem}: expected one line of ASCII`);
  }
  return token;
}
