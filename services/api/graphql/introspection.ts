// Introspection is executed like any other selection: it uses the operation's budget, and pauses. graphql-js gives its
// types resolvers of their own, shared by all schemas of the process.
import { type GraphQLField, type GraphQLObjectType, introspectionTypes, isObjectType } from "graphql";
import type { Budget } from "./budget.ts";

/** May be called again. Operations whose context has no budget are executed as before. */
export function countIntrospection(): void {
  for (const type of introspectionTypes) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values((type as GraphQLObjectType).getFields())) countField(field);
  }
}

/** Maximum number of introspection objects in one operation. Tools request about 5 000. */
const MAX_OBJECTS = 15_000;

const counted = new WeakSet<object>();
const objects = new WeakMap<Budget, number>();

function countField(field: GraphQLField<unknown, unknown>): void {
  const { resolve } = field;
  if (resolve === undefined || counted.has(field)) return;
  counted.add(field);
  field.resolve = (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    const budget = budgetOf(context);
    // A text costs little; an operation can only multiply objects and lists of them.
    if (budget === undefined || typeof value !== "object" || value === null) return value;
    const given = give(budget, Array.isArray(value) ? value : [value]);
    if (Array.isArray(value)) return given;
    // A single object is returned even after the budget is spent: with null in its place, graphql-js would leave
    // rejections unhandled.
    return given instanceof Promise ? given.then(() => value) : value;
  };
}

/** Throws BAD_USER_INPUT for the first list that exceeds the limit of introspection. */
function give(budget: Budget, list: readonly unknown[]): readonly unknown[] | Promise<readonly unknown[]> {
  const count = (objects.get(budget) ?? 0) + list.length;
  objects.set(budget, count);
  if (count > MAX_OBJECTS) budget.refuse(`introspection may give ${MAX_OBJECTS} objects in an operation`);
  return budget.give(list);
}

const budgetOf = (context: unknown): Budget | undefined =>
  typeof context === "object" && context !== null && "budget" in context ? (context.budget as Budget) : undefined;
