// Writes the messages of letters to their topics once more, and reports the outcome for each letter.
import type { EventBounds } from "../../../schemas/bounds.ts";
import { projectedTopics, topicName } from "../../../schemas/topics.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { type LetterHead, type ReadLettersDeps, readHeads } from "../../recorded/letters.ts";
import { type Destination, type Destinations, redriveObstacle } from "./decide-redrive.ts";
import { type LineOutput, letterMatches, unreadableText } from "./list.ts";
import { type RewriteOutcome, rewriteLetters } from "./rewrite-letters.ts";
import { placeText } from "./show.ts";
import { printable } from "./text.ts";

export type RedriveOptions =
  /** With `again`, redriven letters are included. */
  | { readonly ids: readonly string[]; readonly again: boolean }
  /** All open letters with this text in their reason. */
  | { readonly ids: "all"; readonly reason: string | undefined };

export interface RedriveDeps extends ReadLettersDeps, LineOutput {
  readonly bounds: EventBounds;
  readonly now: () => number;
}

/** @returns true when all requested letters are redriven. */
export async function redriveLetters(options: RedriveOptions, deps: RedriveDeps): Promise<boolean> {
  const destinations = await findDestinations(deps);
  const { chosen, refused } = await choose(options, destinations, deps);
  let redriven = 0;
  try {
    for (const outcome of refused) deps.print(outcomeLine(outcome));
    for await (const outcome of rewriteLetters(chosen, { ...deps, destinations })) {
      if (outcome.ok) redriven += 1;
      deps.print(outcomeLine(outcome));
    }
  } finally {
    deps.print(`${redriven} redriven, ${chosen.length + refused.length - redriven} not`);
  }
  return redriven === chosen.length + refused.length;
}

async function findDestinations({ kafka, namespace }: ReadLettersDeps): Promise<Destinations> {
  const topics = new Map<string, Destination>();
  const admin = kafka.admin();
  await admin.connect();
  try {
    for (const topic of projectedTopics) {
      const name = topicName(namespace, topic);
      topics.set(name, { topic, partitions: (await offsetRanges(admin, name)).length });
    }
  } finally {
    await admin.disconnect();
  }
  return { topics };
}

interface Choice {
  readonly chosen: readonly LetterHead[];
  readonly refused: readonly RewriteOutcome[];
}

async function choose(options: RedriveOptions, destinations: Destinations, deps: RedriveDeps): Promise<Choice> {
  const asked = options.ids === "all" ? undefined : new Set(options.ids);
  const filter = { reason: options.ids === "all" ? options.reason : undefined, since: undefined };
  const { heads, unreadable } = await readHeads(
    deps,
    (letter) => asked?.has(letter.id) ?? letterMatches(filter, letter),
  );
  if (unreadable > 0) deps.printError(unreadableText(unreadable));
  const again = options.ids !== "all" && options.again;
  const chosen: LetterHead[] = [];
  const refused: RewriteOutcome[] = [];
  for (const id of asked ?? heads.keys()) {
    const head = heads.get(id);
    if (asked === undefined && head?.redriven !== undefined) continue;
    const reason = head === undefined ? "there is no such letter" : redriveObstacle(head, destinations, again);
    if (reason !== undefined) refused.push({ ok: false, id, reason });
    else if (head !== undefined) chosen.push(head);
  }
  return { chosen, refused };
}

function outcomeLine(outcome: RewriteOutcome): string {
  const what = outcome.ok ? `redriven as ${placeText(outcome.record)}` : `not redriven: ${outcome.reason}`;
  return printable(`${outcome.id}  ${what}`);
}
