import { onAbort } from "../../src/base/mod.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

/**
 * The answer of a webhook to the request of a review: fields of the review's response, or a whole Response. Undefined for
 * no answer at all, until the server gives up.
 *
 * @param call The number of earlier calls of this webhook.
 */
export type Script = (request: Loose, call: number) => object | Response | undefined;

/** The scripts of the webhooks of a scenario, by path. */
export type Scripts = Readonly<Record<string, Script>>;

/** The headers of a call that are compared. */
const COMPARED_HEADERS = ["accept", "content-type", "user-agent"];

/** A call, as results show it: the target with the headers, and the review. */
interface Received {
  readonly target: string;
  readonly review: string;
}

/** Webhooks with scripted answers, which record the reviews that they receive. */
export class ScriptedWebhooks {
  readonly #scripts: Scripts;
  readonly #calls = new Map<string, number>();
  #received: Received[] = [];

  /** Answers by `scripts`. */
  constructor(scripts: Scripts) {
    this.#scripts = scripts;
  }

  /** Answers a call. */
  async handle(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(1);
    const text = await request.text();
    const review = JSON.parse(text);
    // Watch caches of a real server convert objects too, whenever they get to know them.
    if (review.kind === "AdmissionReview") {
      const headers = COMPARED_HEADERS.map((name) => request.headers.get(name) ?? "");
      const target = [`review ${path}${search}`, ...headers].join("; ");
      this.#received.push({ target, review: text.trim() });
    }
    const call = this.#calls.get(path) ?? 0;
    this.#calls.set(path, call + 1);
    const script = this.#scripts[path];
    if (script === undefined) return new Response(`no script for ${path}`, { status: 404 });
    const answer = script(review.request, call);
    if (answer instanceof Response) return answer;
    if (answer === undefined) return await aborted(request.signal);
    const { apiVersion, kind, request: { uid } } = review;
    return Response.json({ apiVersion, kind, response: { uid, ...answer } });
  }

  /**
   * Returns the calls since the last time, two lines each. Validating webhooks are called at the same time, so in any
   * order. A review of a deletion that repeats an earlier one is left out: a real server asks again if its watch cache
   * lags, which is a matter of chance.
   */
  take(): string[] {
    const isValidating = ({ target }: Received) => target.startsWith("review validating/");
    const sorted: Received[] = [];
    const deletions = new Set<string>();
    for (const one of this.#received) {
      if (one.review.includes('"operation":"DELETE"')) {
        const call = `${one.target} ${one.review.replace(/"uid":"[^"]*"/, "")}`;
        if (deletions.has(call)) continue;
        deletions.add(call);
      }
      let at = sorted.length;
      while (
        isValidating(one) && at > 0 && isValidating(sorted[at - 1]!) &&
        sorted[at - 1]!.target > one.target
      ) at--;
      sorted.splice(at, 0, one);
    }
    this.#received = [];
    return sorted.flatMap(({ target, review }) => [target, review]);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => void onAbort(signal, reject));
}
