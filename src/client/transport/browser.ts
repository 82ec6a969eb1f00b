import type { TransportSettings } from "../config/mod.ts";
import { type Transport, UnsupportedError } from "./transport.ts";

/**
 * Returns the transport for browsers: their `fetch`, which has certificates and proxies of its own. Usually the server is
 * `kubectl proxy`, which also serves the page.
 */
export function browserTransport(settings: TransportSettings): Transport {
  const given = Object.entries(settings).filter(([, value]) => value).map(([name]) => name);
  return {
    fetch: async (url, { headers, expects: _, ...init }) => {
      if (given.length > 0) {
        throw new UnsupportedError(
          `A browser cannot use ${given.join(", ")}: connect to kubectl proxy, without credentials`,
        );
      }
      // The browser has a user agent of its own.
      const lines = headers.filter(([name]) => name.toLowerCase() !== "user-agent")
        .map(([name, value]): [string, string] => [name, value]);
      return await fetch(url, { ...init, headers: lines });
    },
    drain: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
