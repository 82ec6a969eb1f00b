/**
 * Makes one request of each kind to the server that is its first argument: everything goes where the server is.
 *
 * @module
 */

import process from "node:process";
import { Client } from "@kubeloop/controller/client";
import { Namespaces } from "@kubeloop/controller/types";

const client = new Client({ server: process.argv[2], token: "s3cr3t-token" });
await client.list(Namespaces);
await client.get(Namespaces, "n");
await client.create(Namespaces, { metadata: { name: "n" } });
for await (const _ of await client.watch(Namespaces)) break;
await client.close();
console.log("done");
