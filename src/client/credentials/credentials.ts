import { type Clock, encodeBase64, type Logger } from "../../base/mod.ts";
import {
  type PartialConfig,
  readFailure,
  type ReadFile,
  requireToken,
  showPath,
  sourcesOf,
  usedExec,
} from "../config/mod.ts";
import { ExecCredentials } from "./exec_credentials.ts";
import type { Credentials, CredentialsProvider } from "./provider.ts";
import { Refreshed } from "./refreshed.ts";
import type { RunCommand } from "./run_command.ts";

/** Options of {@linkcode createCredentialsProvider}. */
export interface ProviderOptions {
  readonly config: PartialConfig;
  readonly readFile: ReadFile;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the credentials of `config`. As in client-go, a token, a password or a client certificate takes precedence
 * over a plugin.
 *
 * @throws {TypeError} If a header cannot contain the token.
 */
export function createCredentialsProvider(options: ProviderOptions): CredentialsProvider {
  const { token, tokenFile, username, password = "" } = options.config;
  const sources = sourcesOf(options.config);
  // As in client-go, the content of a token file takes precedence over a token.
  if (tokenFile !== undefined) return new TokenFile(tokenFile, options);
  if (token !== undefined) {
    return fixedCredentials(`Bearer ${requireToken(token, sources.token ?? "token")}`);
  }
  if (username !== undefined) {
    return fixedCredentials(`Basic ${encodeBase64(`${username}:${password}`)}`);
  }
  const exec = usedExec(options.config);
  if (exec === undefined) return fixedCredentials(undefined);
  const { clock } = options;
  return new ExecCredentials({ exec, source: sources.exec ?? "exec", clock, run: runCommand });
}

/** Imported only for plugins, so that a bundle for browsers does not have it. */
const runCommand: RunCommand = async (command, call) =>
  await (await import("./run_command.ts")).runCommand(command, call);

function fixedCredentials(authorization: string | undefined): CredentialsProvider {
  const credentials = { authorization };
  return {
    current: () => Promise.resolve(credentials),
    renew: () => Promise.resolve(false),
    close: () => {},
  };
}

/** A bearer token from a file, which is read again every minute. */
class TokenFile implements CredentialsProvider {
  readonly #token: Refreshed<string>;

  constructor(path: string, { config, readFile, clock, logger }: ProviderOptions) {
    const source = sourcesOf(config).token;
    const shown = showPath(path);
    const name = shown + (source === undefined ? "" : ` (${source})`);
    this.#token = new Refreshed({
      what: `token file ${name}`,
      read: (signal) => readToken(path, { shown, name }, (path) => readFile(path, { signal })),
      clock,
      logger,
    });
  }

  async current(): Promise<Credentials> {
    return { authorization: `Bearer ${await this.#token.current()}` };
  }

  async renew(refused: Credentials): Promise<boolean> {
    return `Bearer ${await this.#token.reread()}` !== refused.authorization;
  }

  close(reason: Error): void {
    this.#token.close(reason);
  }
}

async function readToken(
  path: string,
  { shown, name }: { readonly shown: string; readonly name: string },
  readFile: ReadFile,
): Promise<string> {
  let text: string;
  try {
    text = await readFile(path);
  } catch (cause) {
    throw new Error(
      `Cannot read token file ${name}: check that it exists and that this process may read it (${
        readFailure(path, shown, cause)
      })`,
    );
  }
  const token = text.trim();
  if (token === "") throw new Error(`Token file ${name} is empty: expected a bearer token`);
  return requireToken(token, `token file ${name}`);
}
