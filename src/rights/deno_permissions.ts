/** The network addresses, files and variables that a program uses. */
export interface DenoNeeds {
  /** The addresses to connect to, as `host:port`; a host without a port permits all of its ports. */
  readonly hosts?: readonly string[] | undefined;
  /** The addresses to listen on, as `host:port`. */
  readonly listens?: readonly string[] | undefined;
  /** The files and folders to read. */
  readonly readPaths?: readonly string[] | undefined;
  /** The environment variables to read. */
  readonly envs?: readonly string[] | undefined;
}

/**
 * Returns the flags of `deno run` that permit exactly the given uses, sorted. An empty list gives no flag.
 *
 * @throws {TypeError} If an address is a URL, which Deno does not accept, or an entry is empty, which would permit
 *   everything.
 *
 * @example
 * ```ts
 * import { denoPermissions } from "@kubeloop/controller/rights";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   denoPermissions({
 *     hosts: ["kubernetes.default.svc:443"],
 *     listens: ["0.0.0.0:8080"],
 *     readPaths: ["/var/run/secrets/kubernetes.io/serviceaccount"],
 *     envs: ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"],
 *   }),
 *   [
 *     "--allow-net=0.0.0.0:8080,kubernetes.default.svc:443",
 *     "--allow-read=/var/run/secrets/kubernetes.io/serviceaccount",
 *     "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT",
 *   ],
 * );
 * ```
 */
export function denoPermissions(needs: DenoNeeds): string[] {
  const { hosts = [], listens = [], readPaths = [], envs = [] } = needs;
  const addresses = [...hosts, ...listens];
  for (const address of addresses) {
    if (address.includes("/") || address.includes(",")) {
      throw new TypeError(
        `Cannot permit the address ${
          JSON.stringify(address)
        }: expected host:port, as in "10.0.0.1:443"`,
      );
    }
  }
  const whole = new Set(addresses);
  const net = addresses.filter((address) => {
    const host = hostOf(address);
    return host === address || !whole.has(host);
  });
  return [
    ...flag("--allow-net", net),
    // A comma in a path is doubled.
    ...flag("--allow-read", readPaths.map((path) => path.replaceAll(",", ",,"))),
    ...flag("--allow-env", envs),
  ];
}

/** Returns an address without its port. IPv6 addresses are in brackets. */
function hostOf(address: string): string {
  const colon = address.lastIndexOf(":");
  return colon > address.lastIndexOf("]") ? address.slice(0, colon) : address;
}

function flag(name: string, values: readonly string[]): string[] {
  if (values.includes("")) throw new TypeError(`Cannot permit an empty entry: ${name} has one`);
  return values.length === 0 ? [] : [`${name}=${[...new Set(values)].sort().join(",")}`];
}
