import { abortable, type Clock, isPromiseLike, withTimeLimit } from "../../base/mod.ts";

/** Time limit of a check, in milliseconds. By default, a kubelet waits for one second. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * A health check. It passes if it returns or resolves to undefined or `true`. It fails if it throws, rejects, returns `false`
 * or a text with the reason, or takes more than ten seconds.
 */
export type Check = (request: Request) => unknown;

/** Checks by their names. */
export type Checks = Readonly<Record<string, Check>>;

/**
 * Answers a probe: 200 if all checks pass, 503 otherwise, with a line for each check. `onFailure` receives the reasons of
 * failures. They are not in the answer, which any client may read.
 */
export async function answerProbe(
  request: Request,
  checks: Checks,
  { clock, notes = {}, onFailure }: {
    readonly clock: Clock;
    /** The public notes of checks, by their names. */
    readonly notes?: Readonly<Record<string, string>>;
    readonly onFailure: (name: string, reason: unknown) => void;
  },
): Promise<Response> {
  const lines = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await failureOf(check, request, clock);
      const note = Object.hasOwn(notes, name) ? notes[name] : undefined;
      if (reason === undefined) {
        return { line: `[+]${name} ok${note === undefined ? "" : `: ${note}`}`, passed: true };
      }
      onFailure(name, reason);
      return { line: `[-]${name} failed: ${note ?? "reason withheld"}`, passed: false };
    }),
  );
  const passed = lines.every((one) => one.passed);
  const body = [...lines.map(({ line }) => line), passed ? "ok" : "failed", ""].join("\n");
  return new Response(request.method === "HEAD" ? null : body, {
    status: passed ? 200 : 503,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

async function failureOf(check: Check, request: Request, clock: Clock): Promise<unknown> {
  try {
    const pending = check(request);
    const answer = isPromiseLike(pending) ? await inTime(pending, request.signal, clock) : pending;
    return answer === undefined || answer === true ? undefined : answer;
  } catch (error) {
    return error ?? "it threw nothing";
  }
}

/** Awaits the answer of a check, within the time limit. */
function inTime(
  answer: PromiseLike<unknown>,
  signal: AbortSignal,
  clock: Clock,
): Promise<unknown> {
  const late = () => new Error(`it has not answered within ${CHECK_TIMEOUT_MS} ms`);
  return withTimeLimit(
    { clock, signal, limitMs: CHECK_TIMEOUT_MS, late },
    (limit) => abortable(Promise.resolve(answer), limit),
  );
}
