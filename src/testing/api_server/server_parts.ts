import { randomBytes } from "node:crypto";
import {
  forkRandom,
  type Random,
  randomInt,
  realClock,
  realRandom,
  requireFunctions,
  safeLogger,
} from "@kubeloop/controller/internal/base";
import { AccountTokens, Authenticator, Authorizer, KEY_BYTES, TokenKey } from "./access/mod.ts";
import type { ApiServerOptions } from "./api_server_options.ts";
import { fillStorage } from "./bootstrap/mod.ts";
import { Controllers } from "./controllers/mod.ts";
import { RequestPipeline, type ServerContext } from "./handlers/mod.ts";
import { FaultInjector, ResponseWriter } from "./http/mod.ts";
import { ResourceRegistry } from "./kinds/mod.ts";
import { lagOptionsOf, Lags } from "./lag/mod.ts";
import { LogStore } from "./logs/mod.ts";
import { METRICS_RESOURCES, ResourceMetrics } from "./metrics/mod.ts";
import { OpenStreams, requirePrograms } from "./programs/mod.ts";
import { DEFAULT_MINOR, isMinor, MINOR_VERSIONS, type Release, releaseOf } from "./release/mod.ts";
import { restoreState, type ServerState } from "./server_state.ts";
import { Draws, Storage, Turns, WatchRegistry } from "./storage/mod.ts";
import { AdmissionWebhooks, ObjectConverter, WebhookCaller } from "./webhooks/mod.ts";

const MIB = 1024 * 1024;

/** The parts of a server, connected and with the objects to start from. */
export interface ServerParts {
  readonly context: ServerContext;
  readonly controllers: Controllers;
  readonly caller: WebhookCaller;
  readonly writer: ResponseWriter;
  readonly pipeline: RequestPipeline;
  readonly faults: FaultInjector;
}

/**
 * Creates the parts of a server.
 *
 * @throws {SyntaxError} If the state cannot be read.
 * @throws {RangeError} If a limit or the minor version is invalid.
 */
export function createParts(options: ApiServerOptions): ServerParts {
  const { clock = realClock, random = realRandom } = options;
  const logger = safeLogger(options.logger);
  // A server that continues from a state must not generate the uids in it again.
  const own = forkRandom(random, `server from ${options.state?.resourceVersion ?? "1"}`);
  const turns = new Turns(clock, forkRandom(own, "turns"));
  const storage = new Storage({ clock, turns, logger }, {
    entries: atLeastOne("historyLimit", options.historyLimit, 10_000),
    bytes: atLeastOne("historyBytesLimit", options.historyBytesLimit, 100 * MIB),
  });
  const lags = new Lags(
    { clock, draws: new Draws(forkRandom(own, "lag")), logger, storage },
    lagOptionsOf(options.lag),
  );
  const logs = new LogStore({
    clock,
    storage,
    turns,
    maxBytes: atLeastOne("containerLogBytesLimit", options.containerLogBytesLimit, 10 * MIB),
  });
  requireFunctions({ webhooks: options.webhooks });
  const release = requireRelease(options);
  const registry = new ResourceRegistry(release);
  const authorizer = new Authorizer(storage, release);
  const metrics = new ResourceMetrics(() => registry.setAggregated(METRICS_RESOURCES));
  const handler = options.webhooks;
  const caller = new WebhookCaller({ clock, turns, logger, storage, handler });
  const converter = new ObjectConverter(caller, new Draws(forkRandom(own, "conversion webhooks")));
  const reviews = new Draws(forkRandom(own, "admission webhooks"));
  const accounts = new AccountTokens({
    storage,
    clock,
    ids: new Draws(forkRandom(own, "tokens")),
    newKey: () => new TokenKey(keySeed(options.random)),
  });
  const context: ServerContext = {
    clock,
    random: {
      uids: new Draws(forkRandom(own, "uids")),
      names: new Draws(forkRandom(own, "names")),
      timeouts: new Draws(forkRandom(own, "timeouts of watches")),
    },
    turns,
    logger,
    storage,
    lags,
    logs,
    registry,
    converter,
    programs: requirePrograms(options.programs),
    streams: new OpenStreams(),
    admission: new AdmissionWebhooks({
      logger,
      storage,
      registry,
      converter,
      caller,
      authorizer,
      draws: reviews,
    }),
    watches: new WatchRegistry(
      atLeastOne("watchBacklogBytesLimit", options.watchBacklogBytesLimit, 100 * MIB),
    ),
    accounts,
    authenticator: new Authenticator(options.tokens, accounts),
    authorizer,
    metrics,
    minRequestTimeoutMs: atLeastOne(
      "minRequestTimeoutMs",
      options.minRequestTimeoutMs,
      1_800_000,
    ),
    watchBacklogLimit: atLeastOne("watchBacklogLimit", options.watchBacklogLimit, 10_000),
    written: (resource, stored) => controllers.onWrite(resource, stored),
    remove: (resource, store, stored, author) => {
      const last = storage.remove(store, stored, resource.encodeStored, author);
      controllers.onWrite(resource, last);
      if (resource.subresource("log") !== undefined) logs.forget(last);
      return last;
    },
  };
  const controllers = new Controllers(context);
  const writer = new ResponseWriter(clock, forkRandom(own, "audit"));
  const pipeline = new RequestPipeline(context, writer);
  const faults = new FaultInjector(
    clock,
    writer,
    (callback) => turns.queue(callback, "1 fault"),
  );
  if (options.state === undefined) fillStorage(storage, registry, { clock, random: own });
  else {
    restoreState(options.state, storage, registry);
    controllers.resume();
    aggregateRoles(options.state, context, controllers);
  }
  return { context, controllers, caller, writer, pipeline, faults };
}

/** The states in which all aggregated roles are complete. A simulation starts thousands of servers from one state. */
const complete = new WeakSet<ServerState>();

/** Fills the rules of aggregated ClusterRoles, unless an earlier server found them complete in this state. */
function aggregateRoles(
  state: ServerState,
  { storage }: ServerContext,
  controllers: Controllers,
): void {
  if (complete.has(state)) return;
  const before = storage.revision;
  controllers.aggregateRoles();
  if (storage.revision === before && Object.isFrozen(state.objects)) complete.add(state);
}

/**
 * Returns the seed of the key that signs the tokens of service accounts. A server that continues from a state with the
 * same random source takes the tokens that were issued before.
 */
function keySeed(random: Random | undefined): Uint8Array {
  // The output of Math.random() can be computed from public UIDs.
  if (random === undefined) return randomBytes(KEY_BYTES);
  const source = forkRandom(random, "key of service account tokens");
  return Uint8Array.from({ length: KEY_BYTES }, () => randomInt(source, 256));
}

function requireRelease(
  { kubernetes: version = DEFAULT_MINOR, featureGates }: ApiServerOptions,
): Release {
  if (isMinor(version)) return releaseOf(version, featureGates);
  const known = MINOR_VERSIONS.map((minor) => `"${minor}"`).join(", ");
  throw new RangeError(
    `Cannot start an API server: "kubernetes" is ${
      JSON.stringify(version)
    }, must be one of ${known}`,
  );
}

function atLeastOne(name: string, value: number | undefined, standard: number): number {
  const limit = value ?? standard;
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new RangeError(
    `Cannot start an API server: "${name}" is ${limit}, must be a whole number of at least 1`,
  );
}
