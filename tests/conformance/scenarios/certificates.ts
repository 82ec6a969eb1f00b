import { apply, del, get, merge, post, put, type StepScenario } from "../step.ts";

const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

/** A request of an elliptic curve, with a valid signature. */
const REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWU1JR0FBZ0VBTUI0eERqQU1CZ05WQkFvTUJXZHliM1Z3TVF3d0NnWURWUVFEREFOaGJtNHdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJ6eGZQRWx1bVUyMU4yS20rQ2t4a0dsRWthU2svSVRCZEZKNWUvCjlDSVpzY21FbjhDOHArV2NpalFBOHl3ZnRUNHNVY1NWUGlnZ0ZGL29pR0V5MDQrNG9BQXdDZ1lJS29aSXpqMEUKQXdJRFJ3QXdSQUlnYkZoelhYK05FdE0rTW80YnJzanlUdXRTNUtIUWxSbjIzYW9lcHhiejRURUNJRkJYL2ZEbgp1dXlmREduZTFHYXB1V1VPRUNxeUNGR2Nqai9aVFpoTlJpYkQKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

/** A certificate. */
const CERTIFICATE =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJjakNDQVJtZ0F3SUJBZ0lVQytoYWpBNnloQXVqVDlDaCtnN2Z2a3U2a2Jvd0NnWUlLb1pJemowRUF3SXcKRGpFTU1Bb0dBMVVFQXd3RFlXNXVNQ0FYRFRJMk1URXlOVEV6TlRZeE9Gb1lEekl4TWpZeE1UQXhNVE0xTmpFNApXakFPTVF3d0NnWURWUVFEREFOaGJtNHdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUzBuZU1KCm42THM0VUR4eW1STEMrenFqU0pKeGE3dnJiUG5XSjVzMWdiUlZVWVZOVFBZczVkQ2ZxOUlFMXFLbE9TMk4vZGIKbmVKTW5SQ20xT2hCR1V3R28xTXdVVEFkQmdOVkhRNEVGZ1FVZDdqNTFYUVlDVnZXbjQwN242RklLekhuajJFdwpId1lEVlIwakJCZ3dGb0FVZDdqNTFYUVlDVnZXbjQwN242RklLekhuajJFd0R3WURWUjBUQVFIL0JBVXdBd0VCCi96QUtCZ2dxaGtqT1BRUURBZ05IQURCRUFpQTE3Q01KNHRGdWQ1NGpLY3lwemxZVFd0SnYwdUhXVDdBRndDaVYKdS9wc2VRSWdZRSt1U0x3ZU9nUmFReWw2eG8rSk5qUG14VklsNXpTWmFEbzZGUWZTVlRJPQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==";

const request = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { request: REQUEST, signerName: "example.com/suite", usages: ["client auth"], ...spec },
});

const a = `${REQUESTS}/suite-a`;
const b = `${REQUESTS}/suite-b`;
const conditions = (...types: string[]) => ({
  status: { conditions: types.map((type) => ({ type, status: "True", reason: "Suite" })) },
});

/** CertificateSigningRequests from their creation to a certificate. */
export const certificates: StepScenario = {
  name: "certificates",
  steps: [
    post(REQUESTS, request("suite-a", { username: "other", expirationSeconds: 86_400 })),
    post(REQUESTS, request("suite-b")),
    post(REQUESTS, request("suite-c", { signerName: "kubernetes.io/legacy-unknown" })),
    get(REQUESTS, table),
    get(`${REQUESTS}?fieldSelector=spec.signerName%3Dexample.com%2Fsuite`, table),
    get(`${REQUESTS}?fieldSelector=spec.username%3Dx`),
    merge(a, { spec: { usages: ["any"] }, metadata: { labels: { a: "b" } } }),
    merge(a, { status: { certificate: CERTIFICATE } }),
    get(`${a}/approval`),
    merge(`${a}/status`, conditions("Approved")),
    merge(`${a}/status`, conditions("Denied")),
    merge(`${a}/approval`, conditions("Approved", "Denied")),
    merge(`${a}/approval`, conditions("Approved", "Approved")),
    merge(`${a}/approval`, { status: { conditions: [{ type: "Approved", status: "False" }] } }),
    merge(`${a}/approval`, { status: { conditions: [{ type: "Approved" }] } }),
    merge(`${a}/approval`, { status: { conditions: [{ type: "", status: "x" }] } }),
    merge(`${a}/approval`, { status: { certificate: CERTIFICATE } }),
    merge(`${a}/approval`, { spec: { usages: ["any"] }, ...conditions("Approved") }),
    merge(`${a}/approval`, conditions("Denied")),
    merge(`${a}/approval`, { status: { conditions: null } }),
    get(REQUESTS, table),
    merge(`${a}/status`, { status: { certificate: "YWJj" } }),
    merge(`${a}/status`, { status: { certificate: REQUEST } }),
    merge(`${a}/status`, { status: { certificate: CERTIFICATE } }),
    merge(`${a}/status`, { status: { certificate: "YWJj" } }),
    merge(`${a}/status`, { status: { certificate: null } }),
    merge(`${a}/status`, { status: { conditions: null } }),
    merge(`${a}/status`, { status: conditions("Approved", "Failed").status }),
    merge(`${a}/status`, conditions("Approved", "Other", "Failed")),
    get(a, table),
    get(a),
    put(`${b}/approval`, { ...request("suite-b"), ...conditions("Denied") }),
    apply(`${b}/status`, "signer", {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name: "suite-b" },
      status: { certificate: CERTIFICATE },
    }),
    get(b, table),
    put(b, request("suite-b", { usages: ["any"] })),
    merge(`${REQUESTS}/none/approval`, conditions("Approved")),
    merge(`${a}/approval`, conditions("Approved"), { as: "nobody" }),
    del(a),
    del(REQUESTS),
  ],
};
