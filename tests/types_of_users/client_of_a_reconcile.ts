// Compiles: the client of a reconcile, and the rest of what a reconcile gets.

import { type Client, type Clock, type Logger, type Manager, Pods } from "@kubeloop/controller";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).needs(Pods, ["list"]).reconcile(async (pass) => {
  const { key, name, namespace, client, clock, log, signal, causes } = pass;
  same<[typeof key, typeof name, typeof namespace], [string, string, string | undefined]>(true);
  same<
    [typeof client, typeof clock, typeof log, typeof signal],
    [Client, Clock, Logger, AbortSignal]
  >(true);
  const { items } = await client.list(Pods, { namespace });
  same<NonNullable<(typeof items)[number]["spec"]>["nodeName"], string | undefined>(true);
  log.info(`${causes.length} causes`);
});
