import { Client } from "@kubeloop/controller/client";
import { silentLogger } from "@kubeloop/controller/internal/base";
import { type KubeObject, type Resource, StatusError } from "@kubeloop/controller/types";
import { ApiServer, type ServerState } from "../../api_server/mod.ts";
import { SeededRandom } from "../../seeded_random.ts";
import { VirtualClock } from "../../virtual_clock.ts";
import { callOf, type PropertyChange, setWishes, type Step, withChanges } from "../plans/mod.ts";
import { schemaOf } from "./campaign.ts";
import { changesOf } from "./changes_of.ts";

/** The changes of a campaign, and the object that they change. */
export interface Changes {
  /** The object before the changes, as a user created it. */
  readonly object: KubeObject;
  /** The changes that a server accepts, and whose restoration it accepts. */
  readonly accepted: readonly (readonly PropertyChange[])[];
}

/**
 * Returns the changes of a campaign that a server accepts, by trying them out.
 *
 * @param steps The steps of the workload up to that of the campaign, which is the last one.
 * @throws {RangeError} If the kind has no schema, or the server refuses the object before its changes.
 */
export async function acceptedChanges(
  state: ServerState,
  steps: readonly Step<never>[],
): Promise<Changes> {
  const clock = new VirtualClock();
  const random = new SeededRandom(1).fork("campaign");
  const server = new ApiServer({ clock, random, logger: silentLogger, state });
  const client = new Client({ ...server.clientOptions, userAgent: "user" });
  try {
    return await clock.run(tryOut(server, client, steps));
  } finally {
    await client.close();
    await server.close();
  }
}

async function tryOut(
  server: ApiServer,
  client: Client,
  steps: readonly Step<never>[],
): Promise<Changes> {
  const { campaign, target } = steps.at(-1)!;
  const { name, namespace } = target!;
  const resource = target!.resource as Resource;
  const schema = schemaOf(server, resource);
  await prepare(steps, { client, server });
  const object = server.get(resource, name, namespace);
  if (object === undefined) {
    throw new RangeError(`A campaign changes ${name}, but no step before it creates that object`);
  }
  const accepted: (readonly PropertyChange[])[] = [];
  const generation = () => server.get(resource, name, namespace)?.metadata.generation;
  for (const set of changesOf(schema, object as never, campaign!)) {
    const before = generation();
    if (!await isDone(setWishes(client, target!, withChanges(object as never, set)))) continue;
    // A default may have made the same of it again.
    const isChanged = generation() !== before;
    if (await isDone(setWishes(client, target!, object as never))) {
      if (isChanged) accepted.push(set);
      continue;
    }
    // A rule allows the change and not its restoration, so that the object must be made anew.
    await client.delete(resource, name, callOf(target!));
    await prepare(steps, { client, server });
  }
  return { object, accepted };
}

/** Carries out the writes of a workload, without the mistakes of its users. */
async function prepare(
  steps: readonly Step<never>[],
  scene: { readonly client: Client; readonly server: ApiServer },
): Promise<void> {
  for (const { isBad, kind, run, text } of steps) {
    if (kind !== "write" || isBad) continue;
    try {
      await run!(scene as never);
    } catch (error) {
      if (!StatusError.is(error)) throw error;
      throw new RangeError(
        `A campaign cannot begin, because its step [${text}] fails: ${error.message}. Give it an object that fits the schema`,
        { cause: error },
      );
    }
  }
}

async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (StatusError.is(error)) return false;
    throw error;
  }
}
