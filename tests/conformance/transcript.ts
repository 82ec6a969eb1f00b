/** Who ended a watch: the server in good order, the server by dying, or the client. */
export type End = "server" | "crash" | "client";

/** One recorded exchange with a real API server. */
export interface Transcript {
  /** The digits that name it, as in `0202` or `1108b`. */
  readonly id: string;
  /** Its file, without the extension. */
  readonly name: string;
  /** The method of the request; empty where no request could be sent. */
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The headers of the request. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** The body of the request. */
  readonly requestBody: string | undefined;
  /** The status code; 0 where there was no answer. */
  readonly status: number;
  /** The headers of the answer, names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body of the answer, as far as it was kept. */
  readonly body: string;
  /** How long the body was, where only its beginning was kept. */
  readonly cutLength: number | undefined;
  /** Whether the body was binary, and only described. */
  readonly binary: boolean;
  /** For watches: when and how it ended. */
  readonly end: { readonly atMs: number; readonly by: End } | undefined;
}

const folder = new URL("./transcripts/", import.meta.url);

/** Reads every transcript, in the order in which they were recorded. */
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
  // The long bodies are one JSON string of the same letter.
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

/** One transcript kept the chunks as they were sent. */
function unchunk(text: string): string {
  if (!/^[0-9a-f]+\r\n/.test(text)) return text;
  return text.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "").replace(/\r\n$/, "");
}

function endOf(timeline: string): Transcript["end"] {
  const match = /^\+\s*([0-9.]+)s end: (server|client)(?:.*curl exit ([0-9]+))?/m.exec(timeline);
  if (match === null) return undefined;
  // curl's 18: the answer is not complete.
  const by = match[3] === "18" ? "crash" : match[2] as End;
  return { atMs: Number(match[1]) * 1000, by };
}
