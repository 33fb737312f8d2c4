import { decodeCursor, encodeCursor, fingerprint, toPage } from "../../../../projections/cursors.ts";
import { stringField } from "../../../../projections/filters/kinds/string.ts";
import { readFilter } from "../../../../projections/filters/read-filter.ts";
import { checkRange } from "../../../../projections/summaries/sizes.ts";
import type { TrialStay } from "../../../../projections/trial/zone-trial.ts";
import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { badInput, notFound, refuse } from "../../../../schemas/errors.ts";
import type { Zone, ZoneFields } from "../../../../schemas/events.ts";
import type { FilterStringInput } from "../../../../schemas/filters.ts";
import type { GeoJsonPolygonInput, ZoneAnchor } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { pageInfoOf } from "../../read/connection.ts";
import { checkFirst } from "../../read/first.ts";
import { requireDataSource } from "../../read/require-data-source.ts";
import type { TrialAnswer } from "../../read/trials.ts";
import { parseZonePolygon } from "../../write/polygon.ts";
import { durationText } from "../duration.ts";

interface ZoneTrialArgs {
  readonly dataSourceId: string;
  readonly polygon?: GeoJsonPolygonInput | null;
  readonly zoneId?: string | null;
  readonly startTime: number;
  readonly endTime: number;
  readonly anchor?: ZoneAnchor | null;
  readonly enterDetections?: number | null;
  readonly exitDelayMs?: number | null;
  readonly tag?: FilterStringInput | null;
  readonly first: number;
  readonly after?: string | null;
}

/** The order of a trial's intersections. */
const ORDER = [
  { type: "time", direction: "ASC" },
  { type: "String", direction: "ASC" },
] as const;

const tagField = stringField({ value: ({ tag }: TrialStay) => tag, anyCase: true });

export async function zoneTrial(_root: unknown, args: ZoneTrialArgs, context: ApiContext) {
  const { dataSourceId, startTime: from, endTime: to, first } = args;
  checkFirst(first, context.maxFirst);
  checkRange({ from, to });
  refuse(checkStoredTime(from), ["startTime"]);
  refuse(checkStoredTime(to), ["endTime"]);
  const tag = readFilter(args.tag ?? {}, context.filterLimits);
  await Promise.all([context.catalogReached(), context.zonesReached(), context.historyReached()]);
  requireDataSource(context, dataSourceId, ["dataSourceId"]);
  const zone = triedZone(args, context);

  const { polygon, anchor, enterDetections, exitDelayMs } = zone;
  const question = { dataSourceId, from, to, rings: polygon.rings, anchor, enterDetections, exitDelayMs, tag };
  const print = fingerprint(question, ORDER);
  const range = { dataSourceId, from, to };
  const asked = { range, zone, isWanted: tagField.test(tag), most: first + 1, after: placeAfter(args, print) };
  let answer: Promise<TrialAnswer> | undefined;
  const found = () => {
    answer ??= context.trials.run({ tokenId: context.principal.tokenId, client: context.history.client }, asked);
    return answer;
  };
  const page = async () =>
    toPage((await found()).page, first, args.after != null, ({ startTime, trackId }) =>
      encodeCursor([startTime, trackId], print),
    );
  return {
    pageInfo: async () => pageInfoOf(await page()),
    edges: async () => (await page()).edges.map(({ node, cursor }) => ({ node: { ...node, dataSourceId }, cursor })),
    totalCount: async () => (await found()).totals.stays,
    totals: async () => totalsOf(await found()),
  };
}

function placeAfter({ after }: ZoneTrialArgs, print: string) {
  if (after == null) return undefined;
  const [startTime, trackId] = decodeCursor(after, ORDER, print);
  return { startTime: Number(startTime), trackId: String(trackId) };
}

/** Returns the zone of the arguments, as one of the data source. */
function triedZone(args: ZoneTrialArgs, context: ApiContext): Zone {
  const { zoneId, polygon, dataSourceId, anchor, enterDetections, exitDelayMs } = args;
  if ((zoneId == null) === (polygon == null)) throw badInput("either polygon or zoneId must be given", ["polygon"]);
  const known = zoneId == null ? undefined : context.zones.lastKnown(zoneId);
  if (zoneId != null && known === undefined) throw notFound("zone", zoneId, ["zoneId"]);
  const base = known ?? { ...UNNAMED, polygon: drawnPolygon(polygon, context) };
  const fields: ZoneFields = {
    name: base.name,
    polygon: base.polygon,
    active: true,
    anchor: anchor == null ? base.anchor : anchors[anchor],
    enterDetections: atLeast(1, enterDetections ?? base.enterDetections, "enterDetections"),
    exitDelayMs: atLeast(0, exitDelayMs ?? base.exitDelayMs, "exitDelayMs"),
  };
  return { ...fields, dataSourceId, zoneId: zoneId ?? TRIED, createdAt: 0, updatedAt: 0 };
}

/** The id of a zone that does not exist. No client gets it. */
const TRIED = "tried";

const UNNAMED = { name: TRIED, anchor: "area", enterDetections: 1, exitDelayMs: 0 } as const;

const anchors: Readonly<Record<ZoneAnchor, ZoneFields["anchor"]>> = { AREA: "area", BOTTOM_CENTER: "bottom_center" };

function drawnPolygon(polygon: ZoneTrialArgs["polygon"], { maxZoneVertices }: ApiContext): Zone["polygon"] {
  if (polygon == null) throw badInput("a polygon must be given", ["polygon"]);
  return parseZonePolygon(polygon, maxZoneVertices, ["polygon"]);
}

function atLeast(least: number, value: number, name: string): number {
  if (value < least) throw badInput(`${name} is ${least} or more`, [name]);
  return value;
}

function totalsOf({ totals }: TrialAnswer) {
  const { stays, tracks, open, durationMs, duration } = totals;
  return {
    total: stays,
    trackCount: tracks,
    openCount: open,
    totalDuration: durationText(durationMs),
    summaryStatistics: {
      duration: duration && {
        min: durationText(duration.min),
        average: durationText(duration.average),
        max: durationText(duration.max),
      },
    },
  };
}
