// Runs operations through mercurius, and turns its several ways of failing into one.
import type { FastifyInstance } from "fastify";
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
import { badInput } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { type AdmitOptions, admit } from "./admit.ts";
import type { ApiContext } from "./context.ts";
import { formatError } from "./errors.ts";
import { lookThroughPolygons } from "./ingest-inputs.ts";
import { variableErrors, withInputPaths } from "./input-path.ts";
import { checkLength, checkLimits, type DocumentLimits, MAX_ERRORS, parseDocument } from "./limits.ts";

export interface Operation {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
  /** Its variables are looked through with pauses before they are coerced. */
  readonly isLarge?: boolean;
}

export interface Outcome {
  /** False: refused before execution; there is no `data`. */
  readonly executed: boolean;
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

export interface Engine {
  /** Rejects with an AppError when the caller may not do this; everything else is an outcome. */
  run(operation: Operation, context: ApiContext): Promise<Outcome>;
}

export interface EngineOptions extends AdmitOptions {
  readonly schema: GraphQLSchema;
  /** Executes mutations: the same, but faster to get inputs into. */
  readonly mutationSchema: GraphQLSchema;
  readonly log: Log;
}

type EngineContext = MercuriusContext & ApiContext & { readonly operation: Operation };

/** Parsed and validated documents that are kept. What is larger is validated each time: a document with its data
 * written into it comes only once, and a thousand of them would fill the memory. */
const KEPT_DOCUMENTS = 500;
const KEPT_LENGTH = 8_192;

export async function createEngine(app: FastifyInstance, options: EngineOptions): Promise<Engine> {
  const keeping = await register(app, options, KEPT_DOCUMENTS);
  const forgetting = await register(app, options, false);
  const { schema, log, limits } = options;

  return {
    async run(operation, context) {
      const { source, variables, operationName } = operation;
      checkLength(source, limits.maxBytes);
      const graphql = source.length <= KEPT_LENGTH ? keeping : forgetting;
      try {
        // Variables go in through preExecution: given here, mercurius would coerce them twice.
        const result = await graphql(source, { ...context, operation }, undefined, operationName);
        if (result.data !== undefined) return { executed: true, data: result.data, ...errorsOf(result.errors, log) };
        const found = variableErrors(schema, parseDocument(source, limits), operationName, variables);
        return { executed: false, ...errorsOf(found.length > 0 ? found : (result.errors ?? []), log) };
      } catch (error) {
        // The stack ended while the document was read or values were coerced; what resolvers throw never comes here.
        if (error instanceof RangeError) {
          // Throws if it was the document.
          parseDocument(source, limits);
          throw badInput("the values are nested too deeply", ["variables"]);
        }
        if (error instanceof DocumentRefused) return { executed: false, ...errorsOf(error.errors, log) };
        const refused = validationErrors(error);
        if (refused === undefined) throw error;
        return { executed: false, ...errorsOf(withPaths(source, refused, limits), log) };
      }
    },
  };
}

async function register(app: FastifyInstance, options: EngineOptions, cache: number | false): Promise<MercuriusPlugin> {
  const { schema, mutationSchema, limits } = options;
  const registered = Promise.withResolvers<MercuriusPlugin>();
  await app.register(async (scope) => {
    await scope.register(mercurius, {
      schema,
      cache,
      // The JIT of this version ignores defaults of input fields and dies of recursive filters.
      jit: 0,
      routes: false,
      graphql: { parseOptions: { maxTokens: limits.maxTokens }, validateOptions: { maxErrors: MAX_ERRORS } },
      // Errors keep what they were thrown with until they are formatted in one place.
      errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
    });
    scope.graphql.addHook("preValidation", async (_schema, document) => {
      // mercurius takes a document in JSON for what it could not parse; nobody has checked that it is one.
      if (!(document.loc instanceof Location)) throw new DocumentRefused([syntaxError()]);
      const beyond = checkLimits(document, limits);
      if (beyond.length > 0) throw new DocumentRefused(beyond);
    });
    scope.graphql.addHook<EngineContext>("preExecution", async (_schema, document, context) => {
      admit(schema, document, context.operation, context.principal, options);
      const { variables, operationName, isLarge } = context.operation;
      const operation = getOperationAST(document, operationName);
      if (operation?.operation !== "mutation") return { variables };
      if (isLarge) await lookThroughPolygons(declared(operation).map((name) => variables[name]));
      return { variables, schema: mutationSchema };
    });
    registered.resolve(scope.graphql);
  });
  return registered.promise;
}

const declared = ({ variableDefinitions }: OperationDefinitionNode): string[] =>
  (variableDefinitions ?? []).map(({ variable }) => variable.name.value);

class DocumentRefused extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super("document refused");
    this.errors = errors;
  }
}

const syntaxError = () => new GraphQLError("Syntax Error: the document is not GraphQL.");

/** mercurius puts what is wrong with a document into `errors` of what it throws. */
function validationErrors(error: unknown): readonly GraphQLError[] | undefined {
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors)) return undefined;
  return error.errors.every((each) => each instanceof GraphQLError) ? error.errors : undefined;
}

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

function errorsOf(errors: readonly GraphQLError[] | undefined, log: Log): Pick<Outcome, "errors"> {
  return errors === undefined || errors.length === 0 ? {} : { errors: errors.map((error) => formatError(error, log)) };
}
