import { hostInUrl } from "@kubeloop/controller/internal/base";

/** The first line of every kubeconfig that this program writes. It marks the files that the program may overwrite. */
export const KUBECONFIG_MARK = "# Written by @kubeloop/testing/serve; it may be overwritten.";

/** Returns a kubeconfig for the server at `url`, as YAML; `authority` has issued the certificate of a server that uses TLS. */
export function kubeconfigText(
  url: string,
  token: string | undefined,
  authority: string | undefined,
): string {
  // Some clients refuse plain HTTP unless insecure-skip-tls-verify is set.
  const trust = authority === undefined
    ? "insecure-skip-tls-verify: true"
    : `certificate-authority-data: ${btoa(authority)}`;
  // Over TLS, kubectl asks for a name and a password unless it has a token. This one is never checked.
  const sent = token ?? (authority === undefined ? undefined : "none-required");
  const user = sent === undefined ? "{}" : `{ token: ${JSON.stringify(sent)} }`;
  return `${KUBECONFIG_MARK}
apiVersion: v1
kind: Config
current-context: kubeloop
clusters:
  - name: kubeloop
    cluster: { server: ${JSON.stringify(url)}, ${trust} }
users:
  - name: kubeloop
    user: ${user}
contexts:
  - name: kubeloop
    context: { cluster: kubeloop, user: kubeloop, namespace: default }
`;
}

/** Returns the URL at which clients on this machine reach a server that listens on `hostname`. */
export function reachableUrl(scheme: "http" | "https", hostname: string, port: number): string {
  const name = hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "::" ? "::1" : hostname;
  return `${scheme}://${hostInUrl(name)}:${port}`;
}

/** Reports whether `hostname` is a loopback address, which only programs on this machine can reach. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(hostname);
}
