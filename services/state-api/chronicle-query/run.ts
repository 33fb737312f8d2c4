// One chronicle query from its body to its answer.
import { fetchSpan, isTooLong, MAX_CHUNKS } from "../../../projections/chronicle-query/chunks.ts";
import { createCollection } from "../../../projections/chronicle-query/collect.ts";
import { matcher, type Wanted } from "../../../projections/chronicle-query/match.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Holding } from "../upstream/room.ts";
import { noRoom, type Upstream, upstreamFailed } from "../upstream/upstream.ts";
import { answerTo, MAX_LENGTH, tooMuch } from "./answer.ts";
import type { ChronicleQuery } from "./body.ts";
import { kinds, rawJson } from "./documents.ts";
import { fetchChronicles } from "./fetch.ts";

/** Of a query as a whole. */
const TIMEOUT_MS = 90_000;
/** Their ids are held for as long as the query runs. */
const MAX_SEEN = 1_000_000;

export interface QueryDeps {
  readonly upstream: Upstream;
  readonly now: () => number;
  readonly timeoutMs?: number;
}

/** JSON, which has its room until the caller has it or is gone. Rejects with what the caller is told. */
export async function runQuery(query: ChronicleQuery, deps: QueryDeps, gone: AbortSignal): Promise<string> {
  const holding = deps.upstream.room.hold();
  const free = () => holding.resize(0);
  try {
    const answer = await fetchAnswer(query, deps, gone, holding);
    if (gone.aborted) free();
    else gone.addEventListener("abort", free, { once: true });
    return answer;
  } catch (error) {
    free();
    throw error;
  }
}

async function fetchAnswer(
  query: ChronicleQuery,
  { upstream, now, timeoutMs = TIMEOUT_MS }: QueryDeps,
  gone: AbortSignal,
  holding: Holding,
): Promise<string> {
  const wanted = wantedBy(query);
  const span = fetchSpan(wanted);
  if (isTooLong(span)) throw badInput(`more than ${MAX_CHUNKS} days to fetch, the lookback included`, ["start_time"]);
  const { graphql_url: url, token_id: tokenId, token_value: tokenValue } = query.credentials;
  upstream.check(url, ["credentials", "graphql_url"]);
  const collection = createCollection(query.limit, matcher(wanted, now()));
  const toJson = query.aggregation.output === "rollup" ? () => "" : rawJson;
  const chunks = await fetchChronicles({
    upstream,
    server: { url, tokenId, tokenValue },
    kind: query.record_kind,
    span,
    deadline: performance.now() + timeoutMs,
    gone,
    take: (node) => {
      const record = kinds[query.record_kind].record.safeParse(node);
      if (!record.success) throw upstreamFailed("a chronicle does not have the shape that was asked for");
      collection.add(record.data, () => toJson(node));
      if (collection.length > 4 * MAX_LENGTH) throw tooMuch();
      if (!holding.resize(collection.length)) throw noRoom();
      if (collection.seen > MAX_SEEN)
        throw upstreamFailed(`more than ${MAX_SEEN} chronicles: ask for a shorter window`);
    },
  });
  const answer = answerTo(query, { ...collection.result(), chunks });
  // As text, and as what is sent of it.
  if (!holding.resize(2 * answer.length)) throw noRoom();
  return answer;
}

function wantedBy({ filters, ...query }: ChronicleQuery): Wanted {
  return {
    start: query.start_time,
    end: query.end_time,
    timeMatch: query.time_match,
    lookbackMs: Math.round(query.overlap_lookback_seconds * 1_000),
    includeOpen: query.include_open,
    filters: {
      producerIds: query.producer_ids ?? filters.producer_ids ?? [],
      siteIds: query.site_ids ?? filters.site_ids ?? [],
      dataSourceIds: query.datasource_ids ?? filters.datasource_ids ?? [],
      labels: filters.labels,
      statuses: filters.statuses,
      priorities: filters.priorities,
    },
  };
}
