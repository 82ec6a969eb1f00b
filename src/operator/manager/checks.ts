/**
 * Reports whether something works: it throws, rejects or returns a text that says what is wrong. Nothing and `true` mean
 * that all is well; `false` that it is not.
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
  onFailure: (name: string, reason: unknown) => void,
): Promise<Response> {
  const lines = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const reason = await failureOf(check, request);
      if (reason === undefined) return { line: `[+]${name} ok`, passed: true };
      onFailure(name, reason);
      return { line: `[-]${name} failed: reason withheld`, passed: false };
    }),
  );
  const passed = lines.every((one) => one.passed);
  const body = [...lines.map(({ line }) => line), passed ? "ok" : "failed", ""].join("\n");
  return new Response(request.method === "HEAD" ? null : body, {
    status: passed ? 200 : 503,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

async function failureOf(check: Check, request: Request): Promise<unknown> {
  try {
    const answer = await check(request);
    return answer === undefined || answer === true ? undefined : answer;
  } catch (error) {
    return error ?? "it threw nothing";
  }
}
