import { requiredFieldValue } from "../kinds/mod.ts";

/** The parts of a request's path and its verb, parsed before the server knows whether the resource exists. */
export interface RequestInfo {
  /** Whether the path is below `/api/VERSION/` or `/apis/GROUP/VERSION/` and names a resource. */
  readonly isResource: boolean;
  /** The path of the URL, with its percent escapes. */
  readonly path: string;
  /**
   * The verb to authorize: `get`, `list`, `watch`, `create`, … For paths without a resource, the method in lower case.
   */
  readonly verb: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version within the group. */
  readonly version: string;
  /** The namespace in the path; empty if the path has none. */
  readonly namespace: string;
  /** The resource in the path. */
  readonly resource: string;
  /** The path after the name, as in `status`; empty if nothing follows. */
  readonly subresource: string;
  /** The name of the object; empty for collections. */
  readonly name: string;
  /**
   * The name that the field selector of a collection request requires; empty if it requires none. Authorization reads
   * it.
   */
  readonly selectedName: string;
  /** Whether the path is a deprecated `/watch/` path. */
  readonly watchPath: boolean;
  /** Whether the path has an encoded slash, an empty segment where no handler accepts one, or namespaces in one. */
  readonly malformed: boolean;
}

/** Sub-paths of a namespace that are subresources of the namespace itself. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

/** Returns the query parameters of a URL. As in Go, a parameter with an invalid escape or a semicolon is ignored. */
export function queryOf({ search }: URL): URLSearchParams {
  const parts = search.slice(1).split("&");
  const kept = parts.filter((part) => !part.includes(";") && !/%(?![0-9a-f]{2})/i.test(part));
  // Without the ampersand, a question mark at the start would not be part of the first name.
  return new URLSearchParams(`&${kept.join("&")}`);
}

/** The target of a request: what its method and its URL say, to be read only. */
export interface RequestTarget {
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
}

/** The targets that were parsed. Several parts of a server ask for the same one. */
const TARGETS = new WeakMap<Request, RequestTarget>();

/** Returns the target of a request. */
export function targetOf(request: Request): RequestTarget {
  let target = TARGETS.get(request);
  if (target === undefined) {
    const url = new URL(request.url);
    const query = queryOf(url);
    target = { url, query, info: parseRequestInfo(request.method, url.pathname, query) };
    TARGETS.set(request, target);
  }
  return target;
}

/**
 * Returns the name of a request for random draws: its client, method and path. Queries have resource versions, which every
 * write of another client changes.
 */
export function identityOf(request: Request): string {
  const { headers, method } = request;
  return `${headers.get("user-agent") ?? ""} ${method} ${targetOf(request).url.pathname}`;
}

/**
 * Parses a path with its encoded slashes decoded, as the API server does before it authorizes a request, and for the
 * paths of custom resources.
 */
export function parseDecodedRequestInfo(
  method: string,
  pathname: string,
  query: URLSearchParams,
): RequestInfo {
  return parseRequestInfo(method, pathname.replace(/%2f/gi, "/"), query);
}

/** Parses a path as the router of the API server does. */
export function parseRequestInfo(
  method: string,
  pathname: string,
  query: URLSearchParams,
): RequestInfo {
  const raw = pathname.split("/").slice(1);
  while (raw.length > 1 && raw[raw.length - 1] === "") raw.pop();
  const parts = raw.map(decodePath);
  const nonResource: RequestInfo = {
    isResource: false,
    path: pathname,
    verb: method.toLowerCase(),
    group: "",
    version: "",
    namespace: "",
    resource: "",
    subresource: "",
    name: "",
    selectedName: "",
    watchPath: false,
    malformed: false,
  };
  const core = parts[0] === "api";
  if (!core && parts[0] !== "apis") return nonResource;
  let rest = parts.slice(core ? 2 : 3);
  if (rest.length === 0 || rest[0] === "") return nonResource;
  const watchPath = rest[0] === "watch" && rest.length > 1;
  if (watchPath) rest = rest.slice(1);
  let namespace = "";
  let isNested = false;
  if (rest[0] === "namespaces" && rest.length > 1) {
    namespace = rest[1] ?? "";
    const third = rest[2];
    if (third !== undefined && !NAMESPACE_SUBRESOURCES.has(third)) {
      rest = rest.slice(2);
      isNested = core && third === "namespaces";
    }
  }
  const name = rest[1] ?? "";
  const verb = verbOf(method, name, query, watchPath);
  return {
    isResource: true,
    path: pathname,
    verb,
    group: core ? "" : parts[1] ?? "",
    version: (core ? parts[1] : parts[2]) ?? "",
    namespace,
    resource: rest[0] ?? "",
    subresource: rest.slice(2).join("/"),
    name,
    selectedName: COLLECTION_VERBS.has(verb) ? selectedName(query.get("fieldSelector") ?? "") : "",
    watchPath,
    // A router that matches encoded paths sees a%2Fb as two segments, which fit no route. Only the name may be empty,
    // and only before a subresource.
    malformed: isNested || raw.some((segment) => /%2f/i.test(segment)) ||
      rest.some((part, index) => part === "" && (index !== 1 || rest.length !== 3)),
  };
}

/** Reports whether a path of an API ends with a special verb, so that its resource cannot be known. */
export function isBareSpecialPath(pathname: string): boolean {
  return /^\/+(?:api|apis\/[^/]+)\/[^/]+\/(?:watch|proxy)\/*$/.test(pathname);
}

/** The verbs of requests that write. */
export const WRITE_VERBS: ReadonlySet<string> = new Set([
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
]);

const COLLECTION_VERBS: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

/**
 * Returns the name that a field selector requires. It is read by the same parser as the selector that selects the
 * objects, so that no request is authorized for one name and answered for others.
 */
function selectedName(selector: string): string {
  const name = requiredFieldValue(selector, "metadata.name") ?? "";
  return name === "." || name === ".." || /[/%]/.test(name) ? "" : name;
}

/** Decodes a path or a segment of it. What is not UTF-8 becomes replacement characters. */
export function decodePath(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    const decoded = segment.replace(
      /%([0-9a-f]{2})/gi,
      (_, code) => String.fromCharCode(parseInt(code, 16)),
    );
    const bytes = Uint8Array.from(decoded, (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

function verbOf(method: string, name: string, query: URLSearchParams, watchPath: boolean): string {
  switch (method) {
    case "GET":
    case "HEAD":
      if (watchPath) return "watch";
      if (name !== "") return "get";
      return isTrue(query.get("watch")) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name === "" ? "deletecollection" : "delete";
    default:
      return "";
  }
}

/** Parses a boolean parameter as the API server does: if it is present, every value except `0` and `false` is true. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
