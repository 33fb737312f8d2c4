// activityChronicleSummary

import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type {
  ActivityChronicleSummaryBucketField,
  FilterActivityChronicleSummaryInput,
} from "../../schemas/graphql/inputs.ts";
import { activityFields } from "../filters/chronicles.ts";
import { compile } from "../filters/compile.ts";
import type { SqlField } from "../filters/fields.ts";
import { compileJsonFieldString } from "../filters/kinds/json.ts";
import { compileString } from "../filters/kinds/string.ts";
import { chronicleHistory } from "../history/chronicles.ts";
import { chronicleQueries } from "../history/queries/chronicles.ts";
import { createParams } from "../history/queries/params.ts";
import { column, type Dimension, entity, mapped } from "./dimensions.ts";
import type { Summarizing, SummaryKind } from "./kind.ts";
import { type Periods, periodsMetadataKeys, summarizePeriods } from "./periods.ts";
import { timeRangeOf } from "./shape.ts";

const periods: Periods = {
  name: "activities summary",
  from: chronicleHistory.activityChronicle.view,
  start: "start_time",
  end: "end_time",
};

/** Nothing sets it. */
const APPROVAL = "CAST(NULL, 'Nullable(String)')";

const dimensions: Readonly<Record<ActivityChronicleSummaryBucketField, Dimension>> = {
  NAME: column("name", "name"),
  DESCRIPTION: column("description", "description"),
  PRIORITY: column("priority", "priority"),
  STATUS: column("status", "status"),
  CHRONICLE_PRODUCER: {
    member: "chronicleProducer",
    show: entity("chronicleProducer"),
    sql: (params, { catalog }) =>
      mapped(
        params,
        "chronicle_producer_id",
        [...catalog.all("chronicleProducer")].map(({ id }) => [id, id] as const),
      ),
  },
  SITE: many("site", "site_ids"),
  DATA_SOURCE: many("dataSource", "data_source_ids"),
  LABEL: { member: "label", isMany: true, sql: () => "labels" },
  VALIDATION_STATUS: column("validationStatus", "validation_status"),
  APPROVAL_STATUS: column("approvalStatus", APPROVAL),
};

/** What the catalog does not know is no value. */
function many(kind: CatalogKind, ids: string): Dimension {
  return {
    member: kind,
    show: entity(kind),
    isMany: true,
    sql: (params, { catalog }) => {
      const known = [...catalog.all(kind)].map(({ id }) => id);
      return known.length === 0 ? "[]" : `arrayFilter(id -> id IN ${params.bindList("String", known)}, ${ids})`;
    },
  };
}

const {
  startTime,
  name,
  description,
  chronicleProducerId,
  dataSourceIds,
  siteIds,
  labels,
  priority,
  status,
  position,
} = activityFields;

type Filter = FilterActivityChronicleSummaryInput;
type SqlOf<Name extends keyof Filter> = SqlField<NonNullable<Filter[Name]>>;

const validationStatus: SqlOf<"validationStatus"> = {
  isKey: false,
  compile: (filter, { params }) => compileString(params, { sql: "validation_status", nullable: true }, filter),
};

const approvalStatus: SqlOf<"approvalStatus"> = {
  isKey: false,
  compile: (filter, { params }) => compileString(params, { sql: APPROVAL, nullable: true }, filter),
};

const metadata: SqlOf<"metadata"> = {
  isKey: false,
  compile: (filter, { params }) => compileJsonFieldString(params, "metadata", filter),
};

const fields = {
  ...{ startTime, name, description, chronicleProducerId, dataSourceIds, siteIds, labels, priority, status, position },
  ...{ validationStatus, approvalStatus, metadata },
};

function asking({ client, filter, question, catalog, zones }: Summarizing<Filter>) {
  const params = createParams();
  const conditions = [compile(fields, filter, { params, dataSourceIds: () => [] })];
  const among = chronicleQueries.activityChronicle.among(params, { timeRange: timeRangeOf(question), and: [filter] });
  if (among !== undefined) conditions.push(among);
  return { client, params, known: { catalog, zones }, conditions };
}

export const activitiesSummary: SummaryKind<Filter> = {
  dimensions,
  summarize: (summarizing) => summarizePeriods(periods, asking(summarizing), summarizing.question),
  metadataKeys: (summarizing, path) => periodsMetadataKeys(periods, asking(summarizing), summarizing.question, path),
};
