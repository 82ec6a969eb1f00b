import { storiesText, type Story } from "@kubeloop/controller/operator";
import {
  connected,
  type Connection,
  CONNECTION_FLAGS,
  hostLogger,
  REQUEST_TIMEOUT_MS,
} from "./connect.ts";
import { UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { jsonText } from "./object_writer.ts";
import { namespaceFor, resourceOf } from "./targets.ts";
import { COLOR_FLAG, painter } from "./terminal/mod.ts";
import {
  gather,
  managerPlace,
  readManager,
  reportOf,
  reportText,
  storiesAbout,
} from "./why/mod.ts";

const FLAGS = {
  manager: {
    short: "m",
    value: "WHERE",
    help: "a running Manager: its URL, or deploy/NAME, or a Pod",
  },
  controller: { value: "NAME", help: "of the manager, only this controller" },
  key: { value: "KEY", help: "of the manager, only the reconciles of this key" },
  limit: { value: "N", help: "the most reconciles, the last ones; default 20" },
  output: { short: "o", value: "FORM", values: ["json"], help: "the form; default is text" },
  ...COLOR_FLAG,
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop why RESOURCE/NAME [FIELD] [--manager WHERE]
       kubeloop why --manager WHERE [--controller NAME] [--key KEY]

Of an object, it prints why the object is as it is: its owners; what it waits for (conditions, containers, a
roll-out, finalizers); who has written which fields and when, with the fields that several have written; and its
last Events. With FIELD, as in spec.replicas, it prints who has written that field.

Of a manager, it prints why its controllers have reconciled: the causes of each reconcile, what it wrote, and how it
ended. With both, it prints the reconciles that have written the object, or were caused by it.

WHERE is http://HOST:PORT, or [[NAMESPACE/]RESOURCE/]NAME[:PORT], which is read through the API server (the right to
get pods/proxy is needed), from a Pod or from all Pods of a Deployment. The port is 8080 by default. A manager with
protectEndpoints is read at its https address, with --token-file and --certificate-authority: the API server passes no
token on.

  kubeloop why pods/web-1
  kubeloop why deploy/web spec.replicas
  kubeloop why widgets/blue --manager operators/deploy/widget-operator
  kubeloop why --manager http://127.0.0.1:8080 --controller widgets
`;

/** `kubeloop why`. */
export const WHY: Command = { usage: USAGE, flags: FLAGS, takes: "resources", run: why };

async function why(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "why");
  const limit = Number(flags.text("limit") ?? "20");
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    throw new UsageError("--limit takes a number from 1 to 10000");
  }
  const [about, field, ...more] = flags.rest;
  if (more.length > 0) throw new UsageError("why takes one object and one field");
  if (about === undefined) return await whyReconciled(flags, host, limit);
  if (!/^[^/]+\/[^/]+$/.test(about)) {
    throw new UsageError("why takes RESOURCE/NAME, as in kubeloop why pods/web");
  }
  await connected(flags, host, async (connection) => {
    const { client } = connection;
    const { signal } = host;
    const [type = "", name = ""] = about.split("/");
    const resource = await resourceOf(type, client, host);
    const namespace = namespaceFor(resource, connection, false);
    const found = await gather(client, resource, name, {
      namespace,
      signal,
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    for (const problem of found.problems) host.warn(`note: ${problem}`);
    const stories = flags.has("manager")
      ? storiesAbout(await readStories(flags, host, connection), resource, found.object)
      : [];
    const report = reportOf({
      ...found,
      field,
      stories: stories.slice(-limit),
      wallMs: host.clock.wallNow(),
    });
    if (field !== undefined && report.writers.length === 0) {
      host.warn(`note: no field manager has written ${field}: it may be a default of the server`);
    }
    if (flags.has("output")) return await host.printData(`${jsonText(report, 2)}\n`);
    const paint = painter(flags.text("color"), host);
    await host.print(reportText(report, host.clock.wallNow(), paint));
  });
}

async function whyReconciled(
  flags: Flags<typeof FLAGS>,
  host: CommandHost,
  limit: number,
): Promise<void> {
  if (!flags.has("manager")) {
    throw new UsageError("Nothing to explain: give RESOURCE/NAME, or --manager WHERE");
  }
  const place = placeOf(flags);
  const print = async (stories: readonly Story[]) => {
    const last = stories.slice(-limit);
    if (flags.has("output")) return await host.printData(`${jsonText({ stories: last }, 2)}\n`);
    if (last.length === 0) host.warn("There are no such reconciles");
    await host.print(storiesText(last));
  };
  // A manager at an address needs no API server.
  if ("url" in place) return await print(await readStories(flags, host, undefined));
  await connected(flags, host, async (connection) => {
    await print(await readStories(flags, host, connection));
  });
}

function placeOf(flags: Flags<typeof FLAGS>) {
  const place = managerPlace(flags.text("manager") ?? "");
  if (place !== undefined) return place;
  throw new UsageError("--manager takes http://HOST:PORT or [[NAMESPACE/]RESOURCE/]NAME[:PORT]");
}

async function readStories(
  flags: Flags<typeof FLAGS>,
  host: CommandHost,
  connection: Connection | undefined,
): Promise<Story[]> {
  const { clock, fetch, signal } = host;
  const query: Record<string, string> = {};
  for (const name of ["controller", "key"] as const) {
    const value = flags.text(name);
    if (value !== undefined) query[name] = value;
  }
  const place = placeOf(flags);
  const isSecure = "url" in place && place.url.protocol === "https:";
  return await readManager(place, {
    client: connection?.client,
    clientOptions: {
      clock,
      fetch,
      logger: hostLogger(host),
      // Plain HTTP would show the token.
      ...(isSecure && {
        tokenFile: flags.text("token-file"),
        caFile: flags.text("certificate-authority"),
        readFile: host.readFile,
      }),
    },
    namespace: connection?.namespace ?? "default",
    query,
    signal,
    timeoutMs: REQUEST_TIMEOUT_MS,
  });
}
