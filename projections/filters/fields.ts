// One description per filter field serves both sides: match.ts judges a value in memory, compile.ts writes the
// condition in SQL. The rules that both follow are in schemas/filters.ts.
import type { DataSourceIds } from "../history/queries/records.ts";
import type { Params } from "./sql/sql.ts";

export type Maybe<T> = T | null | undefined;

interface Combined<Self> {
  readonly and?: readonly Self[] | null | undefined;
  readonly or?: readonly Self[] | null | undefined;
  readonly not?: Self | null | undefined;
}

export type Test<Value> = (value: Value) => boolean;

export interface MemoryField<Input, Subject> {
  /** Compiles the input: what is returned is called for every subject. */
  readonly test: (input: Input) => Test<Subject>;
}

/** What a field may use to compile its condition. */
export interface Asking {
  readonly params: Params;
  readonly dataSourceIds: DataSourceIds;
  /** Conditions on key columns that the rows of the query fulfil anyway: subqueries repeat them to read less. */
  readonly scope: readonly string[];
  /** Selects the keys of tracks among which are those of all rows of the query: a subquery over tracks reads no others. */
  readonly tracks?: string | undefined;
}

export interface SqlField<Input> {
  /** Whether it is a condition on the table's key: subqueries of the other fields repeat it. */
  readonly isKey: boolean;
  readonly compile: (input: Input, asking: Asking) => string;
}

export interface Field<Input, Subject> extends MemoryField<Input, Subject>, SqlField<Input> {}

/** A filter with these members. */
export type Filtering<Inputs> = OwnMembers<Inputs> & Combined<Filtering<Inputs>>;

export type OwnMembers<Inputs> = { readonly [Name in keyof Inputs]?: Maybe<Inputs[Name]> };

type Members<Filter> = Exclude<keyof Filter, keyof Combined<Filter>>;
type InputOf<Filter, Name extends keyof Filter> = NonNullable<Filter[Name]>;

/** The compiler refuses a record that lacks one of the filter's members. */
export type MemoryFields<Filter, Subject> = {
  readonly [Name in Members<Filter>]-?: MemoryField<InputOf<Filter, Name>, Subject>;
};

export type Fields<Filter, Subject> = {
  readonly [Name in Members<Filter>]-?: Field<InputOf<Filter, Name>, Subject>;
};

/** Where the value is in a row: a column or any expression. */
export interface Column {
  readonly sql: string;
  readonly nullable?: boolean;
  /** Equality ignores case, for values that are words (tags). */
  readonly anyCase?: boolean;
}

interface InMemory<Subject, Value> {
  readonly value: (subject: Subject) => Value;
  readonly anyCase?: boolean;
}

interface InBoth<Subject, Value> extends Column {
  readonly value: (subject: Subject) => Value;
  readonly isKey?: boolean;
}

/** How both sides judge the values of one kind. */
export interface Kind<Input, Value> {
  readonly test: (input: Input, anyCase: boolean) => Test<Value>;
  readonly compile: (params: Params, column: Column, input: Input) => string;
}

/** Makes the fields of a kind; a field described without `sql` is judged only in memory. */
export interface FieldOf<Input, Value> {
  <Subject>(description: InBoth<Subject, Value>): Field<Input, Subject>;
  <Subject>(description: InMemory<Subject, Value>): MemoryField<Input, Subject>;
}

export function fieldOf<Input, Value>(kind: Kind<Input, Value>): FieldOf<Input, Value> {
  function field<Subject>(description: InBoth<Subject, Value>): Field<Input, Subject>;
  function field<Subject>(description: InMemory<Subject, Value>): MemoryField<Input, Subject>;
  function field<Subject>(description: InMemory<Subject, Value> & Partial<InBoth<Subject, Value>>) {
    const { value, sql, anyCase = false, isKey = false } = description;
    const test = (input: Input): Test<Subject> => {
      const passes = kind.test(input, anyCase);
      return (subject) => passes(value(subject));
    };
    if (sql === undefined) return { test };
    const column: Column = { ...description, sql };
    return { isKey, test, compile: (input: Input, { params }: Asking) => kind.compile(params, column, input) };
  }
  return field;
}
