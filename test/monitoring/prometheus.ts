// A Prometheus as a process of its own: it scrapes the given ports every two seconds and evaluates tracklog's alerts.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { until } from "../support/running/processes.ts";
import { rulesOf } from "./rules.ts";

export interface Prometheus {
  readonly url: string;
  /** Targets that do not answer, and rules that cannot be evaluated. */
  faults(): Promise<string[]>;
  /** Names of the alerts that fire. */
  firing(): Promise<string[]>;
  /** Names of all metrics that a target describes, also of those without a value yet. */
  metrics(): Promise<ReadonlySet<string>>;
  /** How many series the expression has now. Rejects when Prometheus refuses it. */
  seriesOf(expr: string): Promise<number>;
  stop(): Promise<void>;
}

const INTERVAL = "2s";
const RULES = fileURLToPath(new URL("../../k8s/monitoring/prometheus-rule.yaml", import.meta.url));

/** `directory`: for its files. Rejects when the program cannot be started. */
export async function startPrometheus(directory: string, ports: readonly number[]): Promise<Prometheus> {
  const url = `http://127.0.0.1:${await freePort()}`;
  await writeFile(join(directory, "rules.yaml"), rulesOf(readFileSync(RULES, "utf8")));
  await writeFile(join(directory, "prometheus.yaml"), configOf(ports));
  const child = spawn(
    process.env["PROMETHEUS"] ?? "prometheus",
    ["--config.file=prometheus.yaml", "--storage.tsdb.path=data", `--web.listen-address=${new URL(url).host}`],
    { cwd: directory, stdio: ["ignore", "ignore", "pipe"] },
  );
  const lines: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => lines.push(String(chunk)));
  const ended = once(child, "exit").then(() => {
    throw new Error(`Prometheus ended:\n${lines.join("")}`);
  });
  await Promise.race([ended, until(async () => (await fetch(`${url}/-/ready`)).ok)]);
  ended.catch(() => undefined);
  return asPrometheus(url, child);
}

function asPrometheus(url: string, child: ChildProcess): Prometheus {
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data?: unknown; error?: string };
    if (error !== undefined) throw new Error(`${path}: ${error}`);
    return data;
  };
  return {
    url,
    faults: async () => [...faultsOfTargets(await ask("targets")), ...faultsOfRules(await ask("rules"))],
    async firing() {
      const { alerts } = (await ask("alerts")) as { alerts: { state: string; labels: { alertname: string } }[] };
      return alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
    },
    async metrics() {
      const described = (await ask("targets/metadata")) as { metric: string }[];
      return new Set(described.map(({ metric }) => metric));
    },
    async seriesOf(expr) {
      const { result } = (await ask(`query?query=${encodeURIComponent(expr)}`)) as { result: unknown[] };
      return result.length;
    },
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

function faultsOfTargets(data: unknown): string[] {
  const { activeTargets } = data as { activeTargets: { scrapeUrl: string; health: string; lastError: string }[] };
  return activeTargets
    .filter(({ health }) => health !== "up")
    .map(({ scrapeUrl, lastError }) => `${scrapeUrl} does not answer: ${lastError}`);
}

function faultsOfRules(data: unknown): string[] {
  const { groups } = data as { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  if (rules.length === 0) return ["no alerts were loaded"];
  return rules
    .filter(({ health }) => health !== "ok")
    .map(({ name, lastError }) => `${name} is not evaluated: ${lastError}`);
}

const configOf = (ports: readonly number[]): string => `global:
  scrape_interval: ${INTERVAL}
  evaluation_interval: ${INTERVAL}
rule_files: [rules.yaml]
scrape_configs:
  - job_name: tracklog
    static_configs:
      - targets: [${ports.map((port) => `"127.0.0.1:${port}"`).join(", ")}]
`;
