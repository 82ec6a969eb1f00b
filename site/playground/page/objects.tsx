/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Chip, DiffView, Table, visible } from "../../../src/see/page/kit/mod.ts";
import type { KindRow, ObjectName, ObjectVersion, TableView } from "../protocol.ts";
import type { ClusterState } from "./use_cluster.ts";

/** The properties of {@linkcode Objects}. */
export interface ObjectsProps {
  readonly cluster: ClusterState;
  readonly onDelete: (object: ObjectName) => void;
}

/** The objects of the cluster as `kubectl get` prints them, and the versions of one of them. */
export function Objects({ cluster, onDelete }: ObjectsProps): VNode {
  const { object, resource, select, view } = cluster;
  const [showsAll, setShowsAll] = useState(false);
  if (view === undefined) {
    return (
      <div class="empty">
        {cluster.is === "starting" ? <p>The cluster starts …</p> : (
          <>
            <p>
              <b>Run</b>{" "}
              starts an API server, two nodes and the controllers of Kubernetes in this page, and
              the operator with them. The objects appear here as they change.
            </p>
            <p>
              <b>Find a bug</b>{" "}
              simulates the operator with one fault after the other, until something goes wrong, and
              marks the line.
            </p>
          </>
        )}
      </div>
    );
  }
  const kinds = view.kinds.filter(({ count, isInitial, resource: of }) =>
    of === resource || (showsAll ? count > 0 : !isInitial && count > 0)
  );
  const tables = view.tables.flatMap((table) => {
    const kind = view.kinds.find((one) => one.resource === table.resource);
    return kind === undefined ? [] : [{ kind, table }];
  });
  return (
    <div class="objects">
      <nav class="kinds" aria-label="Kinds">
        <button
          type="button"
          aria-pressed={resource === undefined}
          onClick={() => select(undefined)}
        >
          Overview
        </button>
        {kinds.map((one) => (
          <button
            key={one.resource}
            type="button"
            aria-pressed={one.resource === resource}
            title={one.resource}
            onClick={() => select(one.resource)}
          >
            {visible(one.kind)} <span class="count">{one.count}</span>
          </button>
        ))}
        <label class="check">
          <input
            type="checkbox"
            checked={showsAll}
            onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
          />{" "}
          all kinds
        </label>
      </nav>
      {tables.map(({ kind, table }) => (
        <ObjectTable
          key={table.resource}
          kind={kind}
          table={table}
          object={object}
          onObject={(one) => select(resource, one)}
        />
      ))}
      {tables.length === 0 && <p class="empty">The operator has not made anything yet.</p>}
      {object !== undefined && (
        <ObjectDetails
          key={JSON.stringify(object)}
          object={object}
          versions={view.versions ?? []}
          onClose={() => select(resource)}
          onDelete={() => onDelete(object)}
        />
      )}
    </div>
  );
}

interface ObjectTableProps {
  readonly kind: KindRow;
  readonly table: TableView;
  readonly object: ObjectName | undefined;
  readonly onObject: (object: ObjectName) => void;
}

function ObjectTable({ kind, object, onObject, table }: ObjectTableProps): VNode {
  const { columns, more, resource, rows } = table;
  const nameAt = columns.findIndex((name) => name.toLowerCase() === "name");
  const isSelected = ({ name, namespace }: typeof rows[number]) =>
    object?.resource === resource && object.name === name && object.namespace === namespace;
  return (
    <div class="table-scroll" role="group" aria-label={`kubectl get ${resource}`} tabIndex={0}>
      <p class="command" aria-hidden="true">$ kubectl get {resource.split(".")[0]} -A</p>
      <Table
        caption={`${kind.kind} objects`}
        columns={columns.map((name, at) => ({
          name,
          cell: (row: typeof rows[number]) =>
            at !== nameAt ? visible(row.cells[at] ?? "") : (
              <button
                type="button"
                class="quiet"
                aria-pressed={isSelected(row)}
                onClick={() =>
                  onObject({
                    resource,
                    apiVersion: kind.apiVersion,
                    namespace: row.namespace,
                    name: row.name,
                  })}
              >
                {visible(row.cells[at] ?? "")}
              </button>
            ),
        }))}
        rows={rows}
        keyOf={({ name, namespace }) => `${namespace}/${name}`}
        empty="No objects."
      />
      {more > 0 && <p class="soft">and {more} more</p>}
    </div>
  );
}

interface ObjectDetailsProps {
  readonly object: ObjectName;
  readonly versions: readonly ObjectVersion[];
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

const WORDS = { ADDED: "created", MODIFIED: "changed", DELETED: "deleted" } as const;

/** The versions of one object, each compared with the one before. */
function ObjectDetails({ object, onClose, onDelete, versions }: ObjectDetailsProps): VNode {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const found = versions.findIndex(({ resourceVersion }) => resourceVersion === chosen);
  const at = found < 0 ? versions.length - 1 : found;
  const version = versions[at];
  const isGone = versions.at(-1)?.type === "DELETED";
  const title = object.namespace === "" ? object.name : `${object.namespace}/${object.name}`;
  return (
    <section class="details" aria-labelledby="details-title">
      <header class="details-head">
        <h3 id="details-title" ref={heading} tabIndex={-1}>{visible(title)}</h3>
        {isGone && <Chip tone="red">deleted</Chip>}
        <span class="grow" />
        {!isGone && <button type="button" onClick={onDelete}>Delete</button>}
        <button type="button" class="quiet" onClick={onClose}>Close</button>
      </header>
      {version === undefined ? <p class="empty">The cluster itself has created it.</p> : (
        <>
          <div class="versions" role="group" aria-label="Versions">
            {versions.map(({ resourceVersion, type, writer }, index) => (
              <button
                key={`${resourceVersion} ${type}`}
                type="button"
                aria-pressed={index === at}
                onClick={() =>
                  setChosen(index === versions.length - 1 ? undefined : resourceVersion)}
              >
                <b>{resourceVersion}</b> {WORDS[type]} by {visible(writerName(writer))}
              </button>
            ))}
          </div>
          <DiffView
            key={version.resourceVersion}
            before={versions[at - 1]?.object}
            after={version.object}
            label={`Version ${version.resourceVersion} of ${title}`}
          />
        </>
      )}
    </section>
  );
}

function writerName(writer: string | undefined): string {
  return writer === undefined || writer === "" ? "the server" : writer.split("/")[0]!;
}
