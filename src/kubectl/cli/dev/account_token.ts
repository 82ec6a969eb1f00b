import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Timer } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { explainError } from "@kubeloop/controller/types";
import { requestToken } from "../../mod.ts";

/** The part of the lifetime of a token after which it is renewed, and the time between attempts. */
const RENEWED_AFTER = 0.8;
const RETRY_MS = 30_000;

/** A ServiceAccount. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Options of {@linkcode AccountToken.write}. */
export interface AccountTokenOptions {
  readonly client: Client;
  readonly account: Account;
  readonly folder: string;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
}

/** A file with a token of a ServiceAccount, which is renewed before it expires. Clients read the file again by themselves. */
export class AccountToken {
  readonly path: string;
  readonly #options: AccountTokenOptions;
  #timer: Timer | undefined;
  #hasEnded = false;

  private constructor(options: AccountTokenOptions) {
    this.#options = options;
    this.path = join(options.folder, "token");
  }

  /**
   * Requests a token and writes it.
   *
   * @throws {Error} If the ServiceAccount does not exist, or its tokens may not be created.
   */
  static async write(options: AccountTokenOptions): Promise<AccountToken> {
    const token = new AccountToken(options);
    await token.#renew();
    return token;
  }

  /** Ends the renewal. */
  end(): void {
    this.#hasEnded = true;
    this.#timer?.cancel();
  }

  async #renew(): Promise<void> {
    const { account, client, clock } = this.#options;
    const { token, expirationTimestamp } = await requestToken(client, account);
    // The file is never half written: the program may read it at any time.
    await writeFile(`${this.path}.new`, token, { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
    const lifetimeMs = Date.parse(expirationTimestamp) - clock.wallNow();
    this.#wait(Math.max(RETRY_MS, lifetimeMs * RENEWED_AFTER));
  }

  #wait(ms: number): void {
    if (this.#hasEnded) return;
    this.#timer = this.#options.clock.setTimer(() => {
      this.#renew().catch((error) => {
        const { account: { name, namespace }, warn } = this.#options;
        warn(`the token of ${namespace}/${name} was not renewed: ${explainError(error)}`);
        this.#wait(RETRY_MS);
      });
    }, ms);
  }
}
