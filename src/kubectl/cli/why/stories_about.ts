import { objectPath } from "@kubeloop/controller/client";
import type { Story } from "@kubeloop/controller/operator";
import { type KubeObject, type ResourceDescriptor, resourceName } from "@kubeloop/controller/types";

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
