/**
 * An API server with some objects, for commands.
 *
 * @module
 */

import {
  type Deployment,
  Deployments,
  type KubeObject,
  type Pod,
  Pods,
} from "@kubeloop/controller";
import { pod, World as PlainWorld } from "../../support/world.ts";
import { cli, type CliOptions, CliRun, SERVER } from "./_cli.ts";

/** A world, and commands that run against its server. */
export class World extends PlainWorld {
  /** Runs a command to its end. */
  async run(args: readonly string[], options: CliOptions = {}) {
    return await this.clock.run(cli([...args, ...SERVER], this.#options(options)));
  }

  /** Starts a command that does not end by itself. */
  start(args: readonly string[], options: CliOptions = {}): CliRun {
    return new CliRun([...args, ...SERVER], this.#options(options));
  }

  #options(options: CliOptions): CliOptions {
    return { fetch: this.server.fetch, clock: this.clock, ...options };
  }

  async pod(name: string, labels: Record<string, string> = {}): Promise<Pod> {
    return await this.until(this.client.create(Pods, pod(name, { metadata: { labels } })));
  }

  async deployment(name: string): Promise<Deployment> {
    return await this.until(this.client.create(Deployments, newDeployment(name), { namespace }));
  }
}

export const namespace = "default";

const containers = [{ name: "main", image: "nginx" }];

function newDeployment(name: string) {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

/** A CustomResourceDefinition of `widgets` in a group. */
export function widgetsIn(group: string) {
  return {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced" as const,
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object" as const,
            "x-kubernetes-preserve-unknown-fields": true,
          },
        },
      }],
    },
  };
}

/** An object of any kind, as JSON has it. */
export type AnyObject = KubeObject & Record<string, unknown>;
