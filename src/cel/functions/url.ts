import { quote } from "../../values/mod.ts";
import { type CelType, URL_TYPE } from "../types/mod.ts";
import { CelError, CelList, LiteralMap, type Opaque } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

/** A URL, split as Go does. */
class UrlValue implements Opaque {
  readonly opaque: CelType = URL_TYPE;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(parts: { text: string; scheme: string; host: string; path: string; query: string }) {
    this.text = parts.text;
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.path = parts.path;
    this.query = parts.query;
  }

  equals(other: Opaque): boolean {
    return other instanceof UrlValue && this.text === other.text;
  }

  toString(): string {
    return this.text;
  }
}

/** Parses an absolute URL or path; returns it or the error. */
export function parseUrl(text: string): UrlValue | string {
  const wrong = (why: string) => `parse ${quote(text)}: ${why}`;
  if ([...text].some((char) => char.codePointAt(0)! < 32 || char === "\x7f")) {
    return wrong("net/url: invalid control character in URL");
  }
  if (text === "") return wrong("empty url");
  const colon = text.indexOf(":");
  const head = colon < 0 ? "" : text.slice(0, colon);
  if (colon === 0) return wrong("missing protocol scheme");
  const isScheme = /^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(head);
  if (/^[0-9+.-][a-zA-Z0-9+.-]*$/.test(head) && !text.startsWith("/")) {
    return wrong("first path segment in URL cannot contain colon");
  }
  const scheme = isScheme ? head.toLowerCase() : "";
  let rest = isScheme ? text.slice(colon + 1) : text;
  const mark = rest.indexOf("?");
  const query = mark < 0 ? "" : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  if (!rest.startsWith("/")) {
    if (scheme === "") return wrong("invalid URI for request");
    return new UrlValue({ text, scheme, host: "", path: "", query });
  }
  let host = "";
  if ((scheme !== "" || !rest.startsWith("///")) && rest.startsWith("//")) {
    const slash = rest.indexOf("/", 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? "" : rest.slice(slash);
    host = authority.slice(authority.lastIndexOf("@") + 1);
    const why = hostError(host);
    if (why !== undefined) return wrong(why);
  }
  const escape = /%(?![0-9a-fA-F]{2})[^]{0,2}/.exec(rest)?.[0];
  if (escape !== undefined) return wrong(`invalid URL escape ${quote(escape)}`);
  return new UrlValue({ text, scheme, host, path: rest, query });
}

function hostError(host: string): string | undefined {
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    if (end < 0) return "missing ']' in host";
    const port = host.slice(end + 1);
    return /^(:\d*)?$/.test(port) ? undefined : `invalid port ${quote(port)} after host`;
  }
  const colon = host.lastIndexOf(":");
  const port = colon < 0 ? "" : host.slice(colon);
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${quote(port)} after host`;
  const bad = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return bad === undefined ? undefined : `invalid character ${quote(bad)} in host name`;
}

function toUrl(text: string): UrlValue {
  const url = parseUrl(text);
  if (typeof url !== "string") return url;
  throw new CelError(`URL parse error during conversion from string: ${url}`);
}

function hostname({ host }: UrlValue): string {
  const name = host.replace(/:\d*$/, "");
  return name.startsWith("[") ? name.slice(1, -1) : name;
}

function port({ host }: UrlValue): string {
  return /:(\d*)$/.exec(host)?.[1] ?? "";
}

/** Returns the path with what a path must not contain escaped. */
function escapedPath({ path }: UrlValue): string {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@%!'()*[\]]/gu, encodeURIComponent);
}

function query(url: UrlValue): LiteralMap {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(url.query)) {
    const list = values.get(name) ?? [];
    list.push(value);
    values.set(name, list);
  }
  return new LiteralMap([...values].map(([name, list]) => [name, new CelList(list)] as const));
}

/** The functions of URLs. */
export const URLS: readonly Overload[] = [
  define("url", "string_to_url", "string -> URL", toUrl),
  define("getScheme", "url_get_scheme", "URL. -> string", ({ scheme }: UrlValue) => scheme),
  define("getHost", "url_get_host", "URL. -> string", ({ host }: UrlValue) => host),
  define("getHostname", "url_get_hostname", "URL. -> string", hostname),
  define("getPort", "url_get_port", "URL. -> string", port),
  define("getEscapedPath", "url_get_escaped_path", "URL. -> string", escapedPath),
  define("getQuery", "url_get_query", "URL. -> map(string, list(string))", query),
  define(
    "isURL",
    "is_url_string",
    "string -> bool",
    (text: string) => typeof parseUrl(text) !== "string",
  ),
];
