// One description per filter field serves both sides: match.ts tests a value in memory, compile.ts writes the condition
// in SQL. The rules that both follow are in schemas/filters.ts.
import type { DataSourceIds } from "../history/queries/records.ts";
import type { Params } from "./sql/sql.ts";

export type Optional<T> = T | null | undefined;

interface Combined<Self> {
  readonly and?: readonly Self[] | null | undefined;
  readonly or?: readonly Self[] | null | undefined;
  readonly not?: Self | null | undefined;
}

export type Test<Value> = (value: Value) => boolean;

export interface MemoryField<Input, Subject> {
  /** Compiles the input. The result is called for every subject. */
  readonly test: (input: Input) => Test<Subject>;
}

/** The values that a field may use to compile its condition. */
export interface CompileContext {
  readonly params: Params;
  readonly dataSourceIds: DataSourceIds;
  /** Conditions on key columns that the rows of the query fulfil anyway. Subqueries repeat them to read less. */
  readonly scope: readonly string[];
  /**
   * A query that selects the keys of all tracks to which rows of the query belong, and perhaps others. A subquery over
   * tracks reads no other tracks.
   */
  readonly tracks?: string | undefined;
}

export interface SqlField<Input> {
  /** True when the field is part of the table's key: subqueries of the other fields repeat its condition. */
  readonly isKey: boolean;
  readonly compile: (input: Input, asking: CompileContext) => string;
}

export interface Field<Input, Subject> extends MemoryField<Input, Subject>, SqlField<Input> {}

/** A filter with these members. */
export type Filtering<Inputs> = OwnMembers<Inputs> & Combined<Filtering<Inputs>>;

export type OwnMembers<Inputs> = { readonly [Name in keyof Inputs]?: Optional<Inputs[Name]> };

type Members<Filter> = Exclude<keyof Filter, keyof Combined<Filter>>;
type InputOf<Filter, Name extends keyof Filter> = NonNullable<Filter[Name]>;

/** The fields of a filter. The compiler refuses a record that lacks one of the filter's members. */
export type MemoryFields<Filter, Subject> = {
  readonly [Name in Members<Filter>]-?: MemoryField<InputOf<Filter, Name>, Subject>;
};

export type Fields<Filter, Subject> = {
  readonly [Name in Members<Filter>]-?: Field<InputOf<Filter, Name>, Subject>;
};

/** The value in a row, which may be a column or any expression. */
export interface SqlColumn {
  readonly sql: string;
  readonly nullable?: boolean;
  /** True when equality ignores case, for values that are words (tags). */
  readonly anyCase?: boolean;
}

interface InMemory<Subject, Value> {
  readonly value: (subject: Subject) => Value;
  readonly anyCase?: boolean;
}

interface InBoth<Subject, Value> extends SqlColumn {
  readonly value: (subject: Subject) => Value;
  readonly isKey?: boolean;
}

/** The tests of the values of one kind, for memory and for SQL. */
export interface FieldKind<Input, Value> {
  readonly test: (input: Input, anyCase: boolean) => Test<Value>;
  readonly compile: (params: Params, column: SqlColumn, input: Input) => string;
}

/** Makes the fields of a kind. A field that is described without `sql` is tested only in memory. */
export interface FieldOf<Input, Value> {
  <Subject>(description: InBoth<Subject, Value>): Field<Input, Subject>;
  <Subject>(description: InMemory<Subject, Value>): MemoryField<Input, Subject>;
}

export function fieldOf<Input, Value>(kind: FieldKind<Input, Value>): FieldOf<Input, Value> {
  function field<Subject>(description: InBoth<Subject, Value>): Field<Input, Subject>;
  function field<Subject>(description: InMemory<Subject, Value>): MemoryField<Input, Subject>;
  function field<Subject>(description: InMemory<Subject, Value> & Partial<InBoth<Subject, Value>>) {
    const { value, sql, anyCase = false, isKey = false } = description;
    const test = (input: Input): Test<Subject> => {
      const passes = kind.test(input, anyCase);
      return (subject) => passes(value(subject));
    };
    if (sql === undefined) return { test };
    const column: SqlColumn = { ...description, sql };
    return { isKey, test, compile: (input: Input, { params }: CompileContext) => kind.compile(params, column, input) };
  }
  return field;
}
