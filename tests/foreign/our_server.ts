/**
 * Our API server on loopback.
 *
 * @module
 */

import { silentLogger } from "../../src/base/mod.ts";
import { servingCertificate } from "../../src/testing/serve/serving_certificate.ts";
import { ADMIN_TOKEN, NOBODY_TOKEN } from "../e2e/cluster.ts";
import { ApiServer } from "../../src/testing/api_server/mod.ts";

const USERS = {
  [ADMIN_TOKEN]: { user: "e2e-admin", uid: "1", groups: ["system:masters"] },
  [NOBODY_TOKEN]: { user: "e2e-nobody", uid: "2" },
};

/** A served ApiServer and a kubeconfig for it. */
export class OurServer implements AsyncDisposable {
  readonly server: ApiServer;
  readonly url: string;
  /** The path of a kubeconfig file of the administrator. */
  readonly kubeconfig: string;

  private constructor(server: ApiServer, url: string, kubeconfig: string) {
    this.server = server;
    this.url = url;
    this.kubeconfig = kubeconfig;
  }

  /** Starts the server on a free port. With TLS it has the users of the real one; kubectl sends tokens only then. */
  static async start({ tls = false }: { tls?: boolean } = {}): Promise<OurServer> {
    const server = new ApiServer({
      logger: silentLogger,
      ...(tls ? { tokens: USERS } : {}),
    });
    const certificate = tls ? await servingCertificate(["127.0.0.1"], Date.now()) : undefined;
    const { url } = await server.serve(certificate === undefined ? {} : { tls: certificate });
    const kubeconfig = await Deno.makeTempFile({ prefix: "kubeloop-foreign-" });
    await Deno.writeTextFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "ours",
        clusters: [{
          name: "ours",
          cluster: {
            server: url,
            ...(certificate === undefined
              ? {}
              : { "certificate-authority-data": btoa(certificate.authority) }),
          },
        }],
        users: [{ name: "ours", user: tls ? { token: ADMIN_TOKEN } : {} }],
        contexts: [{
          name: "ours",
          context: { cluster: "ours", user: "ours", namespace: "default" },
        }],
      }),
    );
    return new OurServer(server, url, kubeconfig);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await Deno.remove(this.kubeconfig);
  }
}
