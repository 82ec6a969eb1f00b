import { type Clock, describeError, type Logger } from "../../base/mod.ts";
import { metricsHandler, type PrometheusRegistry } from "../../metrics/mod.ts";
import type { RequestGuard } from "../../rights/mod.ts";
import { debugReconciles, type StoryBook } from "../stories/mod.ts";
import type { WebhookServer } from "../../webhooks/mod.ts";
import { answerProbe, type Checks } from "./checks.ts";

/** Options of {@linkcode Endpoints}. */
export interface EndpointsOptions {
  /** The name of the manager in log lines. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: PrometheusRegistry;
  readonly stories: StoryBook;
  readonly webhooks: WebhookServer | undefined;
  /** Returns the public notes of checks, by their names. */
  readonly notes: () => Readonly<Record<string, string>>;
  /** Admits requests of metrics and debug pages; undefined for all. */
  readonly guard: RequestGuard | undefined;
  readonly healthChecks: Checks;
  readonly readyChecks: Checks;
}

/** The HTTP endpoints of a manager. */
export class Endpoints {
  readonly #options: EndpointsOptions;
  readonly #handlers: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;

  constructor(options: EndpointsOptions) {
    const { guard, metrics, stories, healthChecks, readyChecks } = options;
    const guarded = (handler: (request: Request) => Response) => async (request: Request) =>
      await guard?.refuse(request) ?? handler(request);
    this.#options = options;
    this.#handlers = {
      "/healthz": (request) => this.#probe(request, healthChecks),
      "/readyz": (request) => this.#probe(request, readyChecks),
      "/metrics": guarded(metricsHandler(metrics)),
      "/debug/reconciles": guarded(debugReconciles(stories)),
    };
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const handler = Object.hasOwn(this.#handlers, pathname) ? this.#handlers[pathname] : undefined;
    if (handler !== undefined) return await handler(request);
    const { webhooks } = this.#options;
    if (webhooks?.paths.includes(pathname)) return await webhooks.handler(request);
    return new Response("Not found\n", { status: 404 });
  }

  #probe(request: Request, checks: Checks): Promise<Response> {
    const { clock, logger, name, notes } = this.#options;
    return answerProbe(request, checks, {
      clock,
      notes: notes(),
      onFailure: (check, reason) => {
        logger.debug(`${name}: the check "${check}" failed: ${describeError(reason)}`);
      },
    });
  }
}
