import { messageOf } from "../../../schemas/errors.ts";
import { loadImportConfig } from "./config.ts";
import { ImportError } from "./errors.ts";
import { createImportProgress } from "./progress.ts";
import { runImport } from "./run-import.ts";
import { formatSummary } from "./summary.ts";

try {
  const config = await loadImportConfig(process.argv.slice(2), process.env);
  const summary = await runImport(config, createImportProgress(process.stderr));
  process.stdout.write(`${formatSummary(summary)}\n`);
} catch (error) {
  const sentence = error instanceof ImportError ? error.message : `The import failed: ${messageOf(error)}.`;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
