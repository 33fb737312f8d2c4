// The query activityChronicleSummary.

import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type {
  ActivityChronicleSummaryBucketField,
  FilterActivityChronicleSummaryInput,
} from "../../schemas/graphql/inputs.ts";
import { activityFields } from "../filters/chronicles.ts";
import type { SqlField } from "../filters/fields.ts";
import { compileString } from "../filters/kinds/string.ts";
import { column, type Dimension, entity } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { chronicleProducerDimension, metadataField, summaryOfActivities } from "./of-activities.ts";

/** No event sets an approval status, so it is always NULL. */
const APPROVAL = "CAST(NULL, 'Nullable(String)')";

const dimensions: Readonly<Record<ActivityChronicleSummaryBucketField, Dimension>> = {
  NAME: column("name", "name"),
  DESCRIPTION: column("description", "description"),
  PRIORITY: column("priority", "priority"),
  STATUS: column("status", "status"),
  CHRONICLE_PRODUCER: chronicleProducerDimension("chronicleProducer"),
  SITE: many("site", "site_ids"),
  DATA_SOURCE: many("dataSource", "data_source_ids"),
  LABEL: { member: "label", isMany: true, sql: () => "labels" },
  VALIDATION_STATUS: column("validationStatus", "validation_status"),
  APPROVAL_STATUS: column("approvalStatus", APPROVAL),
};

/** Ids that the catalog does not know count as no value. */
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

const fields = {
  startTime: activityFields.startTime,
  name: activityFields.name,
  description: activityFields.description,
  chronicleProducerId: activityFields.chronicleProducerId,
  dataSourceIds: activityFields.dataSourceIds,
  siteIds: activityFields.siteIds,
  labels: activityFields.labels,
  priority: activityFields.priority,
  status: activityFields.status,
  position: activityFields.position,
  validationStatus,
  approvalStatus,
  metadata: metadataField,
};

export const activitiesSummary: SummaryKind<Filter> = summaryOfActivities({
  name: "activities summary",
  dimensions,
  fields,
  toFilter: (filter: Filter) => filter,
});
