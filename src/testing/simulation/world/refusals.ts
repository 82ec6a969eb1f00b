/** The answers of a server that refuses a request. */
const REASONS: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  504: "Timeout",
};

/** Returns the refusal of a request. */
export function refusal(code: number, message = `Injected failure ${code}`): Response {
  const details = code === 429 ? { retryAfterSeconds: 1 } : undefined;
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: REASONS[code],
    ...(details && { details }),
    code,
  };
  return new Response(JSON.stringify(status), {
    status: code,
    headers: {
      "content-type": "application/json",
      ...(code === 429 && { "retry-after": "1" }),
    },
  });
}

/** Returns the answer of a server that does not serve a path. */
export function notServed(): Response {
  return new Response("404 page not found\n", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** Returns the answer of a server that cannot convert the objects of a resource. */
export function notConverted(resource: string): Response {
  return refusal(
    500,
    `conversion webhook for ${resource} failed: Post "https://webhook.default.svc:443/convert?timeout=30s": ${REFUSED}`,
  );
}

/** Returns the error of a connection that breaks. */
export function brokenConnection(code: "ECONNRESET" | "ECONNREFUSED"): TypeError {
  const text = code === "ECONNRESET" ? "Connection reset" : "Connection refused";
  const cause = Object.assign(new Error(`${text} by an injected fault`), { code });
  return new TypeError("Failed to fetch", { cause });
}

const REFUSED = "dial tcp 10.96.0.9:443: connect: connection refused";

/** The text with which a server refuses a write whose webhook does not answer. */
export const WEBHOOK_IS_DOWN: string =
  `Internal error occurred: failed calling webhook "admission.example.com": failed to call webhook: Post "https://webhook.default.svc:443/admit?timeout=10s": ${REFUSED}`;
