import type { ServerUnderTest } from "../server_under_test.ts";

/** JSON of any form. */
// deno-lint-ignore no-explicit-any
export type Loose = any;

/** The answer to a request. */
export interface Answer {
  readonly code: number;
  readonly warning: string | null;
  readonly text: string;
}

/** Sends a request of the administrator. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  type?: string,
) => Promise<Answer>;

/** Returns a function that sends requests of the administrator to `server`. */
export function callerOf(server: ServerUnderTest): Call {
  return async (method, path, body, type = "application/json") => {
    const request = new Request(server.origin + path, {
      method,
      headers: {
        authorization: "Bearer demo-admin-token",
        "user-agent": "suite/1",
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const response = await server.run(server.fetch(request));
    const text = await response.text();
    return { code: response.status, warning: response.headers.get("warning"), text };
  };
}

/** Returns a function that reads JSON from `server`. */
export function readerOf(server: ServerUnderTest): (path: string) => Promise<Loose> {
  const call = callerOf(server);
  return async (path) => JSON.parse((await call("GET", path)).text);
}
