// Schemas that somebody else registers, and values that name them.
import { authorizationOf } from "../../../services/common/registry/client.ts";

/** Resolves with the id. Without a type it is an Avro schema. */
export async function registerSchema(
  registryUrl: string,
  subject: string,
  schema: object,
  schemaType = "AVRO",
): Promise<number> {
  const { host, headers } = authorizationOf(registryUrl);
  const answer = await fetch(`${host}/subjects/${subject}/versions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/vnd.schemaregistry.v1+json" },
    body: JSON.stringify({ schemaType, schema: JSON.stringify(schema) }),
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`the registry refuses the schema: ${body}`);
  return JSON.parse(body).id;
}

/** In the Confluent wire format. */
export function withSchemaId(id: number, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(id, 1);
  return Buffer.concat([header, body]);
}
