// Executes all operations, whether they come by POST, over a WebSocket or an event stream. mercurius parses, validates,
// caches and executes; this file turns its several ways of failing into one.
import { type FastifyInstance, fastify } from "fastify";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  Location,
  type OperationDefinitionNode,
} from "graphql";
import mercurius, { type MercuriusContext, type MercuriusPlugin } from "mercurius";
import { may } from "../../../projections/catalog/tokens.ts";
import { countValues, type FilterLimits } from "../../../projections/filters/read-filter.ts";
import { AppError, badInput } from "../../../schemas/errors.ts";
import type { Scope } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import { tracing } from "../../common/tracing/tracing.ts";
import type { Selection } from "../feed/selection.ts";
import type { TokenLimits } from "../limits/token-limits.ts";
import { formatPosition } from "../read/position.ts";
import { isLargerThan, tooLarge } from "./answer-size.ts";
import type { ApiContext, Principal } from "./context.ts";
import { checkCost } from "./cost.ts";
import { countDetections } from "./count-detections.ts";
import { formatError } from "./errors.ts";
import { checkPolygons } from "./ingest-inputs.ts";
import { variableErrors, withInputPaths } from "./input-path.ts";
import { countIntrospection } from "./introspection.ts";
import {
  checkDocument,
  checkDocumentLength,
  checkLimits,
  type DocumentLimits,
  MAX_ERRORS,
  parseDocument,
} from "./limits.ts";
import { operationSeconds } from "./metrics.ts";
import type { Operation } from "./operation.ts";
import { beginOperation, type CountedOperation, spendDetections } from "./operation-limits.ts";
import { checkPayload } from "./payload-scope.ts";
import { createPlainIngests, type PlainIngest } from "./plain-ingest.ts";
import type { Select } from "./select.ts";

export type ExecutionOutcome =
  | {
      readonly type: "answer";
      /** When false, the operation was refused before execution, and there is no `data`. */
      readonly executed: boolean;
      readonly data?: unknown;
      readonly errors?: readonly GraphQLFormattedError[];
    }
  /** A subscription, which the transport must follow if it can. */
  | { readonly type: "subscription"; readonly selection: Selection };

export type ExecutedAnswer = Extract<ExecutionOutcome, { readonly type: "answer" }>;

export interface Execute {
  /** Rejects with an AppError for refusals of a whole operation; every other result is an outcome. */
  (operation: Operation, context: ApiContext): Promise<ExecutionOutcome>;
  /**
   * Reads the body of an operation whose document was executed before.
   * @returns undefined for a body that must be read as JSON.
   */
  readBody(body: Buffer): Operation | undefined;
}

export interface ExecuteOptions {
  readonly schema: GraphQLSchema;
  /** Executes mutations: the same schema, but it coerces inputs faster. */
  readonly mutationSchema: GraphQLSchema;
  readonly limits: DocumentLimits;
  readonly select: Select;
  readonly tokenLimits: TokenLimits;
  readonly log: Log;
}

interface Executing extends CountedOperation {
  readonly operation: Operation;
}

type ExecutionContext = MercuriusContext & ApiContext & Executing;

/**
 * Number of parsed and validated documents that are kept, and their maximum length in characters. A longer document is
 * validated each time: it usually contains its data and is not repeated, and a thousand of them would fill the memory.
 */
const KEPT_DOCUMENTS = 500;
const KEPT_LENGTH = 8_192;

export async function createExecute(options: ExecuteOptions): Promise<Execute> {
  countIntrospection();
  // mercurius is a plugin and needs a server: this one never listens, so that all transports execute in the same way.
  const host = fastify();
  const plainIngests = createPlainIngests(options, KEPT_DOCUMENTS);
  const keeping = await register(host, options, { cache: KEPT_DOCUMENTS, onMutation: plainIngests.learn });
  const forgetting = await register(host, options, { cache: false, onMutation: () => {} });
  await host.ready();
  const { schema, log, limits, tokenLimits } = options;

  function executePlain({ document, execute }: PlainIngest, given: ApiContext & Executing) {
    prepare(document, given, options);
    return execute(given);
  }

  const execute = async (operation: Operation, context: ApiContext): Promise<ExecutionOutcome> => {
    const { source, variables, operationName } = operation;
    checkDocumentLength(source, limits.maxBytes);
    const graphql = source.length <= KEPT_LENGTH ? keeping : forgetting;
    // mercurius adds its members to the same object; a copy would create the members that the context creates on
    // demand.
    const executing: Executing = { operation, counted: undefined };
    const given = Object.assign(context, executing);
    try {
      const startedAt = performance.now();
      const plain = operation.plain ?? (operation.isLarge ? undefined : plainIngests.find(operation));
      const { data, errors } =
        plain === undefined
          ? // preExecution passes the variables: if they were passed here, mercurius would coerce them twice.
            await graphql(source, given, undefined, operationName)
          : await executePlain(plain, given);
      if (given.rootField !== undefined) {
        operationSeconds.observe({ field: given.rootField }, (performance.now() - startedAt) / 1_000);
      }
      if (data !== undefined) {
        const shown = context.budget.isSpent() ? null : data;
        const answer: ExecutedAnswer = { type: "answer", executed: true, data: shown, ...errorsOf(errors, log) };
        if (!isLargerThan(context.maxAnswerBytes, shown, answer.errors)) return answer;
        return { ...answer, data: null, errors: [formatError(tooLarge(context.maxAnswerBytes), log)] };
      }
      const found = variableErrors(schema, parseDocument(source, limits), operationName, variables);
      return refused(found.length > 0 ? found : (errors ?? []), log);
    } catch (error) {
      if (error instanceof Selected) return { type: "subscription", selection: error.selection };
      // The stack overflowed while mercurius parsed the document or coerced values; errors of resolvers never get here.
      if (causesOf(error).some((cause) => cause instanceof RangeError)) {
        // Throws if the document is at fault.
        checkDocument(schema, source, limits);
        throw badInput("the values are nested too deeply", ["variables"]);
      }
      if (error instanceof DocumentRefused) return refused(error.errors, log);
      const invalid = causesOf(error).filter((cause) => cause instanceof GraphQLError);
      if (invalid.length === 0) throw error;
      return refused(withPaths(source, invalid, limits), log);
    } finally {
      if (given.counted !== undefined) tokenLimits.end(context.principal.tokenId, given.counted);
    }
  };
  return Object.assign(execute, { readBody: plainIngests.read });
}

interface Registration {
  readonly cache: number | false;
  /** Called with each valid document of a mutation before it is executed. */
  readonly onMutation: (source: string, document: DocumentNode) => void;
}

async function register(host: FastifyInstance, options: ExecuteOptions, { cache, onMutation }: Registration) {
  const { schema, limits } = options;
  const registered = Promise.withResolvers<MercuriusPlugin>();
  await host.register(async (scope) => {
    await scope.register(mercurius, {
      schema,
      cache,
      // The JIT of this version ignores defaults of input fields and fails on recursive filters.
      jit: 0,
      routes: false,
      graphql: { parseOptions: { maxTokens: limits.maxTokens }, validateOptions: { maxErrors: MAX_ERRORS } },
      // Leaves the thrown errors unchanged: they are formatted in one place.
      errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
    });
    scope.graphql.addHook("preValidation", async (_schema, document) => {
      // mercurius accepts a parsed document as JSON if it cannot parse the text, and does not check that it is one.
      if (!(document.loc instanceof Location)) throw new DocumentRefused([syntaxError()]);
      const beyond = checkLimits(document, limits);
      if (beyond.length > 0) throw new DocumentRefused(beyond);
    });
    scope.graphql.addHook<ExecutionContext>("preExecution", async (_schema, document, context) => {
      const prepared = prepare(document, context, options);
      if (prepared.schema === undefined) return prepared;
      await checkLargePolygons(document, context.operation);
      onMutation(context.operation.source, document);
      return prepared;
    });
    registered.resolve(scope.graphql);
  });
  return registered.promise;
}

/** Runs between validation and execution: checks scope and cost, and chooses the schema. */
function prepare(
  document: DocumentNode,
  context: ApiContext & Executing,
  { schema, mutationSchema, select, tokenLimits }: ExecuteOptions,
) {
  const { operation: asked, principal, maxCost, filterLimits } = context;
  const { variables, operationName } = asked;
  const operation = getOperationAST(document, operationName);
  // Execution itself reports that no operation has this name.
  if (operation == null) return { variables };
  const [first] = operation.selectionSet.selections;
  if (first?.kind === "Field") {
    context.rootField = first.name.value;
    // The schema has the name, as the document is valid. The operation's own name may be any text of the caller.
    tracing?.rename(`${operation.operation} ${first.name.value}`);
  }
  checkScope(operation.operation, principal);
  if (operation.operation === "mutation") checkPayload(schema, document, operation, asked, principal);
  else checkVariables(variables, filterLimits);
  const tooDear = checkCost(schema, document, operationName, variables, maxCost);
  if (tooDear !== undefined) throw tooDear;
  if (operation.operation === "query") {
    beginOperation(context, "queries", tokenLimits);
    return { variables };
  }
  if (operation.operation === "subscription") {
    const found = variableErrors(schema, document, operationName, variables);
    if (found.length > 0) throw new DocumentRefused(found);
    throw new Selected(Object.assign(select(document, operation, asked), { tokenId: principal.tokenId }));
  }
  if (asked.readOnly) throw badInput("a mutation is sent with POST");
  beginOperation(context, "mutations", tokenLimits);
  spendDetections(countDetections(document, operation, variables), principal, tokenLimits);
  return { variables, schema: mutationSchema };
}

async function checkLargePolygons(document: DocumentNode, { variables, operationName, isLarge }: Operation) {
  const operation = isLarge ? getOperationAST(document, operationName) : undefined;
  if (operation != null) await checkPolygons(declared(operation).map((name) => variables[name]));
}

/**
 * Variables may hold as many values as this number of filters of the largest size. graphql-js coerces all of them
 * without a pause, some 2 000 values in a millisecond.
 */
const LARGE_FILTERS = 3;

function checkVariables(variables: Operation["variables"], { maxValues }: FilterLimits): void {
  const values = countValues(variables);
  if (values <= LARGE_FILTERS * maxValues) return;
  const limit = `the limit is ${LARGE_FILTERS} times API_MAX_FILTER_VALUES (${maxValues})`;
  throw badInput(`the variables hold ${values} values, ${limit}`, ["variables"]);
}

const scopes: Readonly<Record<"query" | "mutation" | "subscription", Scope>> = {
  query: "read",
  mutation: "write",
  subscription: "read",
};

function checkScope(kind: "query" | "mutation" | "subscription", principal: Principal): void {
  const scope = scopes[kind];
  if (!may(principal, scope)) throw new AppError("FORBIDDEN", `a ${kind} needs a token with the scope ${scope}`);
}

const declared = ({ variableDefinitions }: OperationDefinitionNode): string[] =>
  (variableDefinitions ?? []).map(({ variable }) => variable.name.value);

/** Returns the answer as JSON, with the positions of a mutation's events. */
export function toJson({ executed, data, errors }: ExecutedAnswer, positions: readonly LogPosition[]): string {
  const position = formatPosition(positions);
  const extensions = position === undefined ? undefined : { position };
  try {
    // Members that are undefined are left out.
    return JSON.stringify({ errors, data: executed ? data : undefined, extensions });
  } catch (error) {
    // JSON.parse reads values that are nested too deeply for JSON.stringify.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ errors: [TOO_DEEP], data: null, extensions });
  }
}

const TOO_DEEP: GraphQLFormattedError = {
  message: "the answer is nested too deeply",
  extensions: { code: "BAD_USER_INPUT" },
};

/** A hook of mercurius can only refuse a document by throwing. */
class DocumentRefused extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super("document refused");
    this.errors = errors;
  }
}

/** Thrown to keep mercurius from executing a subscription. */
class Selected extends Error {
  readonly selection: Selection;

  constructor(selection: Selection) {
    super("a subscription");
    this.selection = selection;
  }
}

const syntaxError = () => new GraphQLError("Syntax Error: the document is not GraphQL.");

/** The error of mercurius has the errors of the document in `errors`. */
const causesOf = (error: unknown): readonly unknown[] =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : [error];

function withPaths(source: string, errors: readonly GraphQLError[], limits: DocumentLimits): readonly GraphQLError[] {
  const document = tryParse(source, limits);
  return document === undefined ? errors : withInputPaths(document, errors);
}

function tryParse(source: string, limits: DocumentLimits): DocumentNode | undefined {
  try {
    return parseDocument(source, limits);
  } catch {
    return undefined;
  }
}

const refused = (errors: readonly GraphQLError[], log: Log): ExecutedAnswer => ({
  type: "answer",
  executed: false,
  ...errorsOf(errors, log),
});

function errorsOf(errors: readonly GraphQLError[] | undefined, log: Log): Pick<ExecutedAnswer, "errors"> {
  return errors === undefined || errors.length === 0 ? {} : { errors: errors.map((error) => formatError(error, log)) };
}
