// The checks of deployments refuse what a cluster would refuse, or would silently ignore.
import { expect, test } from "vitest";
import { z } from "zod";
import { inconsistencies } from "../../../deploy/consistency.ts";
import { problemsOf } from "../../../deploy/processes.ts";
import { securityFaults } from "../../../deploy/restricted.ts";
import { createValidator, readResources } from "../../../deploy/validate.ts";

const validate = createValidator();

const deployment = (container = "", top = "") => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: a }
${top}
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
      containers:
        - name: a
          image: a:1
          ${container}
`;
const scaler = (member: string) => `
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: a }
spec: { scaleTargetRef: { name: a }, ${member}: 2, triggers: [{ type: cpu, metadata: { value: "70" } }] }
`;
const faultsOf = (text: string) => readResources(text).flatMap(validate).join("\n");

test("a right resource has no faults", () => {
  expect(faultsOf(deployment(`resources: { limits: { memory: 250Mi, cpu: "1" } }`))).toBe("");
  expect(faultsOf(scaler("minReplicaCount"))).toBe("");
});

test.each([
  ["a member of a container", deployment("readynessProbe: {}"), "readynessProbe"],
  ["a member deep inside", deployment("livenessProbe: { httpGet: { pth: /livez, port: 1 } }"), "pth"],
  ["a quantity", deployment("resources: { limits: { memory: 250x } }"), "/limits/memory must match pattern"],
  ["a member of a custom resource", scaler("minReplicas"), "minReplicas"],
  [
    "a kind",
    scaler("minReplicaCount").replace("ScaledObject", "ScaleObject"),
    "there is no schema of keda.sh/v1alpha1 ScaleObject",
  ],
])("%s that is misspelt is refused", (_, text, fault) => {
  expect(faultsOf(text)).toContain(fault);
});

test("a repeated key is refused", () => {
  expect(() => readResources(deployment("", "kind: Deployment"))).toThrow("unique");
});

test("a selector without a pod, a port without a container and a scaler without a target are named", () => {
  const service = `---
apiVersion: v1
kind: Service
metadata: { name: s }
spec: { selector: { app: a }, ports: [{ port: 80, targetPort: http }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: p }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: b } } }
---`;

  const found = inconsistencies(readResources(`${deployment()}${service}${scaler("minReplicaCount")}`));

  expect(found).toEqual(["Service s: no pod has the port http", "PodDisruptionBudget p: no pod is selected"]);
  expect(inconsistencies(readResources(scaler("minReplicaCount")))).toEqual([
    "ScaledObject a: there is no Deployment a",
  ]);
});

test("a pod with more rights than it needs is named", () => {
  const faults = securityFaults(readResources(deployment("securityContext: { allowPrivilegeEscalation: true }")));

  for (const part of ["securityContext", "allowPrivilegeEscalation", "resources", "livenessProbe"]) {
    expect(faults.join("\n")).toMatch(new RegExp(`^Deployment a: \\S*${part}`, "m"));
  }
});

test("a variable that is missing, unknown or not read is named", () => {
  const config = z.object({ REDIS_URL: z.string().describe("a URL") });

  expect(problemsOf({ script: "", config }, { shared: { NOBODYS: "1" }, own: { KAFKA_BROKERS: "a:1" } })).toEqual([
    "NOBODYS is in no configuration",
    "KAFKA_BROKERS is not read by this process",
    "  REDIS_URL is not set: it wants a URL",
  ]);
  expect(
    problemsOf({ script: "", config }, { shared: { KAFKA_BROKERS: "a:1" }, own: { REDIS_URL: undefined } }),
  ).toEqual([]);
});
