import type { Listening, ListenOptions, Service } from "./service.ts";

/**
 * Listens on a socket, for a server that decides itself what it accepts. Most programs want `serveHttp`.
 *
 * @param serviceAt Returns the service, given the IP address and the scheme that it is served at.
 * @param options The address, TLS and limits.
 * @throws {Error} If the port cannot be listened on, or the certificate and the key cannot be used.
 * @internal
 */
export async function listen(
  serviceAt: (address: string, scheme: "http" | "https") => Service,
  options: ListenOptions,
): Promise<Listening> {
  // Programs without a socket do not load node:http.
  const { listen } = await import("./listen.ts");
  return await listen(serviceAt, options);
}
