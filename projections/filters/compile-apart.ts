import { compile } from "./compile.ts";
import type { CompileContext, Filtering, OwnMembers, SqlField } from "./fields.ts";
import { any, given, not } from "./sql/sql.ts";

/** The conditions of a filter in two groups. The filter holds when all of them hold. */
export interface Apart {
  /** Conditions that do not use the field. */
  readonly before: readonly string[];
  /** Conditions that use the field. Empty when the filter has none. */
  readonly behind: readonly string[];
  /** True when the conditions in `behind` use no other field. */
  readonly isFieldAlone: boolean;
}

/** Compiles a filter and keeps the conditions on one field apart, because its column is costly to compute. */
export function compileApart<Inputs>(
  fields: { readonly [Name in keyof Inputs]: SqlField<Inputs[Name]> },
  late: NoInfer<keyof Inputs>,
  filter: NoInfer<Filtering<Inputs>>,
  asking: Omit<CompileContext, "scope">,
): Apart {
  const before: string[] = [];
  const behind: string[] = [];
  let isFieldAlone = true;
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
    isFieldAlone &&= apart.isFieldAlone;
  }
  const { or, not: opposite } = filter;
  const again = (inner: Filtering<Inputs>) => compile<Inputs>(fields, inner, asking);
  if (given(or)) add(or, any(or.map(again)));
  if (given(opposite)) add([opposite], not(again(opposite)));
  return { before, behind, isFieldAlone };

  function add(parts: readonly Filtering<Inputs>[], condition: string): void {
    if (!parts.some(asksLate)) {
      before.push(condition);
      return;
    }
    behind.push(condition);
    isFieldAlone &&= !parts.some(asksOther);
  }

  function asksLate(inner: Filtering<Inputs>): boolean {
    return given(inner[late]) || partsOf(inner).some(asksLate);
  }

  function asksOther(inner: Filtering<Inputs>): boolean {
    const others: OwnMembers<Inputs> = inner;
    for (const name in fields) if (name !== late && given(others[name])) return true;
    return partsOf(inner).some(asksOther);
  }
}

const partsOf = <Inputs>({ and, or, not: opposite }: Filtering<Inputs>): Filtering<Inputs>[] => [
  ...(and ?? []),
  ...(or ?? []),
  ...(given(opposite) ? [opposite] : []),
];
