/** Returns the answer of a server that refuses. */
export function refusal(
  code: number,
  { reason, message = "not now", headers = {}, details }: {
    readonly reason: string;
    readonly message?: string | undefined;
    readonly headers?: Record<string, string> | undefined;
    readonly details?: unknown;
  },
): Response {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
  return Response.json({ ...status, message, reason, code, details }, { status: code, headers });
}
