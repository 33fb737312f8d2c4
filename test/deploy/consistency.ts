// Finds names in one resource that must be those of another, which no schema can check.
import { z } from "zod";
import { processContainer, type Workload, workloadsOf } from "./pods.ts";
import type { Resource } from "./validate.ts";

const selector = z
  .object({
    matchLabels: z.record(z.string(), z.string()).default({}),
    matchExpressions: z
      .array(z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).default([]) }))
      .default([]),
  })
  .loose();

type Selector = z.output<typeof selector>;

const service = z.object({
  kind: z.literal("Service"),
  spec: z.object({
    selector: z.record(z.string(), z.string()),
    ports: z.array(z.object({ targetPort: z.union([z.string(), z.number()]) }).loose()),
  }),
});

const budget = z.object({ kind: z.literal("PodDisruptionBudget"), spec: z.object({ selector }).loose() });
const policy = z.object({ kind: z.literal("NetworkPolicy"), spec: z.object({ podSelector: selector }).loose() });
const monitor = z.object({ kind: z.literal("PodMonitor"), spec: z.object({ selector }).loose() });
const scaler = z.object({
  kind: z.literal("ScaledObject"),
  spec: z.object({ scaleTargetRef: z.object({ name: z.string() }) }).loose(),
});

/** Lists selectors without a pod, ports that no pod has, scalers without a target, and references to no ConfigMap. */
export function inconsistencies(resources: readonly Resource[]): readonly string[] {
  const workloads = workloadsOf(resources);
  const names = new Set(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  return resources.flatMap((resource) => {
    const title = `${resource.kind} ${resource.metadata.name}`;
    return [
      ...selectorFaults(resource, workloads),
      ...scalerFaults(resource, names),
      ...[...configMapsIn(resource)]
        .filter((name) => !names.has(`ConfigMap ${name}`))
        .map((name) => `no ConfigMap ${name}`),
    ].map((fault) => `${title}: ${fault}`);
  });
}

function selectorFaults(resource: Resource, workloads: readonly Workload[]): readonly string[] {
  const found = service.safeParse(resource);
  if (found.success) {
    const pods = workloads.filter((each) =>
      isSelected(each, { matchLabels: found.data.spec.selector, matchExpressions: [] }),
    );
    if (pods.length === 0) return ["no pod is selected"];
    const ports = new Set(
      pods.flatMap((pod) => processContainer(pod).ports.flatMap((port) => [port.name, port.containerPort])),
    );
    return found.data.spec.ports.flatMap(({ targetPort }) =>
      ports.has(targetPort) ? [] : [`no pod has the port ${targetPort}`],
    );
  }
  const chosen =
    budget.safeParse(resource).data?.spec.selector ??
    policy.safeParse(resource).data?.spec.podSelector ??
    monitor.safeParse(resource).data?.spec.selector;
  if (chosen === undefined || workloads.some((each) => isSelected(each, chosen))) return [];
  return ["no pod is selected"];
}

function isSelected(workload: Workload, { matchLabels, matchExpressions }: Selector): boolean {
  const labels = workload.spec.template.metadata?.labels ?? {};
  const expressions = matchExpressions.every(({ key, operator, values }) => {
    const isIn = values.includes(labels[key] ?? "");
    if (operator === "In") return isIn;
    if (operator === "NotIn") return !isIn;
    throw new Error(`operator ${operator} is not known here`);
  });
  return expressions && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

function scalerFaults(resource: Resource, names: ReadonlySet<string>): readonly string[] {
  const found = scaler.safeParse(resource);
  if (!found.success || names.has(`Deployment ${found.data.spec.scaleTargetRef.name}`)) return [];
  return [`there is no Deployment ${found.data.spec.scaleTargetRef.name}`];
}

/** Generators rename ConfigMaps, so a name that stayed as it was in the source leads nowhere. */
function* configMapsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "configMapRef" && typeof inner === "object" && inner !== null && "name" in inner)
      yield String(inner.name);
    else yield* configMapsIn(inner);
  }
}
