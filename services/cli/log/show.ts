// Verifies a file and describes it.
import { isoTime } from "../../../schemas/identity.ts";
import { isOtherFold } from "../../recorded/stretch/metadata.ts";
import { openStretch } from "../../recorded/stretch/read-stretch.ts";

/** Resolves with lines of text. Rejects with a sentence about the fault of the file. */
export async function showStretch(path: string): Promise<string> {
  const file = await openStretch(path);
  try {
    const { metadata, facts, segments } = file;
    const { version, namespace, logId, exportedAt, asked } = metadata;
    const times = [facts.firstRecordedAt, facts.lastRecordedAt].map((time) =>
      Number.isNaN(time) ? "-" : isoTime(time),
    );
    return [
      `${path} is whole: ${facts.messages} messages of ${[...facts.dataSourceIds].join(", ")}`,
      `asked       ${JSON.stringify(asked)}`,
      `recorded    ${times.join(" to ")}`,
      `exported    ${exportedAt} by tracklog ${version} from the log ${logId}${namespace === "" ? "" : ` of ${namespace}`}`,
      ...(isOtherFold(metadata) ? ["note        it was folded by other rules: signals of a replay may differ"] : []),
      ...segments.map(({ segment: { partition, begin, log, dataSourceIds } }) => {
        const origin = log === "history" ? "from the history" : `from offset ${begin} on`;
        return `segment     partition ${partition} ${origin}: ${dataSourceIds.join(", ")}`;
      }),
    ].join("\n");
  } finally {
    await file.close();
  }
}
