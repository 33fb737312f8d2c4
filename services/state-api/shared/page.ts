// One page of a list. Its items may have thousands of values each, so a page is bounded in bytes.
import { Problem } from "../http/problem.ts";

interface Listed {
  /** The list is in the order of the keys. */
  readonly key: string;
}

export interface PageOptions<Item extends Listed> {
  /** Name of the list in the answer. */
  readonly name: string;
  readonly all: Iterable<Item>;
  /** Cursor from the answer with the previous page. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /** @returns undefined when there is no such item any more. */
  readonly textOf: (item: Item) => string | undefined | Promise<string | undefined>;
}

const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Resolves with the answer's body. It has at least one item if there is one. */
export async function pageOf<Item extends Listed>(options: PageOptions<Item>): Promise<string> {
  const { name, all, cursor, limit, textOf } = options;
  const after = cursor === undefined ? undefined : keyOf(cursor);
  const left = [...all]
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const texts: string[] = [];
  let characters = 0;
  let last: string | undefined;
  for (const item of left.slice(0, limit)) {
    const text = await textOf(item);
    characters += text?.length ?? 0;
    if (characters > MAX_CHARACTERS && texts.length > 0) break;
    if (text !== undefined) texts.push(text);
    last = item.key;
  }
  const next = last === undefined || last === left.at(-1)?.key ? null : cursorOf(last);
  return `{${JSON.stringify(name)}:[${texts.join(",")}],"next_cursor":${JSON.stringify(next)}}`;
}

const cursorOf = (key: string): string => Buffer.from(key).toString("base64url");

function keyOf(cursor: string): string {
  const key = Buffer.from(cursor, "base64url").toString();
  if (key === "" || cursorOf(key) !== cursor) {
    const detail = "not a cursor that was answered with a page";
    throw new Problem("validation", detail, { errors: [{ pointer: "#/query/cursor", detail }] });
  }
  return key;
}
