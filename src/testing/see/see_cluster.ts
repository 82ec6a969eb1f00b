import {
  isCount,
  isName,
  type OptionChecks,
  requireMethods,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import { type SeePage, serveSee, type ServeSeeOptions } from "@kubeloop/controller/internal/see";
import { serveHttp } from "@kubeloop/controller/serving";
import { ClusterSource, type SeenServer } from "./cluster_source.ts";

/** Options of {@linkcode seeCluster}. */
export interface SeeClusterOptions {
  /** The title of the page. Default `cluster`. */
  readonly title?: string | undefined;
  /** The address of the server, as the page shows it. Default: that it is in this process. */
  readonly address?: string | undefined;
  /** The port on 127.0.0.1; 0 picks a free one. Default 0. */
  readonly port?: number | undefined;
  /** The token that each request needs, of at least 16 characters. Default: a new random one. */
  readonly token?: string | undefined;
}

const CHECKS: OptionChecks<SeeClusterOptions> = {
  title: isName,
  address: isName,
  port: isCount(0),
  token: isName,
};

/**
 * Serves a page that shows what the clients of an API server do: on 127.0.0.1, with a token in its URL.
 *
 * @throws {Error} If the port cannot be listened on.
 * @throws {TypeError | RangeError} If an option is unknown or cannot be used.
 *
 * @example
 * ```ts
 * import { ApiServer } from "@kubeloop/testing";
 * import { seeCluster } from "@kubeloop/testing/see";
 * import { assertMatch } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using page = await seeCluster(server);
 * assertMatch(page.url, /^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
 * ```
 */
export async function seeCluster(
  server: SeenServer,
  options: SeeClusterOptions = {},
): Promise<SeePage> {
  requireMethods("the server of seeCluster()", server, "onRequest", "onWrite", "stores", "watches");
  requireOptions("seeCluster()", options, CHECKS);
  const { address, title, ...rest } = options;
  const source = new ClusterSource(server, { address, title });
  return await serveCluster(source, { ...rest, ...server.clientOptions });
}

/** Serves the page of a source, and stops it with the page. */
export async function serveCluster(
  source: ClusterSource,
  { clock, logger, port, token }: Omit<ServeSeeOptions, "serve">,
): Promise<SeePage> {
  try {
    const page = await serveSee(source, { serve: serveHttp, port, token, clock, logger });
    page.finished.then(() => source[Symbol.dispose]());
    return page;
  } catch (error) {
    source[Symbol.dispose]();
    throw error;
  }
}
