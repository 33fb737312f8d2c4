// npm run check:k8s: builds every overlay with kustomize, also with the components that none of them names, validates
// what comes out strictly, and checks names, and the environment of every process against its configuration. Needs
// kustomize, kubectl or Go; no cluster.
import { readdirSync } from "node:fs";
import { messageOf } from "../../schemas/errors.ts";
import { inconsistencies } from "./consistency.ts";
import { buildFolder, findKustomize } from "./kustomize.ts";
import { configMapData, environmentOf, processContainer, workloadsOf } from "./pods.ts";
import { jobs, problemsOf, roles } from "./processes.ts";
import { securityFaults } from "./restricted.ts";
import { createValidator, type Resource, readResources } from "./validate.ts";

const overlays = ["k8s/overlays", "test/deploy/overlays"].flatMap((folder) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`),
);

try {
  const kustomize = findKustomize(process.env["KUSTOMIZE"]);
  const validate = createValidator();
  for (const overlay of overlays) {
    const resources = readResources(await buildFolder(kustomize, overlay));
    const faults = [
      ...resources.flatMap((each) => schemaFaults(validate, each)),
      ...inconsistencies(resources),
      ...securityFaults(resources),
      ...environmentFaults(resources),
    ];
    for (const fault of faults) {
      process.stderr.write(`${overlay}: ${fault}\n`);
      process.exitCode = 1;
    }
    process.stdout.write(`${overlay}: ${resources.length} resources, built with ${kustomize.join(" ")}\n`);
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

function schemaFaults(validate: ReturnType<typeof createValidator>, resource: Resource): readonly string[] {
  const title = `${resource.apiVersion} ${resource.kind} ${resource.metadata.name}`;
  return validate(resource).map((fault) => `${title}: ${fault}`);
}

function environmentFaults(resources: readonly Resource[]): readonly string[] {
  const workloads = workloadsOf(resources);
  const shared = configMapData(resources, "tracklog-");
  const hasCommands = workloads.some(({ metadata }) => metadata.name === "commands");
  return Object.entries({ ...roles, ...jobs }).flatMap(([name, deployed]) => {
    const workload = workloads.find(({ kind, metadata }) => kind !== "StatefulSet" && metadata.name === name);
    // The component of commands turns this Job into another one.
    if (workload === undefined) return name === "topics" && hasCommands ? [] : [`${name} is not deployed`];
    const container = processContainer(workload);
    const faults = problemsOf(deployed, environmentOf(shared, [container]));
    const isStarted = container.args[0] === deployed.script;
    return [...faults, ...(isStarted ? [] : [`its command is not ${deployed.script}`])].map(
      (fault) => `${workload.kind} ${name}: ${fault}`,
    );
  });
}
