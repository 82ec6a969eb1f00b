import type { KubeList, KubeObject, ObjectReader, ResourceDescriptor } from "../types/mod.ts";
import {
  acceptList,
  type ApiRequest,
  type Call,
  callOptions,
  type ListCallOptions,
  listPath,
  listQuery,
  parseList,
  type Requester,
} from "./request/mod.ts";

/** Options of {@linkcode listPage}. */
export interface ListPageOptions<R extends KubeObject = never> extends ListCallOptions {
  /** The call that the request belongs to. Default: a new call. */
  readonly within?: Call | undefined;
  /** Reads the page from its bytes. If the reader returns undefined, the page is parsed as JSON. */
  readonly reader?: ObjectReader<R> | undefined;
}

/** Requests one page of a list, and sets the kind of its items unless the reader made them. */
export async function listPage<T extends KubeObject, R extends KubeObject = never>(
  requester: Requester,
  resource: ResourceDescriptor,
  options: ListPageOptions<R>,
): Promise<KubeList<R | T>> {
  const { within, reader } = options;
  const request: ApiRequest = {
    method: "GET",
    path: listPath(resource, options.namespace),
    query: listQuery(options),
    accept: acceptList(resource),
    expects: "list",
    within,
    ...callOptions(options),
  };
  const answer = await requester.bytes(request);
  return reader?.readList(answer.body) ?? parseList<T>(answer.response, answer.body, answer);
}
