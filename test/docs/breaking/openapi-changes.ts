// Compares two OpenAPI documents of one interface.
import { breaking, type Change, isObject, type JsonObject, listAt, objectAt, resolveReference } from "./finding.ts";
import { createSchemaComparison } from "./json-schema.ts";

type Compare = ReturnType<typeof createSchemaComparison>;

/** An operation, and the document that its references lead into. */
interface OperationIn {
  readonly document: JsonObject;
  readonly operation: JsonObject;
}

export function openApiChanges(before: JsonObject, after: JsonObject): readonly Change[] {
  const compare = createSchemaComparison();
  const paths = objectAt(after, "paths");
  return Object.entries(objectAt(before, "paths")).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const present = objectAt(paths, path)[method];
      if (!isObject(operation)) return [];
      if (!isObject(present)) return [breaking(`${name}: was removed`)];
      const [old, now] = [
        { document: before, operation },
        { document: after, operation: present },
      ];
      return [
        ...operationChanges(old, now, name),
        ...parameterChanges(old, now, name, compare),
        ...bodyChanges(old, now, name, compare),
        ...answerChanges(old, now, name, compare),
      ];
    }),
  );
}

function operationChanges(before: OperationIn, after: OperationIn, name: string): readonly Change[] {
  const [was, is] = [before.operation["operationId"], after.operation["operationId"]];
  const isOpen = ({ operation }: OperationIn) => {
    const choices = listAt(operation, "security");
    return choices.length === 0 || choices.some((each) => isObject(each) && Object.keys(each).length === 0);
  };
  return [
    ...(was === is ? [] : [breaking(`${name}: operationId ${was} became ${is}`)]),
    ...(isOpen(before) && !isOpen(after) ? [breaking(`${name}: needs a token`)] : []),
  ];
}

function parameterChanges(before: OperationIn, after: OperationIn, name: string, compare: Compare): readonly Change[] {
  const [olds, presents] = [parametersOf(before), parametersOf(after)];
  const changes = [...olds].flatMap(([key, old]) => {
    const present = presents.get(key);
    if (present === undefined) return [breaking(`${name}: the parameter ${key} was removed`)];
    const sides = [
      { document: before.document, schema: old["schema"] },
      { document: after.document, schema: present["schema"] },
    ] as const;
    return compare(...sides, "sent", `${name} ${key}`);
  });
  const required = [...presents].flatMap(([key, present]) => {
    const wasRequired = olds.get(key)?.["required"] === true;
    return present["required"] === true && !wasRequired ? [breaking(`${name}: the parameter ${key} is required`)] : [];
  });
  return [...changes, ...required];
}

const parametersOf = ({ document, operation }: OperationIn): ReadonlyMap<string, JsonObject> =>
  new Map(
    listAt(operation, "parameters").flatMap((each) => {
      const parameter = resolved(document, each);
      return [[`${parameter["in"]} ${parameter["name"]}`, parameter] as const];
    }),
  );

function bodyChanges(before: OperationIn, after: OperationIn, name: string, compare: Compare): readonly Change[] {
  const [old, present] = [before, after].map(({ document, operation }) => resolved(document, operation["requestBody"]));
  if (old === undefined || present === undefined) return [];
  const required =
    present["required"] === true && old["required"] !== true ? [breaking(`${name}: a body is required`)] : [];
  return [...required, ...contentChanges([before, old], [after, present], "sent", `${name} body`, compare)];
}

function answerChanges(before: OperationIn, after: OperationIn, name: string, compare: Compare): readonly Change[] {
  const answers = objectAt(after.operation, "responses");
  return Object.entries(objectAt(before.operation, "responses")).flatMap(([status, found]) => {
    const old = resolved(before.document, found);
    if (answers[status] === undefined) {
      return status.startsWith("2") ? [breaking(`${name}: the answer ${status} was removed`)] : [];
    }
    const present = resolved(after.document, answers[status]);
    const headers = Object.keys(objectAt(old, "headers")).filter((header) => !(header in objectAt(present, "headers")));
    return [
      ...headers.map((header) => breaking(`${name} ${status}: the header ${header} was removed`)),
      ...contentChanges([before, old], [after, present], "answered", `${name} ${status}`, compare),
    ];
  });
}

type ContentIn = readonly [OperationIn, JsonObject];

function contentChanges(
  [before, old]: ContentIn,
  [after, present]: ContentIn,
  use: "sent" | "answered",
  where: string,
  compare: Compare,
): readonly Change[] {
  const types = objectAt(present, "content");
  return Object.entries(objectAt(old, "content")).flatMap(([type, media]) => {
    const now = types[type];
    if (!isObject(now)) return [breaking(`${where}: ${type} was removed`)];
    const sides = [
      { document: before.document, schema: isObject(media) ? media["schema"] : undefined },
      { document: after.document, schema: now["schema"] },
    ] as const;
    return compare(...sides, use, where);
  });
}

function resolved(document: JsonObject, value: unknown): JsonObject {
  if (!isObject(value)) return {};
  const reference = value["$ref"];
  return typeof reference === "string" ? resolveReference(document, reference) : value;
}
