/**
 * Checks the URL of a proxy. Its user and password, if any, are not shown.
 *
 * @throws {TypeError} When it is not the URL of an HTTP proxy.
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
  if (/^socks/.test(url.protocol)) {
    throw new TypeError(
      `SOCKS proxies are not supported (${source} begins with ${url.protocol}//): give an http:// or https:// proxy`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(
      `Invalid proxy URL (${source}): expected http:// or https://, found ${url.protocol}//`,
    );
  }
}

/** A proxy's URL without user and password, which are given apart. */
export function splitProxyUrl(
  proxyUrl: string,
): { readonly url: string; readonly username: string; readonly password: string } {
  const url = new URL(proxyUrl);
  const username = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  return { url: url.origin, username, password };
}
