// The reference of the topics and their messages.
import { DAY_MS } from "../../../schemas/units.ts";
import { isObject, type JsonObject, listAt, objectAt } from "../breaking/finding.ts";
import { type Html, html, mark, prose, referencePage, table } from "./html.ts";
import { descriptionOf, membersHtml } from "./schema-html.ts";

export function logPage(document: JsonObject): string {
  const channels = membersOf(objectAt(document, "channels"));
  const messages = membersOf(objectAt(objectAt(document, "components"), "messages"));
  const info = objectAt(document, "info");
  return referencePage({
    title: String(info["title"]),
    introduction: `${descriptionOf(info)}\n\nMade from \`asyncapi.yaml\`.`,
    navigation: [
      { title: "topics", links: channels.map(([name]) => [name, name] as const) },
      { title: "messages", links: messages.map(([name]) => [name, name] as const) },
    ],
    body: [
      html`<h2>topics</h2>
${channels.map(channelEntry)}`,
      html`<h2>messages</h2>
${messages.map(messageEntry)}`,
    ],
  });
}

const membersOf = (value: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Object.entries(value).flatMap(([name, member]) => (isObject(member) ? [[name, member] as const] : []));

const PARTITIONERS: Readonly<Record<string, string>> = {
  murmur2: "murmur2 of the key, as Kafka's Java client computes it",
  cause: "the one with the number of the camera-log partition that the event derives from",
  single: "the only one",
};

function channelEntry([name, channel]: readonly [string, JsonObject]): Html {
  const kafka = objectAt(objectAt(channel, "bindings"), "kafka");
  const settings = objectAt(kafka, "topicConfiguration");
  const retentionMs = settings["retention.ms"];
  const days = typeof retentionMs === "number" && retentionMs >= 0 ? `${retentionMs / DAY_MS} days` : "for ever";
  const isCompacted = listAt(settings, "cleanup.policy").includes("compact");
  const names = Object.keys(objectAt(channel, "messages"));
  const rows = [
    ["key", html`<code>${String(channel["x-key"])}</code>, as text in UTF-8`],
    ["partitions", String(kafka["partitions"])],
    ["partition of a message", PARTITIONERS[String(channel["x-partitioner"])] ?? ""],
    ["kept", isCompacted ? "the newest message of each key" : days],
    ["written by", listAt(channel, "x-writers").join(", ")],
    ["read by", listAt(channel, "x-readers").join(", ")],
    ["messages", html`${names.map((each) => html`<a href="#${each}">${each}</a> `)}`],
  ] as const;
  return html`
<h3 id="${name}">${name}${listAt(channel, "x-writers").includes("producers") ? mark("open to producers") : ""}</h3>
${prose(descriptionOf(channel))}
${table(["", ""], rows)}`;
}

function messageEntry([name, message]: readonly [string, JsonObject]): Html {
  const [example] = listAt(message, "examples").filter(isObject);
  return html`
<h3 id="${name}">${name}</h3>
${prose(String(message["summary"] ?? ""))}
<p>Subject in the registry: <code>${String(message["x-registry-subject"])}</code></p>
<h4>Value (Avro)</h4>
${recordHtml(objectAt(message, "payload")["schema"])}
<h4>Headers</h4>
${membersHtml(message["headers"])}
${
  example === undefined
    ? ""
    : html`<h4>Example</h4><pre><code>${JSON.stringify(example["payload"], undefined, 2)}</code></pre>`
}`;
}

/** The fields of a record; those of the records within it follow in the same row. */
function recordHtml(schema: unknown): Html {
  if (!isObject(schema)) return html``;
  const rows = listAt(schema, "fields")
    .filter(isObject)
    .map((field) => [
      html`<code>${String(field["name"])}</code>`,
      html`<code>${avroType(field["type"])}</code>${
        "default" in field ? mark(`default ${JSON.stringify(field["default"])}`) : ""
      }`,
      html`${recordsIn(field["type"]).map(recordHtml)}`,
    ]);
  return table(["field", "type", ""], rows);
}

function recordsIn(type: unknown): readonly JsonObject[] {
  if (Array.isArray(type)) return type.flatMap(recordsIn);
  if (!isObject(type)) return [];
  return type["type"] === "record" ? [type] : type["type"] === "array" ? recordsIn(type["items"]) : [];
}

function avroType(type: unknown): string {
  if (Array.isArray(type)) return type.map(avroType).join(" | ");
  if (!isObject(type)) return String(type);
  const { type: kind, items, name, logicalType } = type;
  if (kind === "array") return `list of ${avroType(items)}`;
  if (kind === "enum") return listAt(type, "symbols").join(" | ");
  return typeof name === "string" ? name : String(logicalType ?? kind);
}
