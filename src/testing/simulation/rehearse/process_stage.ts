import { Client } from "@kubeloop/controller/client";
import type { ApiServer } from "../../api_server/mod.ts";
import { SeededRandom } from "../../seeded_random.ts";
import { VirtualClock } from "../../virtual_clock.ts";
import { Verdict } from "../judge/mod.ts";
import { FaultBook } from "../plans/mod.ts";
import { History } from "../record/mod.ts";
import {
  atItsTime,
  guardRuntime,
  type Life,
  livingBody,
  type Process,
  Processes,
} from "../world/mod.ts";
import type { RunningOperator, Stage } from "./operators.ts";

const NAME = "operator";

/** Returns the stage of a process of a simulation: its time is virtual, and it does the same each time. */
export function processStage(process: Process, wallStartMs: number): Stage {
  const clock = new VirtualClock({ wallStartMs });
  const random = new SeededRandom(1);
  return {
    clock,
    run: (work) => clock.run(work),
    start: (server) => Promise.resolve(startProcess(process, server, clock, random)),
  };
}

function startProcess(
  process: Process,
  server: ApiServer,
  clock: VirtualClock,
  random: SeededRandom,
): RunningOperator {
  const history = new History(() => clock.now(), false);
  const verdict = new Verdict(history, () => clock.now());
  const problems = new Set<string>();
  const processes = new Processes<undefined>({
    clock,
    history,
    book: new FaultBook([], history, () => clock.now()),
    verdict,
    failed: (why) => problems.add(`it fails: ${why}`),
    ambient: (_name, life) => ({
      works: (work) => atItsTime(work, clock, life.clock),
      used: ({ instead, what, where }) =>
        problems.add(`it uses ${what} at ${where}: use ${instead}`),
    }),
    environment: (life, { identity, logger }) => ({
      client: new Client({
        fetch: fetchOf(server, life),
        clock: life.clock,
        random: random.fork(`${identity} client`),
        logger,
        userAgent: NAME,
        freezeObjects: true,
      }),
      random: random.fork(identity),
      cloud: undefined,
    }),
  });
  const unguard = guardRuntime();
  processes.add(NAME, process);
  return {
    hasEnded: false,
    end: () => {
      processes.end();
      unguard();
      return Promise.resolve([...problems]);
    },
  };
}

/** Returns the `fetch` of one life of a process, which gets no answer once that has ended. */
function fetchOf(server: ApiServer, life: Life): (request: Request) => Promise<Response> {
  return async (request) => {
    const end = life.begin();
    try {
      await life.deliver(undefined);
      const response = await server.fetch(request);
      await life.deliver(undefined);
      if (response.body === null) return response;
      const { headers, status } = response;
      const body = livingBody(response.body, life, { seen() {}, onCut: () => () => {} });
      return new Response(body, { headers, status });
    } catch (error) {
      return await life.fail(error);
    } finally {
      end();
    }
  };
}
