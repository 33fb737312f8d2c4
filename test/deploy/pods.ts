// Reads pods out of resources: their labels, containers and environments.
import { parse } from "yaml";
import { z } from "zod";
import type { DeployedEnvironment } from "./processes.ts";

const variable = z.object({ name: z.string(), value: z.string().optional() }).loose();

const keyRef = z.object({ name: z.string(), key: z.string() }).loose();

const container = z
  .object({
    name: z.string(),
    image: z.string().optional(),
    args: z.array(z.string()).default([]),
    env: z.array(variable).default([]),
    ports: z.array(z.object({ name: z.string(), containerPort: z.number() }).loose()).default([]),
    resources: z
      .object({ limits: z.record(z.string(), z.string()).default({}) })
      .loose()
      .optional(),
  })
  .loose();

export type PodContainer = z.output<typeof container>;

const podSpec = z
  .object({ containers: z.array(container), terminationGracePeriodSeconds: z.number().optional() })
  .loose();

const workload = z
  .object({
    kind: z.string(),
    metadata: z.object({ name: z.string() }).loose(),
    spec: z
      .object({
        replicas: z.number().optional(),
        template: z
          .object({
            metadata: z.object({ labels: z.record(z.string(), z.string()).default({}) }).optional(),
            spec: podSpec,
          })
          .loose(),
      })
      .loose(),
  })
  .loose();

export type Workload = z.output<typeof workload>;

const WORKLOADS: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "Job"]);

/** Returns the resources that make pods. */
export const workloadsOf = (resources: readonly object[]): readonly Workload[] =>
  resources.flatMap((resource) =>
    "kind" in resource && WORKLOADS.has(String(resource.kind)) ? [workload.parse(resource)] : [],
  );

/** The container of tracklog in a pod. */
export function processContainer({ spec }: Workload): PodContainer {
  const [first] = spec.template.spec.containers;
  if (first === undefined) throw new Error("a pod without a container");
  return first;
}

export const environmentOf = (
  shared: Readonly<Record<string, string>>,
  containers: readonly PodContainer[],
): DeployedEnvironment => ({
  shared,
  own: Object.fromEntries(containers.flatMap(({ env }) => env.map(({ name, value }) => [name, value]))),
});

/** The Secrets, with their keys, from which containers take variables. */
export const secretKeys = (containers: readonly PodContainer[]): readonly string[] =>
  containers.flatMap(({ env }) =>
    env.flatMap((each) => {
      const from = z.object({ valueFrom: z.object({ secretKeyRef: keyRef }) }).safeParse(each);
      return from.success ? [`${from.data.valueFrom.secretKeyRef.name}/${from.data.valueFrom.secretKeyRef.key}`] : [];
    }),
  );

/** Parses lines of the form NAME=value; lines that begin with # are comments. */
export const parseEnvFile = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));

const configMap = z.object({ kind: z.literal("ConfigMap"), data: z.record(z.string(), z.string()) });

/** Returns the data of the ConfigMap whose name begins as given: generators add a hash. */
export function configMapData(resources: readonly object[], prefix: string): Record<string, string> {
  for (const resource of resources) {
    const found = configMap.extend({ metadata: z.object({ name: z.string().startsWith(prefix) }) }).safeParse(resource);
    if (found.success) return found.data.data;
  }
  throw new Error(`there is no ConfigMap ${prefix}`);
}

/** Parses a compose file with its merge keys. */
export const parseCompose = (text: string): unknown => parse(text, { merge: true, uniqueKeys: true });
