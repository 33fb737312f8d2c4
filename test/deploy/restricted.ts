// The restricted profile of pod security, and what every container of ours has beyond it.
import { z } from "zod";
import { type Workload, workloadsOf } from "./pods.ts";

const podSecurity = z.object({
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number().min(1),
    seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
  }),
});

const anyContainer = z.object({
  image: z.string().regex(/:(?!latest$)[\w.-]+$/),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.object({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
});

const ownContainer = anyContainer.extend({
  securityContext: anyContainer.shape.securityContext.extend({ readOnlyRootFilesystem: z.literal(true) }),
});

const probed = z.object({ startupProbe: z.object({}), livenessProbe: z.object({}), readinessProbe: z.object({}) });

/** Lists what the pods of the resources lack. */
export const securityFaults = (resources: readonly object[]): readonly string[] =>
  workloadsOf(resources).flatMap((workload) => {
    const { containers } = workload.spec.template.spec;
    const faults = [
      ...faultsOf(podSecurity, workload.spec.template.spec),
      ...containers.flatMap((container) => schemasFor(workload).flatMap((schema) => faultsOf(schema, container))),
    ];
    return faults.map((fault) => `${workload.kind} ${workload.metadata.name}: ${fault}`);
  });

function schemasFor({ kind }: Workload): readonly z.ZodType[] {
  if (kind === "StatefulSet") return [anyContainer];
  return kind === "Job" ? [ownContainer] : [ownContainer, probed];
}

const faultsOf = (schema: z.ZodType, value: unknown): readonly string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
