// The last line of a command.
import type { Exported } from "./export-stretch.ts";
import type { Imported } from "./import-stretch.ts";

const MB = 1_000_000;

export function exportedText(out: string, { segments, messages, dataSources, bytes, ms }: Exported): string {
  const rate = bytes / MB / Math.max(ms / 1_000, 0.001);
  return (
    `${out}: ${messages} messages of ${counted(dataSources, "data source")} in ${counted(segments, "segment")}, ` +
    `${megabytes(bytes)} MB in ${seconds(ms)} s (${rate.toFixed(1)} MB/s)`
  );
}

export function importedText(path: string, namespace: string, { messages, changes, ms }: Imported): string {
  const rate = Math.round(messages / Math.max(ms / 1_000, 0.001));
  const into = namespace === "" ? "the log" : `the log of ${namespace}`;
  return (
    `${path}: ${messages} messages and ${counted(changes, "change")} of the catalog written into ${into} ` +
    `in ${seconds(ms)} s (${rate} messages/s)`
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const megabytes = (bytes: number): string => (bytes / MB).toFixed(bytes < MB ? 3 : 1);
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
