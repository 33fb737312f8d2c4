import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineConnection, RunResult } from "./engine.ts";
import { GatewayError } from "./failure.ts";
import { insertParts, quoted } from "./sql.ts";

const EMPTY_LINE = Buffer.from("\n\n");
const NEW_LINE = 10;

/**
 * Inserts the data of a body. The engine ends inline data at an empty line and would run the rest as SQL. So data with
 * an empty line (a text in CSV, two bytes of a number in RowBinary) goes through a file.
 */
export async function insertData(
  connection: EngineConnection,
  sql: string,
  data: Buffer,
  spoolDir: string,
): Promise<RunResult> {
  const parts = insertParts(sql);
  if (parts === undefined) {
    throw new GatewayError(36, "BAD_ARGUMENTS", "A statement whose data comes in the body must end in FORMAT x");
  }
  if (data[0] !== NEW_LINE && !data.includes(EMPTY_LINE)) return connection.insert(sql, data);

  const file = join(spoolDir, randomUUID());
  try {
    await writeFile(file, data);
    const from = `FROM INFILE ${quoted(file)} COMPRESSION 'none'`;
    const result = await connection.run(
      `${parts.head} ${from}${parts.settings} FORMAT ${parts.format}`,
      "TabSeparated",
    );
    return { ...result, rowsWritten: result.rowsRead ?? 0, bytesWritten: result.bytesRead ?? 0 };
  } finally {
    await rm(file, { force: true });
  }
}
