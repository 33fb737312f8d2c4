// One page of the list of subscriptions. Subscriptions may have thousands of filter values, so a page is bounded in
// bytes.
import { Problem } from "../http/problem.ts";

interface Listed {
  readonly key: string;
}

export interface PageOptions<S extends Listed> {
  readonly all: Iterable<S>;
  /** Cursor from the answer with the previous page. */
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly textOf: (subscription: S) => string;
}

const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Returns the answer's body, sorted by id. It has at least one subscription if there is one. */
export function pageOf<S extends Listed>({ all, cursor, limit, textOf }: PageOptions<S>): string {
  const after = cursor === undefined ? undefined : idOf(cursor);
  const left = [...all]
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const texts: string[] = [];
  let characters = 0;
  let last: string | undefined;
  for (const subscription of left.slice(0, limit)) {
    const text = textOf(subscription);
    characters += text.length;
    if (characters > MAX_CHARACTERS && texts.length > 0) break;
    texts.push(text);
    last = subscription.key;
  }
  const next = last === undefined || texts.length === left.length ? null : cursorOf(last);
  return `{"subscriptions":[${texts.join(",")}],"next_cursor":${JSON.stringify(next)}}`;
}

const cursorOf = (id: string): string => Buffer.from(id).toString("base64url");

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString();
  if (id === "" || cursorOf(id) !== cursor) {
    const detail = "not a cursor that was answered with a page";
    throw new Problem("validation", detail, { errors: [{ pointer: "#/query/cursor", detail }] });
  }
  return id;
}
