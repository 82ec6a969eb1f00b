/** The first line of every kubeconfig that this program writes, by which it knows its own files again. */
export const KUBECONFIG_MARK = "# Written by @kubeloop/testing/serve; it may be overwritten.";

/** A kubeconfig for the server at `url`, as YAML; `cert` is the one it shows, when it speaks TLS. */
export function kubeconfigText(
  url: string,
  token: string | undefined,
  cert: string | undefined,
): string {
  // Some clients refuse plain HTTP unless they need not verify anything.
  const trust = cert === undefined
    ? "insecure-skip-tls-verify: true"
    : `certificate-authority-data: ${btoa(cert)}`;
  const user = token === undefined ? "{}" : `{ token: ${JSON.stringify(token)} }`;
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

/** The URL by which this machine reaches a server that listens on `hostname`. */
export function reachableUrl(scheme: "http" | "https", hostname: string, port: number): string {
  const name = hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "::" ? "::1" : hostname;
  return `${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Whether only programs on this machine can reach what listens on `hostname`. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(hostname);
}
