import type { Declaration } from "./declaration.ts";
import type { ContainerRuntime } from "./files.ts";
import { NONROOT } from "./objects.ts";

const USER = `${NONROOT}:${NONROOT}`;

/** Returns a Dockerfile of two stages for a program. The second stage has only what runs, and no user that is root. */
export function dockerfile(
  { permissions }: Declaration,
  file: string,
  runtime: ContainerRuntime,
): string {
  switch (runtime) {
    case "deno":
      return denoStages(file, permissions);
    case "bun":
      return bunStages(file);
    default:
      return nodeStages(file);
  }
}

function denoStages(file: string, permissions: readonly string[]): string {
  const flags = [
    "--no-prompt",
    ...permissions,
    "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT",
  ];
  return `FROM denoland/deno:2.9.6 AS build
WORKDIR /app
COPY . .
# The binary has the permissions of the operator, and no others.
RUN deno compile ${flags.map((flag) => `${flag} \\\n  `).join("")}--output /operator ${file}

FROM gcr.io/distroless/cc-debian12
COPY --from=build /operator /operator
USER ${USER}
ENTRYPOINT ["/operator"]
`;
}

function nodeStages(file: string): string {
  return `FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY . .

FROM node:24-slim
COPY --from=build /app /app
WORKDIR /app
USER ${USER}
ENTRYPOINT ["node", ${JSON.stringify(file)}]
`;
}

function bunStages(file: string): string {
  return `FROM oven/bun:1-slim AS build
WORKDIR /app
COPY package.json bun.lock ./
RUN bun install --production --frozen-lockfile
COPY . .

FROM oven/bun:1-slim
COPY --from=build /app /app
WORKDIR /app
USER ${USER}
ENTRYPOINT ["bun", ${JSON.stringify(file)}]
`;
}
