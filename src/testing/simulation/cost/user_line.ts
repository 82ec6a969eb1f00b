/** The number of frames that are looked at. Code that waits for an answer has many frames of this library above it. */
const FRAMES = 50;
/** The line and the column at the end of a place. */
const POSITION = /:\d{1,9}:\d{1,9}$/;
/** The begin of a file's URL or path. Code of a runtime has names such as `node:events`. */
const FILE = /^(?:file:\/\/|https?:\/\/|\/|[A-Za-z]:[\\/])/;
/** The folder of the sources, if this module is one of them. */
const SOURCES = /^(.*\/src\/)testing\/simulation\/cost\/user_line\.[jt]s$/.exec(import.meta.url)
  ?.[1];

/** The frames of V8 below which nothing is running any more, but waits. */
const WAITING = /^\s*at async /;

/** Returns the first line of a stack that does not belong to this library, as in `/app/main.ts:4:12`. */
export function userLineOf(stack: string): string | undefined {
  for (const frame of stack.split("\n")) {
    if (WAITING.test(frame)) return undefined;
    const place = placeIn(frame.trim());
    if (!FILE.test(place) || !POSITION.test(place) || place.includes("/@kubeloop/")) continue;
    if (SOURCES !== undefined && plain(place).startsWith(plain(SOURCES))) continue;
    return plain(place);
  }
  return undefined;
}

/** Returns the line of the caller that does not belong to this library, if the stack reaches it. */
export function userLine(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  try {
    return userLineOf(new Error().stack ?? "");
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Returns the place in a frame of V8, `at run (file:///app/main.ts:4:12)`, or of JavaScriptCore, `run@/app/main.js:4:12`. */
function placeIn(frame: string): string {
  if (frame.endsWith(")")) return frame.slice(frame.lastIndexOf("(") + 1, -1);
  return frame.startsWith("at ") ? frame.slice("at ".length) : frame.slice(frame.indexOf("@") + 1);
}

function plain(place: string): string {
  return place.replace(/^file:\/\//, "");
}
