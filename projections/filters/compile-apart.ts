import { compile } from "./compile.ts";
import type { Asking, Filtering, OwnMembers, SqlField } from "./fields.ts";
import { any, given, not } from "./sql/sql.ts";

/** All of them together are the filter. */
export interface Apart {
  /** Without the field. */
  readonly before: readonly string[];
  /** None when the filter does not ask for the field. */
  readonly behind: readonly string[];
}

/** Compiles the filter, with what it asks of one field apart: for a column that is costly to compute. */
export function compileApart<Inputs>(
  fields: { readonly [Name in keyof Inputs]: SqlField<Inputs[Name]> },
  late: NoInfer<keyof Inputs>,
  filter: NoInfer<Filtering<Inputs>>,
  asking: Omit<Asking, "scope">,
): Apart {
  const before: string[] = [];
  const behind: string[] = [];
  const own: OwnMembers<Inputs> = filter;
  for (const name in fields) {
    const input = own[name];
    if (input === null || input === undefined) continue;
    (name === late ? behind : before).push(fields[name].compile(input, { ...asking, scope: [] }));
  }
  for (const inner of filter.and ?? []) {
    const apart = compileApart<Inputs>(fields, late, inner, asking);
    before.push(...apart.before);
    behind.push(...apart.behind);
  }
  const { or, not: opposite } = filter;
  const again = (inner: Filtering<Inputs>) => compile<Inputs>(fields, inner, asking);
  if (given(or)) (or.some(asksLate) ? behind : before).push(any(or.map(again)));
  if (given(opposite)) (asksLate(opposite) ? behind : before).push(not(again(opposite)));
  return { before, behind };

  function asksLate(inner: Filtering<Inputs>): boolean {
    const within = [...(inner.and ?? []), ...(inner.or ?? []), ...(given(inner.not) ? [inner.not] : [])];
    return given(inner[late]) || within.some(asksLate);
  }
}
