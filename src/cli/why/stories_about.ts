import { objectPath } from "../../client/request/mod.ts";
import type { Story } from "../../operator/stories/mod.ts";
import { type KubeObject, type ResourceDescriptor, resourceName } from "../../types/mod.ts";

/**
 * Returns the reconciles that have written an object, were caused by it, or reconciled it.
 */
export function storiesAbout(
  stories: readonly Story[],
  resource: ResourceDescriptor,
  { metadata }: KubeObject,
): Story[] {
  const { name = "", namespace } = metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const path = objectPath(resource, name, { namespace });
  const full = resourceName(resource);
  return stories.filter((story) =>
    story.uid === metadata.uid ||
    story.requests.some((request) =>
      request.method !== "GET" && (request.path === path || request.path.startsWith(`${path}/`))
    ) ||
    story.causes.some((cause) => cause.resource === full && cause.object === key)
  );
}
