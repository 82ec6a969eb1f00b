import { type ApiError, badRequest, failure } from "../values/mod.ts";

/** What the answer's body looks like. */
export interface Representation {
  /** How it is written. */
  readonly format: "json" | "yaml";
  /** Whether the object itself is asked for, or a view of it. */
  readonly as: View;
  /** The version of the view. */
  readonly viewVersion: string;
  /** What rows of a Table carry. */
  readonly includeObject: "None" | "Metadata" | "Object";
  /** Whether it is indented. */
  readonly pretty: boolean;
}

/** What an object can be shown as. */
export type View = "Object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

const VIEWS: ReadonlySet<string> = new Set([
  "Table",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
]);

const TABLE_OBJECTS: ReadonlySet<string> = new Set(["None", "Metadata", "Object"]);

const VIEW_VERSIONS: ReadonlySet<string> = new Set(["v1", "v1beta1"]);

const FORMATS: ReadonlyMap<string, "json" | "yaml"> = new Map([
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  ["application/*", "json"],
  ["*/*", "json"],
]);

/** What the API server serves too and this one does not: it is skipped, or refused aloud when nothing else is asked for. */
const NOT_SERVED = "application/vnd.kubernetes.protobuf";

const AVAILABLE = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

const STREAMS = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** What kind of answer is negotiated: collections can be watched, and say so. */
export type AnswerKind = "object" | "list" | "watch" | "version";

/**
 * What the router of the built-in resources asks of the Accept header, before anything else is read: one whole media type
 * that is served, or the one for everything.
 *
 * @throws {ApiError} 406, when there is none.
 */
export function requireRoutable(headers: Headers, kind: AnswerKind): void {
  const clauses = parseAccept(headers.get("accept"));
  if (clauses.some(({ type }) => FORMATS.has(type) && type !== "application/*")) return;
  if (clauses.some(({ type }) => type === NOT_SERVED)) throw notServed();
  const available = kind === "version"
    ? "application/json"
    : kind === "object"
    ? AVAILABLE
    : `${AVAILABLE}, ${STREAMS}`;
  throw notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available}`, {});
}

/**
 * Reads the Accept header, the `pretty` parameter and, for browsers and curl, the User-Agent.
 *
 * @throws {ApiError} 406, when nothing that is asked for is served.
 */
export function negotiate(headers: Headers, query: URLSearchParams): Representation {
  const clauses = parseAccept(headers.get("accept"));
  const chosen = clauses.find((clause) => FORMATS.has(clause.type) && viewOf(clause) !== undefined);
  if (chosen === undefined) {
    if (clauses.some(({ type }) => type === NOT_SERVED)) throw notServed();
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
    pretty: chosen.parameters.get("pretty") === "1" || isPretty(headers, query),
  };
}

/**
 * Reads how something is written that has no other view.
 *
 * @throws {ApiError} 406, when it cannot be written as asked.
 */
export function negotiatePlain(
  headers: Headers,
  query: URLSearchParams,
): Pick<Representation, "format" | "pretty"> {
  const plain = plainClause(headers);
  if (plain === undefined) {
    throw notAcceptable(`only the following media types are accepted: ${AVAILABLE}`);
  }
  return { format: FORMATS.get(plain.type)!, pretty: isPretty(headers, query) };
}

function plainClause(headers: Headers): Clause | undefined {
  return parseAccept(headers.get("accept")).find((clause) =>
    FORMATS.has(clause.type) && viewOf(clause) === "Object"
  );
}

/**
 * Refuses a watch that is asked for in a format that has no streams.
 *
 * @throws {ApiError} 406
 */
export function requireStream({ format }: Representation): void {
  if (format === "json") return;
  throw notAcceptable(`only the following media types are accepted: ${STREAMS}`);
}

/** How a failure is written: as plainly as the Accept header allows, and indented when it allows nothing plain. */
export function negotiateFailure(
  headers: Headers,
  query: URLSearchParams,
): { format: "json" | "yaml"; pretty: boolean } {
  const plain = plainClause(headers);
  if (plain === undefined) return { format: "json", pretty: true };
  return { format: FORMATS.get(plain.type)!, pretty: isPretty(headers, query) };
}

/** Whether JSON is indented: for those who ask for it, and for those who look at it. */
export function isPretty(headers: Headers, query: URLSearchParams): boolean {
  const asked = query.get("pretty");
  if (asked !== null && asked !== "") return /^(1|t|true)$/i.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers.get("user-agent") ?? "");
}

function viewOf({ parameters }: Clause): View | undefined {
  const as = parameters.get("as");
  if (as === undefined) return "Object";
  const known = VIEWS.has(as) && parameters.get("g") === "meta.k8s.io" &&
    VIEW_VERSIONS.has(parameters.get("v") ?? "");
  return known ? as as View : undefined;
}

/** The clauses of an Accept header, the most wanted first. */
export function parseAccept(header: string | null): Clause[] {
  const text = header === null || header.trim() === "" ? "*/*" : header;
  return text.split(",")
    .map((part) => {
      const [type = "", ...rest] = part.split(";").map((piece) => piece.trim());
      const parameters = new Map(rest.map((piece) => {
        const at = piece.indexOf("=");
        return at < 0 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
      }));
      return { type, parameters, quality: Number(parameters.get("q") ?? "1") };
    })
    .sort((a, b) => b.quality - a.quality);
}

function notServed(): ApiError {
  return notAcceptable(
    "this server does not speak protobuf: only the following media types are accepted: application/json, application/yaml",
  );
}

function notAcceptable(message: string, details?: Record<string, never>): ApiError {
  return failure(406, message, {
    reason: "NotAcceptable",
    ...(details === undefined ? {} : { details }),
  });
}
