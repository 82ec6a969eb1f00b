import type { Upgraded } from "../transport/mod.ts";
import { type Middleware, type MiddlewareRequest, throughMiddleware } from "./middleware.ts";

/** The response of an open WebSocket for middleware: status 101, without a body. */
class UpgradedResponse extends Response {
  readonly upgraded: Upgraded;

  constructor(upgraded: Upgraded) {
    super(null, { headers: { "sec-websocket-protocol": upgraded.protocol } });
    this.upgraded = upgraded;
  }

  // The constructor of Response does not take 101.
  override get status(): number {
    return 101;
  }

  override get ok(): boolean {
    return false;
  }
}

/**
 * Asks for a WebSocket through all middleware, the first one first. A connection whose response is not returned is
 * closed.
 *
 * @throws What `throughMiddleware` throws.
 */
export async function upgradeThrough(
  middleware: readonly Middleware[],
  request: MiddlewareRequest,
  open: (request: MiddlewareRequest) => Promise<Response | Upgraded>,
): Promise<Response | Upgraded> {
  const opened = new Set<Upgraded>();
  let isOver = false;
  let returned: Response | Upgraded | undefined;
  try {
    const response = await throughMiddleware(middleware, request, async (passed) => {
      const answer = await open(passed);
      if (!("socket" in answer)) return answer;
      if (isOver) close(answer);
      else opened.add(answer);
      return new UpgradedResponse(answer);
    });
    returned = response instanceof UpgradedResponse ? response.upgraded : response;
    return returned;
  } finally {
    isOver = true;
    for (const one of opened) if (one !== returned) close(one);
  }
}

function close({ socket }: Upgraded): void {
  socket.destroy(new Error("A middleware did not return the response of this connection"));
}
