/**
 * An API server with some objects, for commands.
 *
 * @module
 */

import {
  Client,
  type Deployment,
  Deployments,
  type KubeObject,
  type Pod,
  Pods,
} from "@kubeloop/controller";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { cli, type CliOptions, CliRun, SERVER } from "./_cli.ts";

/** A server on a virtual clock, and commands that run against it. */
export class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly server: ApiServer = new ApiServer({ clock: this.clock });
  readonly client: Client = new Client(this.server.clientOptions);

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

  /** Waits for a promise while the time goes on. */
  until<T>(promise: Promise<T>): Promise<T> {
    return this.clock.run(promise);
  }

  async pod(name: string, labels: Record<string, string> = {}): Promise<Pod> {
    return await this.until(this.client.create(Pods, newPod(name, labels), { namespace }));
  }

  async deployment(name: string): Promise<Deployment> {
    return await this.until(this.client.create(Deployments, newDeployment(name), { namespace }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

export const namespace = "default";

const containers = [{ name: "main", image: "nginx" }];

function newPod(name: string, labels: Record<string, string>) {
  return { metadata: { name, labels }, spec: { containers } };
}

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
