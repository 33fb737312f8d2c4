// npm run check:alerts: promtool checks the alerts and runs their tests. promtool comes with Prometheus; the variable
// PROMTOOL names it when it is not on the path.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rulesOf } from "./rules.ts";

const folder = fileURLToPath(new URL("../../k8s/monitoring/", import.meta.url));
const promtool = process.env["PROMTOOL"] ?? "promtool";
const scratch = mkdtempSync(join(tmpdir(), "tracklog-alerts-"));
try {
  writeFileSync(join(scratch, "rules.yaml"), rulesOf(readFileSync(`${folder}prometheus-rule.yaml`, "utf8")));
  copyFileSync(`${folder}alerts.test.yaml`, join(scratch, "tests.yaml"));
  process.exitCode = run("check", "rules", "rules.yaml") || run("test", "rules", "tests.yaml");
} finally {
  rmSync(scratch, { recursive: true });
}

function run(...args: string[]): number {
  const { status, error } = spawnSync(promtool, args, { cwd: scratch, stdio: "inherit" });
  if (error === undefined) return status ?? 1;
  process.stderr.write("promtool does not run: install Prometheus, or name promtool in the variable PROMTOOL\n");
  return 1;
}
