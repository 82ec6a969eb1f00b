import { type ApiError, badRequest, failure } from "../../values/mod.ts";
import { PROTOBUF } from "./protobuf_body.ts";

/** The negotiated representation of the answer's body. */
export interface Representation {
  /** The encoding. */
  readonly format: Format;
  /** The requested view of the object, or the object itself. */
  readonly as: View;
  /** The version of the view. */
  readonly viewVersion: string;
  /** The part of the object that each row of a Table contains. */
  readonly includeObject: "None" | "Metadata" | "Object";
  /** Whether the body is indented. */
  readonly pretty: boolean;
}

/** The encodings of answers. */
export type Format = "json" | "yaml" | "protobuf";

/** The views of an object. */
export type View = "Object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

const VIEWS: ReadonlySet<string> = new Set([
  "Table",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
]);

const TABLE_OBJECTS: ReadonlySet<string> = new Set(["None", "Metadata", "Object"]);

const VIEW_VERSIONS: ReadonlySet<string> = new Set(["v1", "v1beta1"]);

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  [PROTOBUF, "protobuf"],
  ["application/*", "json"],
  ["*/*", "json"],
]);

/** The media types by which the router of built-in resources finds a handler. */
const ROUTES: ReadonlySet<string> = new Set([
  "application/json",
  "application/yaml",
  PROTOBUF,
  "*/*",
]);

const AVAILABLE = `application/json, application/yaml, ${PROTOBUF}`;

const STREAMS = `application/json;stream=watch, ${PROTOBUF};stream=watch`;

interface Clause {
  /** The media type. */
  readonly type: string;
  /** The media type as written: `*` instead of `*\/*`. */
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The kind of answer to negotiate. For collections, a 406 also lists the media types of watches. */
export type AnswerKind = "object" | "list" | "watch";

/**
 * Checks the Accept header as the router for built-in resources does, before anything else is read. The header must
 * contain a served media type in full, or the wildcard for all types.
 *
 * @throws {ApiError} 406, if it does not.
 */
export function requireRoutable(headers: Headers, kind: AnswerKind): void {
  const clauses = parseAccept(headers.get("accept"));
  if (clauses.some(({ name }) => ROUTES.has(name))) return;
  throw notRoutable(kind === "object" ? AVAILABLE : `${AVAILABLE}, ${STREAMS}`);
}

/**
 * Checks the Accept header as the router does for a path that has a single representation.
 *
 * @throws {ApiError} 406, if the header does not contain the media type in full, or the wildcard for all types.
 */
export function requireRoutableAs(headers: Headers, type: string): void {
  const clauses = parseAccept(headers.get("accept"));
  if (!clauses.some(({ name }) => name === type || name === "*/*")) throw notRoutable(type);
}

function notRoutable(available: string): ApiError {
  return notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available}`, {});
}

/** The forms that an answer can have. */
export interface Forms {
  /** Whether it can be a Table. Default: true. */
  readonly table?: boolean;
  /** Whether it has a protobuf message. Default: true. */
  readonly protobuf?: boolean;
}

/**
 * Negotiates the representation from the Accept header, the `pretty` parameter and, for browsers and curl, the
 * User-Agent. Custom resources are in JSON or YAML, but metadata and failures can be in protobuf; a Table cannot.
 *
 * @param forms The forms that the answer can have.
 * @throws {ApiError} 406, if no requested representation is served; 400, for an unknown `includeObject` of a Table.
 */
export function negotiate(
  headers: Headers,
  query: URLSearchParams,
  { table = true, protobuf = true }: Forms = {},
): Representation {
  const clauses = parseAccept(headers.get("accept"));
  const chosen = clauses.find((clause) => {
    const format = FORMATS.get(clause.type);
    const view = format === undefined ? undefined : viewOf(clause);
    if (view === "Table") return table && format !== "protobuf";
    return view !== undefined && (view !== "Object" || format !== "protobuf" || protobuf);
  });
  if (chosen === undefined) {
    throw notAcceptable(`only the following media types are accepted: ${AVAILABLE}`);
  }
  const include = query.get("includeObject");
  if (viewOf(chosen) === "Table" && include && !TABLE_OBJECTS.has(include)) {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${
        JSON.stringify(include)
      }: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return {
    format: FORMATS.get(chosen.type)!,
    as: viewOf(chosen)!,
    viewVersion: chosen.parameters.get("v") ?? "v1",
    includeObject: include === "None" || include === "Object" ? include : "Metadata",
    pretty: isIndented(chosen, headers, query),
  };
}

/**
 * Negotiates the representation of an answer that has no other views and, in this server, no protobuf.
 *
 * @throws {ApiError} 406, if it cannot be written as requested.
 */
export function negotiatePlain(
  headers: Headers,
  query: URLSearchParams,
): { format: "json" | "yaml"; pretty: boolean } {
  const plain = plainClauses(headers);
  for (const clause of plain) {
    const format = FORMATS.get(clause.type)!;
    if (format !== "protobuf") return { format, pretty: isIndented(clause, headers, query) };
  }
  throw notAcceptable(
    plain.length === 0
      ? `only the following media types are accepted: ${AVAILABLE}`
      : "this server does not speak protobuf in discovery: only the following media types are accepted: application/json, application/yaml",
  );
}

function isIndented({ parameters }: Clause, headers: Headers, query: URLSearchParams): boolean {
  return parameters.get("pretty") === "1" || isPretty(headers, query);
}

function plainClauses(headers: Headers): Clause[] {
  return parseAccept(headers.get("accept")).filter((clause) =>
    FORMATS.has(clause.type) && viewOf(clause) === "Object"
  );
}

/** Returns the encoding that the Accept header prefers for a watch, of the encodings that there are. */
export function watchFormat(headers: Headers): Format {
  const known = parseAccept(headers.get("accept")).find((clause) =>
    FORMATS.has(clause.type) && viewOf(clause) !== undefined
  );
  return FORMATS.get(known?.type ?? "") ?? "json";
}

/**
 * Refuses a watch in a format that has no streams.
 *
 * @throws {ApiError} 406
 */
export function requireStream({ format }: Representation): void {
  if (format !== "yaml") return;
  throw notAcceptable(`only the following media types are accepted: ${STREAMS}`);
}

/**
 * Negotiates the representation of a failure: one without a view that the Accept header allows, otherwise indented
 * JSON.
 */
export function negotiateFailure(
  headers: Headers,
  query: URLSearchParams,
): { format: Format; pretty: boolean } {
  const plain = plainClauses(headers)[0];
  if (plain === undefined) return { format: "json", pretty: true };
  return { format: FORMATS.get(plain.type)!, pretty: isIndented(plain, headers, query) };
}

/** Reports whether JSON is indented: if `pretty` asks for it or, without `pretty`, for curl, Wget and browsers. */
export function isPretty(headers: Headers, query: URLSearchParams): boolean {
  const asked = query.get("pretty");
  if (asked !== null && asked !== "") return /^(1|t|true)$/i.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers.get("user-agent") ?? "");
}

/** Returns the view that a clause asks for; undefined if the clause must be skipped. */
function viewOf({ parameters }: Clause): View | undefined {
  const stream = parameters.get("stream");
  const version = parameters.get("sv") ?? "v1";
  if ((stream !== undefined && stream !== "watch") || version !== "v1") return undefined;
  const as = parameters.get("as");
  if (as === undefined) return parameters.has("g") || parameters.has("v") ? undefined : "Object";
  const known = VIEWS.has(as) && parameters.get("g") === "meta.k8s.io" &&
    VIEW_VERSIONS.has(parameters.get("v") ?? "");
  return known ? as as View : undefined;
}

/** Parses an Accept header. Returns its clauses, the preferred ones first. Whatever is not a clause is left out. */
export function parseAccept(header: string | null): Clause[] {
  const text = header === null || header.trim() === "" ? "*/*" : header;
  const clauses = text.split(",").map(parseClause).filter((clause) => clause !== undefined);
  // Not every pair has an order that fits the others, so that the result depends on how the server sorts.
  for (let i = 1; i < clauses.length; i++) {
    for (let j = i; j > 0 && isPreferred(clauses[j]!, clauses[j - 1]!); j--) {
      [clauses[j - 1], clauses[j]] = [clauses[j]!, clauses[j - 1]!];
    }
  }
  return clauses;
}

function parseClause(text: string): Clause | undefined {
  const [name = "", ...rest] = text.trim().split(";");
  const type = name.split("/").map((part) => part.trim());
  if (type.length === 1 && type[0] === "*") type.push("*");
  if (type.length !== 2 || type[1] === "") return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const [key = "", value = "", ...more] = parameter.split("=");
    if (value === "" || more.length > 0) continue;
    if (key.trim() === "q") quality = Number(value) || 0;
    else parameters.set(key.trim(), value.trim());
  }
  return { type: type.join("/"), name: name.trim(), parameters, quality };
}

/** Reports whether a clause comes before another one: by its quality, or without a wildcard where the other has one. */
function isPreferred(one: Clause, other: Clause): boolean {
  if (one.quality > other.quality) return true;
  const [[type, subtype], [otherType, otherSubtype]] = [one.type.split("/"), other.type.split("/")];
  return (type !== "*" && otherType === "*") || (subtype !== "*" && otherSubtype === "*");
}

/** Returns the error of a request that accepts none of the media types of its answer. */
export function notAcceptable(message: string, details?: Record<string, never>): ApiError {
  return failure(406, message, {
    reason: "NotAcceptable",
    ...(details === undefined ? {} : { details }),
  });
}
