import { Client } from "@kubeloop/controller/client";
import { CustomResourceDefinitions } from "@kubeloop/controller/types";
import { ApiServer } from "@kubeloop/testing";
import { assertEquals } from "@std/assert";

const APPROVAL = "api-approved.kubernetes.io";

const definition = (group: string, approval: string) => ({
  metadata: { name: `lots.${group}`, annotations: { [APPROVAL]: approval } },
  spec: {
    group,
    scope: "Cluster",
    names: { plural: "lots", kind: "Lot" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: "object" } },
    }],
  },
});

// Recorded from a real server, where the order of the conditions is a race.
Deno.test("the conditions of a definition say whether its protected group approves it", async () => {
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  const conditionOf = async (name: string) => {
    const { status } = await client.get(CustomResourceDefinitions, name);
    const found = (status?.conditions as { type: string }[]).filter(({ type }) =>
      type === "KubernetesAPIApprovalPolicyConformant"
    );
    return found.map(({ lastTransitionTime: _, type: __, ...rest }: Record<string, unknown>) =>
      rest
    );
  };
  const approve = (text: string) =>
    client.patch(CustomResourceDefinitions, "lots.x.k8s.io", {
      metadata: { annotations: { [APPROVAL]: text } },
    });

  await client.create(CustomResourceDefinitions, definition("x.k8s.io", "http://host/x") as never);
  const approved = { status: "True", reason: "ApprovedAnnotation" };
  assertEquals(await conditionOf("lots.x.k8s.io"), [
    { ...approved, message: "approved in http://host/x" },
  ]);
  await approve("https://host/y");
  assertEquals(await conditionOf("lots.x.k8s.io"), [
    { ...approved, message: "approved in https://host/y" },
  ]);
  await approve("unapproved, a test");
  assertEquals(await conditionOf("lots.x.k8s.io"), [{
    status: "False",
    reason: "UnapprovedAnnotation",
    message: 'not approved: "unapproved, a test"',
  }]);

  for (const group of ["x.example.com", "notk8s.io"]) {
    await client.create(CustomResourceDefinitions, definition(group, "http://host/x") as never);
    assertEquals(await conditionOf(`lots.${group}`), []);
  }
});
