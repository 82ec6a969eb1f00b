import { encodeBase64 } from "../../base/mod.ts";

/**
 * Checks the URL of a proxy. Error messages do not contain the user and password in it.
 *
 * @throws {TypeError} If `proxyUrl` is not the URL of an HTTP proxy.
 */
export function requireProxyUrl(proxyUrl: string | undefined, source: string): void {
  if (proxyUrl === undefined) return;
  let url: URL;
  try {
    url = new URL(proxyUrl);
  } catch {
    throw new TypeError(
      `Invalid proxy URL (${source}): expected something like "http://proxy.example:3128"`,
    );
  }
  // Only known schemes are shown: of "password:port", the URL parser takes the password for a scheme.
  if (/^socks(4a?|5h?)?:$/.test(url.protocol)) {
    throw new TypeError(
      `SOCKS proxies are not supported (${source} begins with ${url.protocol}//): give an http:// or https:// proxy`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const found = /^(file|ftp|ssh|tcp|unix|wss?):$/.test(url.protocol)
      ? `, found ${url.protocol}//`
      : "";
    throw new TypeError(
      `Invalid proxy URL (${source}): expected http:// or https://${found}`,
    );
  }
  try {
    splitProxyUrl(proxyUrl);
  } catch {
    throw new TypeError(
      `Invalid proxy URL (${source}): the user and password must be percent-encoded`,
    );
  }
}

/** Returns the value of the `Proxy-Authorization` header for a proxy; undefined if its URL has no user. */
export function proxyAuthorization(proxyUrl: string): string | undefined {
  const { username, password } = splitProxyUrl(proxyUrl);
  return username === "" ? undefined : `Basic ${encodeBase64(`${username}:${password}`)}`;
}

/** Splits the URL of a proxy into the URL without credentials, the user name and the password. */
export function splitProxyUrl(
  proxyUrl: string,
): { readonly url: string; readonly username: string; readonly password: string } {
  const url = new URL(proxyUrl);
  const username = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  return { url: url.origin, username, password };
}
