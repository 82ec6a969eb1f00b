/** How a watch ended: cleanly by the server, by a crash of the server, or by the client. */
export type End = "server" | "crash" | "client";

/** One recorded exchange with a real API server. */
export interface Transcript {
  /** The number of the exchange, such as `0202` or `1108b`. */
  readonly id: string;
  /** The file name without the extension. */
  readonly name: string;
  /** The method of the request; empty if no request could be sent. */
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The headers of the request. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** The body of the request. */
  readonly requestBody: string | undefined;
  /** The status code; 0 if there was no response. */
  readonly status: number;
  /** The headers of the response, with names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body of the response, which may be truncated. */
  readonly body: string;
  /** The length of the whole body, if `body` is truncated. */
  readonly cutLength: number | undefined;
  /** Whether the body was binary; `body` only describes it then. */
  readonly binary: boolean;
  /** When and how a watch ended; undefined for other requests. */
  readonly end: { readonly atMs: number; readonly by: End } | undefined;
}

const folder = new URL("./transcripts/", import.meta.url);

/** Reads all transcripts, in the order of their recording. */
export async function readTranscripts(): Promise<Map<string, Transcript>> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name.endsWith(".http")) names.push(entry.name);
  }
  const transcripts = new Map<string, Transcript>();
  for (const name of names.sort()) {
    const text = await Deno.readTextFile(new URL(name, folder));
    const transcript = parseTranscript(name, text);
    transcripts.set(transcript.id, transcript);
  }
  return transcripts;
}

function parseTranscript(file: string, text: string): Transcript {
  const [, rest = ""] = text.split("<<<< REQUEST\n");
  const [requestText = "", answerText = ""] = rest.split(">>>> RESPONSE\n");
  const [answer = "", timeline = ""] = answerText.split("#### TIMELINE / CLIENT\n");
  const request = splitHead(requestText);
  const [method = "", target = ""] = (request.lines.shift() ?? "").split(" ");
  const { lines, body } = splitHead(answer);
  const [, status = "0"] = (lines.shift() ?? "").split(" ");
  const headers = new Map<string, string>();
  for (const [name, value] of lines.map(splitHeader)) {
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  const name = file.replace(/\.http$/, "");
  const requestHeaders = request.lines.map(splitHeader);
  const length = Number(requestHeaders.find(([key]) => /^content-length$/i.test(key))?.[1] ?? "0");
  return {
    id: name.split("-")[0]!,
    name,
    method,
    target,
    requestHeaders,
    requestBody: requestBodyOf(request.body, length),
    status: Number(status),
    headers,
    ...keptBody(unchunk(body)),
    binary: body.startsWith("(binary"),
    end: endOf(timeline),
  };
}

function splitHead(text: string): { lines: string[]; body: string } {
  const at = text.indexOf("\n\n");
  if (at < 0) return { lines: text.trim().split("\n"), body: "" };
  return { lines: text.slice(0, at).split("\n"), body: text.slice(at + 2) };
}

function splitHeader(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1).trim()];
}

function requestBodyOf(text: string, length: number): string | undefined {
  if (length === 0) return undefined;
  const body = text.replace(/^\n/, "");
  const cut = body.indexOf("[... request body is");
  if (cut < 0) return body.replace(/\n$/, "").length >= length ? body.slice(0, length) : body;
  // Truncated request bodies end with one JSON string of the letter x.
  const head = body.slice(0, cut);
  const tail = '"}}';
  return head + "x".repeat(length - head.length - tail.length) + tail;
}

function keptBody(text: string): { body: string; cutLength: number | undefined } {
  const whole = text.replace(/\n\[no trailing newline\]\n$/, "");
  const cut = /\n\[\.\.\. cut by the recorder: body is ([0-9]+) bytes\]\n?$/.exec(whole);
  if (cut === null) return { body: whole, cutLength: undefined };
  return { body: whole.slice(0, cut.index), cutLength: Number(cut[1]) };
}

/** Decodes the chunks of the one transcript that has a chunked body. */
function unchunk(text: string): string {
  if (!/^[0-9a-f]+\r\n/.test(text)) return text;
  return text.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "").replace(/\r\n$/, "");
}

function endOf(timeline: string): Transcript["end"] {
  const match = /^\+\s*([0-9.]+)s end: (server|client)(?:.*curl exit ([0-9]+))?/m.exec(timeline);
  if (match === null) return undefined;
  // curl's exit code 18: the response is not complete.
  const by = match[3] === "18" ? "crash" : match[2] as End;
  return { atMs: Number(match[1]) * 1000, by };
}
