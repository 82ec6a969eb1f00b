import type { Random } from "@kubeloop/controller/base";
import type { FaultInjector, FaultRequest } from "../api_server/mod.ts";

/** Some requests that fail on purpose. */
export interface FaultSpec {
  /** The HTTP method; empty for every method. */
  readonly method: string;
  /** The path, in which `*` stands for any characters. */
  readonly path: string;
  /** The status code of the answer. */
  readonly code: number;
  /** Which share of the requests fails, from 0 to 1. */
  readonly share: number;
}

const SPEC = /^(?:([A-Z]+) )?(\/\S*?):([45][0-9]{2})(?::([0-9]{1,3}(?:\.[0-9]+)?)%)?$/;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Reads `[METHOD ]PATH:CODE[:PERCENT%]`, as in `GET /api/v1/pods:503:10%`.
 *
 * @throws {SyntaxError} When `text` is not of that form.
 */
export function parseFaultSpec(text: string): FaultSpec {
  const match = SPEC.exec(text);
  const [, method = "", path = "", code = "", percent = "100"] = match ?? [];
  if (match === null || (method !== "" && !METHODS.has(method)) || Number(percent) > 100) {
    throw new SyntaxError(
      `Cannot read the fault ${
        JSON.stringify(text)
      }: expected [METHOD ]PATH:CODE[:PERCENT%], as in "GET /api/v1/pods:503:10%"`,
    );
  }
  return { method, path, code: Number(code), share: Number(percent) / 100 };
}

/** Sets the fault; what happens by chance is drawn from `random`. */
export function setFault(spec: FaultSpec, faults: FaultInjector, random: Random): void {
  const path = pathPattern(spec.path);
  const when = ({ method, url }: FaultRequest) =>
    (spec.method === "" || spec.method === method) && path.test(url.pathname) &&
    (spec.share === 1 || random.next() < spec.share);
  if (spec.code === 429) faults.throttle(1, { when });
  else faults.fail(spec.code, { when });
}

function pathPattern(path: string): RegExp {
  const parts = path.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}
