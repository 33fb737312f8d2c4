// Finds parts of a statement's text that the gateway needs, without a parser.

export const quoted = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

export const identifier = (name: string): string => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;

const LEADING_COMMENTS = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

const bare = (sql: string): string => sql.replace(LEADING_COMMENTS, "");

export const isInsert = (sql: string): boolean => /^insert\s/i.test(bare(sql));

export const isSelect = (sql: string): boolean => /^(?:select|with)\s/i.test(bare(sql));

/** Returns the format that a statement names at its end. */
export const formatOf = (sql: string): string | undefined =>
  /\sformat\s+(\w+)\s*(?:settings\s[^()]*)?;?\s*$/i.exec(sql)?.[1];

export interface InsertParts {
  /** The part `INSERT INTO table (columns)`, without the settings and the format. */
  readonly head: string;
  readonly settings: string;
  readonly format: string;
}

/** Splits an INSERT whose data follows in the body: ... [SETTINGS ...] FORMAT x. */
export function insertParts(sql: string): InsertParts | undefined {
  const match = /^(insert\s[\s\S]*?)((?:\s+settings\s+[^()]*?)?)\s+format\s+(\w+)\s*;?\s*$/i.exec(bare(sql));
  if (!match) return undefined;
  const [, head = "", settings = "", format = ""] = match;
  return { head, settings, format };
}
