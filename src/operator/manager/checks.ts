import { abortable, type Clock, isPromiseLike, withTimeLimit } from "../../base/mod.ts";

/** Kubelets wait for a second if nobody tells them otherwise. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Reports whether something works: it throws, rejects or returns a text that says what is wrong. Nothing and `true` mean
 * that all is well; `false` that it is not. A check that takes more than ten seconds has failed.
 */
export type Check = (request: Request) => unknown;

/** Checks by their names. */
export type Checks = Readonly<Record<string, Check>>;

/**
 * Answers a probe: 200 if all checks pass, 503 otherwise, with a line for each check. The reasons of failures are not part
 * of the answer, since everybody can ask; `onFailure` receives them.
 */
export async function answerProbe(
  request: Request,
  checks: Checks,
  { clock, notes = {}, onFailure }: {
    readonly clock: Clock;
    /** What may be shown of checks, by their names. */
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

/** Awaits the answer of a check. One that never comes must not hold the request, nor a timer the end of the process. */
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
