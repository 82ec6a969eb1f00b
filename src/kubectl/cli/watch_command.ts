import { DeletedFinalStateUnknown, SharedInformer } from "@kubeloop/controller/cache";
import { type DiscoveredResource, fieldSelector } from "@kubeloop/controller/client";
import {
  type Cached,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type KubeObject,
  type ListerWatcher,
} from "@kubeloop/controller/types";
import { connected, CONNECTION_FLAGS } from "./connect.ts";
import { UsageError } from "./exits.ts";
import { type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { jsonText, withoutManagedFields } from "./object_writer.ts";
import { ObjectTable } from "./object_table.ts";
import { SELECTION_FLAGS, selectionOf } from "./selection.ts";
import { type Row, tableListerWatcher } from "./tables/mod.ts";
import { namespaceFor, objectName, type Target, targetsOf } from "./targets.ts";
import { COLOR_FLAG, painter } from "./terminal/mod.ts";

const FLAGS = {
  output: {
    short: "o",
    value: "FORM",
    values: ["wide", "name", "json"],
    help: "the form; json is one event a line",
  },
  ...SELECTION_FLAGS,
  ...COLOR_FLAG,
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop watch RESOURCE [NAME]
       kubeloop watch RESOURCE/NAME

Prints the objects there are as ADDED, and then each change: ADDED, MODIFIED or DELETED. It goes on until Ctrl-C,
also when the server ends the watch, restarts or cannot be reached; after a gap it prints what has changed in it.

  kubeloop watch pods -l app=web
  kubeloop watch deploy/web -o json | jq .object.status
`;

/** `kubeloop watch`. */
export const WATCH: Command = { usage: USAGE, flags: FLAGS, takes: "resources", run: watch };

type EventType = "ADDED" | "MODIFIED" | "DELETED";

async function watch(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "watch");
  const selection = selectionOf(flags);
  await connected(flags, host, async (connection) => {
    const { client } = connection;
    const { resource, name } = onlyOne(
      await targetsOf(flags.rest, "watch", connection, host),
      flags.has("field-selector"),
    );
    const scope = {
      namespace: namespaceFor(resource, connection, selection.isAllNamespaces),
      ...selection.selectors,
      ...(name === undefined ? {} : { fieldSelector: fieldSelector({ "metadata.name": name }) }),
    };
    const form = flags.text("output");
    if (form === "json") {
      return await follow(
        host,
        resource,
        client.listerWatcher(resource, scope),
        (type, object) =>
          host.printData(`${jsonText({ type, object: withoutManagedFields(object) })}\n`),
      );
    }
    if (form === "name") {
      return await follow(
        host,
        resource,
        client.listerWatcher(resource, scope),
        (_, object) => host.print(`${objectName(resource, object.metadata.name)}\n`),
      );
    }
    const table = new ObjectTable({
      isWide: form === "wide",
      hasNamespaces: selection.isAllNamespaces,
      isMixed: false,
      paint: painter(flags.text("color"), host),
      redact: host.redact,
    });
    const rows = tableListerWatcher(client, resource, scope);
    await follow<Row>(host, undefined, rows, (type, row) => {
      const page = { columns: row.columns, rows: [row] };
      return host.print(table.page(page, resource, { header: ["EVENT"], cells: [type] }));
    });
  });
}

function onlyOne(targets: readonly Target[], hasFieldSelector: boolean): Target {
  const [target] = targets;
  if (target === undefined || targets.length > 1) {
    throw new UsageError("watch follows one resource or one object: start it once for each");
  }
  if (target.name !== undefined && hasFieldSelector) {
    throw new UsageError("A name and --field-selector exclude each other: give one of them");
  }
  return target;
}

/** Prints the events of an informer until the command is stopped. */
async function follow<T extends KubeObject>(
  host: CommandHost,
  resource: DiscoveredResource | undefined,
  source: ListerWatcher<T>,
  write: (type: EventType, object: Cached<T>) => Promise<void>,
): Promise<void> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([host.signal, giveUp.signal]);
  const informer = new SharedInformer<T>(source, {
    ...(resource === undefined ? {} : { resource }),
    name: "watch",
  });
  const print = async (type: EventType, object: Cached<T>): Promise<void> => {
    try {
      await write(type, object);
    } catch (error) {
      // The reader has closed the pipe, which stops the command.
      giveUp.abort(error);
    }
  };
  informer.addEventHandler({
    onAdd: (object) => print("ADDED", object),
    onUpdate: async (old, object) => {
      if (old.metadata.resourceVersion === object.metadata.resourceVersion) return;
      if (old.metadata.uid === object.metadata.uid) return await print("MODIFIED", object);
      await print("DELETED", old);
      await print("ADDED", object);
    },
    onDelete: async (object) => {
      const last = DeletedFinalStateUnknown.is(object) ? object.obj as Cached<T> : object;
      if (last !== undefined) await print("DELETED", last);
    },
  });
  informer.setWatchErrorHandler((_, error) => {
    // Before the first list, report the error at once. Later, the permission or the definition may come back.
    const isFinal = isForbidden(error) || isUnauthorized(error) || isNotFound(error);
    if (isFinal && !informer.hasSynced()) giveUp.abort(error);
    else source.environment?.logger?.warn(`${(error as Error).message}; trying again`);
  });
  await informer.run({ signal });
  if (giveUp.signal.aborted) throw giveUp.signal.reason;
}
