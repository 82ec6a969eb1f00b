import type { PlanView, ReportView, RunAgainView } from "../../mod.ts";

/** The process that has a report, and that can run its plans again. */
export interface ReportSource {
  report(): Promise<ReportView>;
  run(plan: PlanView): Promise<RunAgainView>;
}

/** Options of {@linkcode reportSource}. */
export interface ReportSourceOptions {
  /** The token of the printed URL. */
  readonly token: string;
  readonly send: (path: string, init: RequestInit) => Promise<Response>;
}

/** Returns the process that has served the page. */
export function reportSource({ send, token }: ReportSourceOptions): ReportSource {
  const request = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    let response: Response;
    try {
      response = await send(path, { ...init, headers, cache: "no-store" });
    } catch {
      throw new Error("The process does not answer.");
    }
    if (response.ok) return await response.json();
    const { error } = await response.json().catch(() => ({}));
    throw new Error(
      typeof error === "string"
        ? error
        : `The process has answered with the status ${response.status}.`,
    );
  };
  return {
    report: () => request("see/report"),
    run: (plan) =>
      request("see/run", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ plan }),
      }),
  };
}
