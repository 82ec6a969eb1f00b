import type { ListCallOptions } from "@kubeloop/controller/client";
import { isNotFound, type KubeObject, metadataOf, type Resource } from "@kubeloop/controller/types";
import { connected, type Connection, CONNECTION_FLAGS, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { type ObjectForm, ObjectWriter } from "./object_writer.ts";
import { type Selection, SELECTION_FLAGS, selectionOf } from "./selection.ts";
import { ObjectTable } from "./object_table.ts";
import { eachTablePage } from "./tables/mod.ts";
import { namespaceFor, objectName, type Target, targetsOf } from "./targets.ts";
import { COLOR_FLAG, painter } from "./terminal/mod.ts";

const FLAGS = {
  output: {
    short: "o",
    value: "FORM",
    values: ["wide", "name", "json", "yaml"],
    help: "the form; default is a table",
  },
  ...SELECTION_FLAGS,
  ...COLOR_FLAG,
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop get RESOURCE[,RESOURCE] [NAME...]
       kubeloop get RESOURCE/NAME...

Prints objects as a table with the columns that the server shows, or as JSON, YAML or names. Long lists are
read and printed page by page. RESOURCE is what kubectl takes: pods, po, deployments.apps, a category as all.

  kubeloop get pods -A -o wide
  kubeloop get deploy/web -o yaml
  kubeloop get pods -l app=web -o name
`;

/** `kubeloop get`. */
export const GET: Command = { usage: USAGE, flags: FLAGS, takes: "resources", run: get };

async function get(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "get");
  const selection = selectionOf(flags);
  await connected(flags, host, async (connection) => {
    const { namespace } = connection;
    const targets = await targetsOf(flags.rest, "get", connection, host);
    if (targets.some(({ name }) => name !== undefined)) {
      if (selection.isSet) {
        throw new UsageError("Names and selectors exclude each other: give one of them");
      }
      if (selection.isAllNamespaces) {
        throw new UsageError("Names need one namespace: leave --all-namespaces away");
      }
    }
    const output = outputOf(flags, host, connection, selection, targets);
    const missing: unknown[] = [];
    for (const target of targets) {
      try {
        await output.write(target, {
          ...selection.selectors,
          namespace: namespaceFor(target.resource, connection, selection.isAllNamespaces),
          signal: host.signal,
        });
      } catch (error) {
        // Continue with the other objects.
        if (target.name === undefined || !isNotFound(error)) throw error;
        missing.push(error);
      }
    }
    await output.end();
    if (missing.length > 0) throw new AggregateError(missing);
    if (output.count > 0) return;
    const where = selection.isAllNamespaces || targets.every(({ resource }) => !resource.namespaced)
      ? ""
      : ` in the namespace ${namespace}`;
    host.warn(`There are no such objects${where}`);
  });
}

/** Writes objects in one of the output formats. */
interface Output {
  /** The number of written objects. */
  readonly count: number;
  write(target: Target, options: ListCallOptions): Promise<void>;
  end(): Promise<void>;
}

function outputOf(
  flags: Flags<typeof FLAGS>,
  host: CommandHost,
  connection: Connection,
  { isAllNamespaces }: Selection,
  targets: readonly Target[],
): Output {
  const form = flags.text("output");
  if (form === "json" || form === "yaml") {
    const isOne = targets.length === 1 && targets[0]?.name !== undefined;
    return new ObjectOutput(host, connection, form, isOne);
  }
  if (form === "name") return new NameOutput(host, connection);
  return new TableOutput(host, connection, {
    isWide: form === "wide",
    hasNamespaces: isAllNamespaces,
    isMixed: new Set(targets.map(({ resource }) => resource)).size > 1,
    paint: painter(flags.text("color"), host),
    redact: host.redact,
  });
}

/** Reads the objects of a target page by page, and calls `use` with each. */
async function eachObject(
  { client }: Connection,
  { resource, name }: { readonly resource: Resource; readonly name: string | undefined },
  options: ListCallOptions,
  use: (object: KubeObject) => Promise<void>,
): Promise<void> {
  const { namespace, signal } = options;
  if (name === undefined) return await client.eachListItem<KubeObject>(resource, use, options);
  await use(await client.get(resource, name, { namespace, signal, timeoutMs: REQUEST_TIMEOUT_MS }));
}

class ObjectOutput implements Output {
  count = 0;
  readonly #connection: Connection;
  readonly #writer: ObjectWriter;
  readonly #isOne: boolean;

  constructor(host: CommandHost, connection: Connection, form: ObjectForm, isOne: boolean) {
    this.#connection = connection;
    this.#writer = new ObjectWriter(host, form);
    this.#isOne = isOne;
  }

  async write(target: Target, options: ListCallOptions): Promise<void> {
    await eachObject(this.#connection, target, options, async (object) => {
      this.count++;
      await (this.#isOne ? this.#writer.only(object) : this.#writer.item(object));
    });
  }

  async end(): Promise<void> {
    if (!this.#isOne) await this.#writer.end();
  }
}

class NameOutput implements Output {
  count = 0;
  readonly #connection: Connection;
  readonly #host: CommandHost;

  constructor(host: CommandHost, connection: Connection) {
    this.#host = host;
    this.#connection = connection;
  }

  async write({ resource, name }: Target, options: ListCallOptions): Promise<void> {
    const target = { resource: metadataOf(resource), name };
    await eachObject(this.#connection, target, options, async ({ metadata }) => {
      this.count++;
      await this.#host.print(`${objectName(resource, metadata.name ?? "")}\n`);
    });
  }

  async end(): Promise<void> {}
}

class TableOutput implements Output {
  count = 0;
  readonly #connection: Connection;
  readonly #host: CommandHost;
  readonly #options: ConstructorParameters<typeof ObjectTable>[0];
  #table: { readonly resource: Target["resource"]; readonly writer: ObjectTable } | undefined;

  constructor(
    host: CommandHost,
    connection: Connection,
    options: ConstructorParameters<typeof ObjectTable>[0],
  ) {
    this.#host = host;
    this.#connection = connection;
    this.#options = options;
  }

  async write({ resource, name }: Target, options: ListCallOptions): Promise<void> {
    const call = { ...options, name, timeoutMs: REQUEST_TIMEOUT_MS };
    await eachTablePage(this.#connection.client, resource, call, async (page) => {
      if (page.rows.length === 0) return;
      const isNew = this.#table?.resource !== resource;
      const gap = isNew && this.count > 0 ? "\n" : "";
      if (isNew) this.#table = { resource, writer: new ObjectTable(this.#options) };
      this.count += page.rows.length;
      await this.#host.print(gap + this.#table!.writer.page(page, resource));
    });
  }

  async end(): Promise<void> {}
}
