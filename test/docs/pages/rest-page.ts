// The reference of the REST interface.
import { isObject, type JsonObject, listAt, objectAt, resolveReference } from "../breaking/finding.ts";
import { type Html, html, mark, phrase, prose, referencePage, table } from "./html.ts";
import { descriptionOf, membersHtml, schemaHtml } from "./schema-html.ts";

interface ListedOperation {
  readonly id: string;
  readonly title: string;
  readonly tag: string;
  readonly operation: JsonObject;
}

export function restPage(document: JsonObject): string {
  const operations = Object.entries(objectAt(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]): ListedOperation[] =>
      isObject(operation)
        ? [
            {
              id: String(operation["operationId"]),
              title: `${method.toUpperCase()} ${path}`,
              tag: String(listAt(operation, "tags")[0] ?? "service"),
              operation,
            },
          ]
        : [],
    ),
  );
  const byTag = [...Map.groupBy(operations, ({ tag }) => tag)].sort(([one], [other]) => one.localeCompare(other, "en"));
  const schemas = Object.entries(objectAt(objectAt(document, "components"), "schemas"));
  const info = objectAt(document, "info");
  return referencePage({
    title: String(info["title"]),
    introduction: `${descriptionOf(info)}\n\nMade from \`openapi.json\`.`,
    navigation: [
      ...byTag.map(([tag, own]) => ({ title: tag, links: own.map(({ id, title }) => [id, title] as const) })),
      { title: "schemas", links: schemas.map(([name]) => [name, name] as const) },
    ],
    body: [
      ...byTag.map(
        ([tag, own]) => html`<h2>${tag}</h2>
${own.map((each) => operationEntry(document, each))}`,
      ),
      html`<h2>schemas</h2>
${schemas.map(
  ([name, schema]) => html`<h3 id="${name}">${name}</h3>
${isObject(schema) ? prose(descriptionOf(schema)) : ""}${hasMembers(schema) ? membersHtml(schema) : schemaHtml(schema)}`,
)}`,
    ],
  });
}

const hasMembers = (schema: unknown): boolean => isObject(schema) && isObject(schema["properties"]);

function operationEntry(document: JsonObject, { id, title, operation }: ListedOperation): Html {
  const parameters = listAt(operation, "parameters").filter(isObject).map(parameterRow);
  const body = Object.values(objectAt(objectAt(operation, "requestBody"), "content")).filter(isObject);
  const answers = Object.entries(objectAt(operation, "responses")).map(([status, answer]) =>
    answerRow(status, resolved(document, answer)),
  );
  const isOpen = listAt(operation, "security").length === 0;
  return html`
<h3 id="${id}">${title}${isOpen ? mark("no token") : ""}</h3>
<p><strong>${String(operation["summary"])}</strong></p>
${prose(descriptionOf(operation))}
${parameters.length === 0 ? "" : html`<h4>Parameters</h4>${table(["name", "type", ""], parameters)}`}
${body.map((media) => html`<h4>Body</h4>${schemaHtml(media["schema"])}`)}
<h4>Answers</h4>${table(["status", "body", ""], answers)}`;
}

const parameterRow = (parameter: JsonObject) => [
  html`<code>${String(parameter["name"])}</code>${mark(String(parameter["in"]))}${
    parameter["required"] === true ? "" : mark("optional")
  }`,
  schemaHtml(parameter["schema"]),
  phrase(descriptionOf(parameter)),
];

const answerRow = (status: string, answer: JsonObject) => {
  const media = Object.values(objectAt(answer, "content")).filter(isObject);
  const headers = Object.entries(objectAt(answer, "headers")).map(
    ([name, header]) => html`<p><code>${name}</code>: ${isObject(header) ? phrase(descriptionOf(header)) : ""}</p>`,
  );
  return [
    html`<code>${status}</code>`,
    html`${media.map(({ schema }) => schemaHtml(schema))}`,
    html`${prose(descriptionOf(answer))}${headers}`,
  ];
};

function resolved(document: JsonObject, value: unknown): JsonObject {
  if (!isObject(value)) return {};
  const { $ref: reference } = value;
  return typeof reference === "string" ? resolveReference(document, reference) : value;
}
