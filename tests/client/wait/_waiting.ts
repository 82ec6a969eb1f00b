import { Client, type Fetch } from "@kubeloop/controller/client";
import { Deployments, type Stored } from "@kubeloop/controller/types";
import type { Deployment } from "@kubeloop/controller/types";
import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
import { RecordingLogger } from "../../support/recording_logger.ts";

/** The namespace of the objects. */
export const namespace = "default";

/** A server, and a client that records the times of its lists and watches. */
export class Waiting implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer;
  readonly client: Client;
  readonly logger: RecordingLogger = new RecordingLogger();
  /** The requests of waits: the time in milliseconds, and `list` or `watch` with its resource version. */
  readonly requests: (readonly [number, string])[] = [];

  constructor() {
    this.server = new ApiServer({ clock: this.clock });
    const fetch: Fetch = (request) => {
      const query = new URL(request.url).searchParams;
      if (query.get("fieldSelector") !== null) {
        const version = query.get("resourceVersion");
        const verb = query.get("watch") === "true" ? `watch from ${version}` : "list";
        this.requests.push([this.clock.now(), verb]);
      }
      return this.server.fetch(request);
    };
    this.client = new Client({
      ...this.server.clientOptions,
      fetch,
      random: new SeededRandom(1),
      logger: this.logger,
    });
  }

  /** The verbs of the requests of waits. */
  get verbs(): string[] {
    return this.requests.map(([, verb]) => verb.split(" ")[0] as string);
  }

  /** Creates the Deployment `web`, which wants three replicas. */
  async deployment(status?: Deployment["status"]): Promise<Stored<Deployment>> {
    const created = await this.clock.run(this.client.create(Deployments, {
      metadata: { name: "web", namespace },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "main", image: "nginx" }] },
        },
      },
    }));
    return status === undefined ? created : await this.status(status);
  }

  /** Writes the status of the Deployment `web`. */
  status(status: Deployment["status"]): Promise<Stored<Deployment>> {
    return this.clock.run(
      this.client.patchStatus(Deployments, "web", { status: status ?? {} }, { namespace }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

/** The status of a Deployment of three replicas that is rolled out. */
export const ROLLED_OUT: NonNullable<Deployment["status"]> = {
  observedGeneration: 1,
  replicas: 3,
  updatedReplicas: 3,
  readyReplicas: 3,
  availableReplicas: 3,
};
