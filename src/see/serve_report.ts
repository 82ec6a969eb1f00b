import { isRecord, safeLogger } from "../base/mod.ts";
import { Refusal } from "./admission.ts";
import { answerJson, GuardedPage, jsonOf, requireMethod } from "./guarded_page.ts";
import type { PlanView, ReportView, RunAgainView } from "./report_model.ts";
import { type SeePage, servePage, type ServeSeeOptions } from "./serve_see.ts";

/** The maximum length of a plan, in bytes. */
const MAX_PLAN_BYTES = 65_536;

/** A report whose plans can be run again. */
export interface ReportSource {
  readonly report: ReportView;
  /** Runs a plan again. It may throw, a SyntaxError if it is not a plan; the page shows the message. */
  run(plan: PlanView): Promise<RunAgainView>;
}

/**
 * Serves the page of a report on the loopback interface. It runs one plan at a time.
 *
 * @throws {Error} If the port cannot be listened on.
 */
export async function serveReport(
  source: ReportSource,
  options: Omit<ServeSeeOptions, "clock">,
): Promise<SeePage> {
  const logger = safeLogger(options.logger);
  return await servePage(options, (token) => {
    const handler = new ReportHandler(source);
    const route = (request: Request, url: URL) => handler.route(request, url);
    const { answer } = new GuardedPage({ data: { mode: "report" }, token, logger, route });
    return { answer, close() {} };
  });
}

class ReportHandler {
  readonly #source: ReportSource;
  #isRunning = false;

  constructor(source: ReportSource) {
    this.#source = source;
  }

  async route(request: Request, { pathname }: URL): Promise<Response> {
    switch (pathname) {
      case "/see/report":
        requireMethod(request, "GET");
        return answerJson(this.#source.report);
      case "/see/run":
        requireMethod(request, "POST");
        return answerJson(await this.#run(await jsonOf(request, MAX_PLAN_BYTES)));
      default:
        throw new Refusal(404, "There is nothing at this path");
    }
  }

  async #run(body: unknown): Promise<RunAgainView> {
    const plan = isRecord(body) ? body["plan"] : undefined;
    if (!isRecord(plan)) throw new Refusal(400, "The body must have a plan: { plan: { … } }");
    if (this.#isRunning) {
      throw new Refusal(429, "Another plan is running: wait for its result, and try again");
    }
    this.#isRunning = true;
    try {
      return await this.#source.run(plan as unknown as PlanView);
    } catch (error) {
      throw error instanceof SyntaxError ? new Refusal(400, error.message) : error;
    } finally {
      this.#isRunning = false;
    }
  }
}
