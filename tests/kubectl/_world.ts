import { Client, type Fetch } from "@kubeloop/controller/client";
import { diffAll } from "@kubeloop/kubectl";
import { ApiServer, type ApiServerOptions, VirtualClock } from "@kubeloop/testing";

/** The namespace of the objects. */
export const namespace = "default";

/** A server, and a client whose requests a test may answer itself. */
export class World implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer;
  readonly client: Client;
  /** The methods and paths of the requests. */
  readonly requests: string[] = [];
  /** Answers a request, or leaves it to the server. */
  answer: (line: string, request: Request) => Response | undefined = () => undefined;
  /** The largest number of requests at the same time. */
  mostAtOnce = 0;
  #atOnce = 0;

  constructor(options: ApiServerOptions = {}) {
    this.server = new ApiServer({ clock: this.clock, ...options });
    const fetch: Fetch = async (request) => {
      const line = `${request.method} ${new URL(request.url).pathname}`;
      this.requests.push(line);
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
      try {
        return this.answer(line, request) ?? await this.server.fetch(request);
      } finally {
        this.#atOnce--;
      }
    };
    this.client = new Client({ ...this.server.clientOptions, fetch });
  }

  /** Lets time pass until the promise has settled. */
  run<T>(promise: Promise<T>): Promise<T> {
    return this.clock.run(promise);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

/** Returns an answer with a Status. */
export function refusal(code: number, reason: string, message: string, headers = {}): Response {
  return Response.json({ kind: "Status", code, reason, message }, { status: code, headers });
}

// The parser of YAML is loaded when it is first needed, and a virtual clock does not wait for that.
{
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  await diffAll(client, "\n");
}
