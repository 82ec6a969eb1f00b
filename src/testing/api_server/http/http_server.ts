import { onAbort } from "@kubeloop/controller/internal/base";
import {
  listen as listenOn,
  type ListenLimits,
  type RequestHead,
  UnreadableRequest,
} from "@kubeloop/controller/serving";
import { ApiError, badRequest, failure, methodNotAllowed } from "../../values/mod.ts";
import { acceptWebSocket } from "./accept_web_socket.ts";
import { AcceptedHosts } from "./accepted_hosts.ts";
import { urlOf } from "./request_head.ts";
import type { Responder, ServedApi, ServeOptions } from "./serve_types.ts";

/** The time, in milliseconds, that open responses have to end before their connections are cut. */
const CLOSE_GRACE_MS = 500;

/**
 * Serves an API server on a socket.
 *
 * @throws {RangeError} If a host to accept is not a host name or an IP address.
 */
export async function listen(
  responder: Responder,
  options: ServeOptions,
  limits: Partial<ListenLimits> = {},
): Promise<ServedApi> {
  const { port = 0, hostname = "127.0.0.1", signal, tls, acceptHosts } = options;
  const { upgrade } = responder;
  const listening = await listenOn((address, scheme) => {
    const hosts = new AcceptedHosts([hostname, address], acceptHosts);
    return {
      urlOf: (head: RequestHead) => urlOf(head, scheme, hosts),
      answer: responder.answer,
      upgrade: upgrade && (async (request) => {
        const answer = await upgrade(request);
        return answer instanceof Response ? answer : await acceptWebSocket(request, answer);
      }),
      refuse: (error) => responder.refuse(toApiError(error)),
    };
  }, { port, hostname, tls, limits });
  const release = onAbort(signal, () => listening.cut());
  return {
    url: listening.url,
    port: listening.port,
    finished: listening.finished.finally(release),
    close: () => listening.close(CLOSE_GRACE_MS),
  };
}

function toApiError(error: unknown): ApiError {
  if (ApiError.is(error)) return error;
  if (error instanceof UnreadableRequest) {
    const { code, message } = error;
    if (code === 405) return methodNotAllowed();
    if (code === 408) return failure(408, message, { reason: "Timeout" });
    if (code !== 400) return failure(code, message);
  }
  return badRequest(error instanceof Error ? error.message : String(error));
}
