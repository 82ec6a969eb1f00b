import { delay, describeError, silentLogger } from "@kubeloop/controller/internal/base";
import { ApiServer, type KubernetesMinor, type ServerState } from "../../api_server/mod.ts";
import { SeededRandom } from "../../seeded_random.ts";
import { Cluster } from "./cluster.ts";
import type { Stage } from "./operators.ts";
import { isMachinery, Recording, type RunOfVersion } from "./recording.ts";

/** The longest time between two looks at what the operator does, in milliseconds. */
const SLICE_MS = 10_000;
/** The number of requests within ten minutes, and for each object of the world, after which a run is over. */
const MAX_REQUESTS = 5000;
const MAX_REQUESTS_PER_OBJECT = 20;
const WINDOW_MS = 600_000;

/** The limits of one run. */
export interface PerformOptions {
  /** The longest time, in milliseconds. */
  readonly forMs: number;
  /** The time without a write after which it is over, in milliseconds; undefined for the whole time. */
  readonly quietMs: number | undefined;
  readonly kubernetes: KubernetesMinor | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Runs one version of an operator on a server that starts from `state`. Rejects with the reason of an aborted signal. */
export async function perform(
  stage: Stage,
  state: ServerState,
  { forMs, kubernetes, quietMs = Infinity, signal }: PerformOptions,
): Promise<RunOfVersion> {
  const { clock } = stage;
  const start = withoutMachinery(state);
  const server = new ApiServer({
    clock,
    random: new SeededRandom(1),
    logger: silentLogger,
    state: start,
    kubernetes,
  });
  const recording = new Recording(server, clock);
  const cluster = new Cluster(server, start, clock);
  const startMs = clock.now();
  const operator = await stage.start(server);
  const problems: string[] = [];
  const requestsAtOnce = MAX_REQUESTS + MAX_REQUESTS_PER_OBJECT * start.objects.length;
  let isCut = false;
  try {
    while (!operator.hasEnded) {
      const ranMs = clock.now() - startMs;
      if (recording.total > requestsAtOnce * (1 + ranMs / WINDOW_MS)) {
        const seconds = Math.round(ranMs / 1000);
        isCut = true;
        problems.push(`it sends ${recording.total} requests within ${seconds} s`);
        break;
      }
      // A program may need its time to start: it is quiet only once it has said something.
      const quietEndMs = recording.requests.size === 0 ? Infinity : recording.changedMs + quietMs;
      const leftMs = Math.min(quietEndMs, startMs + forMs) - clock.now();
      if (leftMs <= 0) break;
      await stage.run(delay(Math.min(leftMs, quietMs / 10, SLICE_MS), { clock, signal }));
    }
  } catch (error) {
    signal?.throwIfAborted();
    // The clock has found a loop that takes no time.
    isCut = true;
    problems.push(`it never rests: ${describeError(error)}`);
  } finally {
    problems.push(...await operator.end());
    cluster.end();
    if (signal?.aborted === true) await server.close();
  }
  const { refused, requests, writes } = recording;
  await recording.done();
  const end = server.state();
  await server.close();
  return {
    writes,
    requests,
    refused,
    problems,
    state: end,
    isBusy: !isCut && clock.now() - recording.changedMs < Math.min(quietMs, forMs / 2),
    lastedMs: clock.now() - startMs,
  };
}

/** Returns a state without Leases: the earlier holder of one would keep the next version from its work. */
function withoutMachinery({ objects, resourceVersion }: ServerState): ServerState {
  const kept = objects.filter(({ resource }) => !isMachinery(resource));
  return Object.freeze({ resourceVersion, objects: Object.freeze(kept) });
}
