// One chronicle query from its body to its answer.
import { fetchSpan, isTooLong } from "../../../projections/chronicles/query/chunks.ts";
import { createMatchCollector } from "../../../projections/chronicles/query/collect.ts";
import { type ChronicleCriteria, matcher } from "../../../projections/chronicles/query/match.ts";
import { badInput } from "../../../schemas/errors.ts";
import { type ChronicleQuery, MAX_QUERY_DAYS } from "../../../schemas/rest/chronicle-query.ts";
import type { Holding } from "../upstream/answer-budget.ts";
import { type Upstream, upstreamBusy, upstreamFailed } from "../upstream/upstream.ts";
import { answerTo, answerTooLarge, MAX_LENGTH } from "./answer.ts";
import { chronicleDocuments, rawJson } from "./documents.ts";
import { fetchChronicles } from "./fetch.ts";

/** Milliseconds for a query as a whole. */
const TIMEOUT_MS = 90_000;
/** The maximum number of chronicles that a query may receive: their ids stay in memory while it runs. */
const MAX_SEEN = 1_000_000;

export interface QueryDeps {
  readonly upstream: Upstream;
  readonly now: () => number;
  readonly timeoutMs?: number;
}

/**
 * Resolves with JSON. Its bytes count in the budget until the caller has received it or has gone. Rejects with the
 * error for the caller.
 */
export async function runQuery(query: ChronicleQuery, deps: QueryDeps, gone: AbortSignal): Promise<string> {
  const holding = deps.upstream.answers.hold();
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
  if (isTooLong(span))
    throw badInput(`more than ${MAX_QUERY_DAYS} days to fetch, the lookback included`, ["start_time"]);
  const { graphql_url: url, token_id: tokenId, token_value: tokenValue } = query.credentials;
  upstream.check(url, ["credentials", "graphql_url"]);
  const collection = createMatchCollector(query.limit, matcher(wanted, now()));
  const toJson = query.aggregation.output === "rollup" ? () => "" : rawJson;
  const chunks = await fetchChronicles({
    upstream,
    server: { url, tokenId, tokenValue },
    kind: query.record_kind,
    span,
    deadline: performance.now() + timeoutMs,
    gone,
    take: (node) => {
      const record = chronicleDocuments[query.record_kind].record.safeParse(node);
      if (!record.success) throw upstreamFailed("a chronicle does not have the shape that was asked for");
      collection.add(record.data, () => toJson(node));
      if (collection.length > 4 * MAX_LENGTH) throw answerTooLarge();
      if (!holding.resize(collection.length)) throw upstreamBusy();
      if (collection.seen > MAX_SEEN)
        throw upstreamFailed(`more than ${MAX_SEEN} chronicles: ask for a shorter window`);
    },
  });
  const answer = answerTo(query, { ...collection.result(), chunks });
  // The answer counts twice: as text, and as the bytes that are sent.
  if (!holding.resize(2 * answer.length)) throw upstreamBusy();
  return answer;
}

function wantedBy({ filters, ...query }: ChronicleQuery): ChronicleCriteria {
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
