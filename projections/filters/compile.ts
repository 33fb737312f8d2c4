import type { CompileContext, Filtering, OwnMembers, SqlField } from "./fields.ts";
import { all, any, given, not } from "./sql/sql.ts";

type Table<Inputs> = { readonly [Name in keyof Inputs]: SqlField<Inputs[Name]> };

/** Compiles the filter to a condition on the rows of the table that the fields describe. */
export function compile<Inputs>(
  fields: Table<Inputs>,
  filter: NoInfer<Filtering<Inputs>>,
  asking: Omit<CompileContext, "scope"> & Partial<CompileContext>,
): string {
  const { scope = [] } = asking;
  const keys = conditionsOf(fields, filter, { ...asking, scope }, true);
  const within = { ...asking, scope: [...scope, ...keys] };
  const conditions = [...keys, ...conditionsOf(fields, filter, within, false)];
  const again = (inner: Filtering<Inputs>) => compile(fields, inner, within);
  if (given(filter.and)) conditions.push(all(filter.and.map(again)));
  if (given(filter.or)) conditions.push(any(filter.or.map(again)));
  if (given(filter.not)) conditions.push(not(again(filter.not)));
  return all(conditions);
}

function conditionsOf<Inputs>(
  fields: Table<Inputs>,
  filter: OwnMembers<Inputs>,
  asking: CompileContext,
  isKey: boolean,
): string[] {
  const conditions: string[] = [];
  for (const name in fields) {
    const input = filter[name];
    if (input !== null && input !== undefined && fields[name].isKey === isKey) {
      conditions.push(fields[name].compile(input, asking));
    }
  }
  return conditions;
}
