// Finds the chronicles that refer to an object.
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import { SHOWN_REFERRERS } from "../../../schemas/errors.ts";
import { type AnyChronicleDescription, chronicleFieldsOf } from "../../chronicles/define-chronicle.ts";
import { chronicles } from "../../chronicles/kinds.ts";
import { createParams } from "../queries/params.ts";
import { ask, type QueryClient } from "../queries/run.ts";
import { columnOf } from "./columns.ts";
import { chronicleHistory } from "./tables.ts";

const kinds: readonly AnyChronicleDescription[] = Object.values(chronicles);

/** One more than callers show, so that they know when there are more. */
const MOST = SHOWN_REFERRERS + 1;

/** Ids of chronicles that refer to this entity of the catalog, at most MOST. */
export async function chroniclesReferringTo(
  client: QueryClient,
  kind: CatalogKind,
  id: string,
): Promise<readonly string[]> {
  const params = createParams();
  const wanted = params.bind("String", id);
  const questions = kinds.flatMap((description) => {
    const { table, view } = chronicleHistory[description.kind];
    return chronicleFieldsOf(description)
      .filter(([, { refersTo }]) => refersTo === kind)
      .map(([name, { type }]) => {
        const column = columnOf(name);
        const holds = (of: string) => (type === "ids" ? `has(${of}, ${wanted})` : `${of} = ${wanted}`);
        // Some row contains each reference, so the view folds only the few chronicles of such rows.
        const rowHolds = holds(`set_${column}.${type === "ids" ? 3 : 2}`);
        return `SELECT chronicle_id AS id FROM ${view}
          WHERE chronicle_id IN (SELECT chronicle_id FROM ${table.name} WHERE ${rowHolds}) AND ${holds(column)} LIMIT ${MOST}`;
      });
  });
  if (questions.length === 0) return [];
  const sql = `SELECT id FROM (${questions.join(" UNION ALL ")}) ORDER BY id LIMIT ${MOST}`;
  return (await ask<{ id: string }>(client, "chronicles referring", sql, params)).map((row) => row.id);
}
