// Preloaded into a service: on SIGUSR2 it collects its garbage and reports the memory that is left.
import { memoryInUse } from "./memory-in-use.ts";

process.on("SIGUSR2", () => process.stdout.write(`${JSON.stringify({ watched: memoryInUse() })}\n`));
