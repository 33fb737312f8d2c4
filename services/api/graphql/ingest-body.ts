// Reads a body that asks for detections to be created, in the form in which pipelines send it by the thousand, directly
// into the inputs of the resolver. JSON.parse and the coercion of its values are half of the work on a detection, and
// leave ten objects for the garbage collector where this leaves three.

import { GraphQLError } from "graphql";
import type { CreateDetectionInput } from "../../../schemas/graphql/inputs.ts";
import { FlatPolygon } from "../write/polygon.ts";
import { isUnusual, JsonBytes, jsonToken, unusual } from "./json-bytes.ts";

/** An operation with one variable, whose inputs are coerced. */
export interface IngestBody {
  readonly source: string;
  readonly operationName: string | undefined;
  readonly variable: string;
  readonly isList: boolean;
  readonly inputs: readonly CreateDetectionInput[];
}

/** Coerces a member that has not been read into its final form. Throws when it is wrong. */
export type CoerceMember = (name: "position" | "polygon" | "direction" | "metadata", value: unknown) => unknown;

const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;
const NULL = jsonToken("null");
const [QUERY, VARIABLES, OPERATION_NAME] = [
  jsonToken('"query"'),
  jsonToken('"variables"'),
  jsonToken('"operationName"'),
];
const [TRACK_ID, TIMESTAMP, POLYGON] = [jsonToken('"trackId"'), jsonToken('"timestamp"'), jsonToken('"polygon"')];
const [TYPE, POLYGON_TYPE, COORDINATES] = [jsonToken('"type"'), jsonToken('"Polygon"'), jsonToken('"coordinates"')];
const OTHERS = (["position", "direction", "metadata"] as const).map((name) => ({ name, key: jsonToken(`"${name}"`) }));

/** @returns undefined for a body of another form, which may still be a valid operation. */
export function readIngestBody(bytes: Buffer, coerceMember: CoerceMember): IngestBody | undefined {
  const json = new JsonBytes(bytes);
  // Most bodies of other operations differ in their first bytes.
  if (!json.passesSign(OPEN)) return undefined;
  try {
    const body = readMembers(json, coerceMember);
    return json.isAtEnd() ? body : undefined;
  } catch (error) {
    // The coercion throws a GraphQLError.
    if (isUnusual(error) || error instanceof GraphQLError) return undefined;
    throw error;
  }
}

function readMembers(json: JsonBytes, coerceMember: CoerceMember): IngestBody {
  let source: string | undefined;
  let operationName: string | null | undefined;
  let variables: Variables | undefined;
  do {
    if (source === undefined && json.passes(QUERY)) {
      json.passSign(COLON);
      const query = json.value();
      source = typeof query === "string" ? query : unusual();
    } else if (variables === undefined && json.passes(VARIABLES)) {
      json.passSign(COLON);
      variables = readVariables(json, coerceMember);
    } else if (operationName === undefined && json.passes(OPERATION_NAME)) {
      json.passSign(COLON);
      operationName = json.passes(NULL) ? null : json.text();
    } else unusual();
  } while (json.passesSign(COMMA));
  json.passSign(CLOSE);
  if (source === undefined || variables === undefined) return unusual();
  return { source, operationName: operationName ?? undefined, ...variables };
}

type Variables = Pick<IngestBody, "variable" | "isList" | "inputs">;

function readVariables(json: JsonBytes, coerceMember: CoerceMember): Variables {
  json.passSign(OPEN);
  const variable = json.text();
  json.passSign(COLON);
  const isList = json.passesSign(OPEN_LIST);
  const inputs: CreateDetectionInput[] = [];
  do inputs.push(readDetection(json, coerceMember));
  while (isList && json.passesSign(COMMA));
  if (isList) json.passSign(CLOSE_LIST);
  json.passSign(CLOSE);
  return { variable, isList, inputs };
}

function readDetection(json: JsonBytes, coerceMember: CoerceMember): CreateDetectionInput {
  let trackId: string | undefined;
  let timestamp: number | undefined;
  let polygon: FlatPolygon | null | undefined;
  let others: Record<string, unknown> | undefined;
  json.passSign(OPEN);
  do {
    if (trackId === undefined && json.passes(TRACK_ID)) {
      json.passSign(COLON);
      trackId = json.text();
    } else if (timestamp === undefined && json.passes(TIMESTAMP)) {
      json.passSign(COLON);
      timestamp = json.time();
    } else if (polygon === undefined && json.passes(POLYGON)) {
      json.passSign(COLON);
      polygon = json.passes(NULL) ? null : readPolygon(json);
    } else {
      others = readOther(json, others, coerceMember);
    }
  } while (json.passesSign(COMMA));
  json.passSign(CLOSE);
  if (trackId === undefined || timestamp === undefined) return unusual();
  // A literal of one form for most detections: V8 then makes the code that reads them for one form only.
  return others === undefined ? { trackId, timestamp, polygon } : { trackId, timestamp, polygon, ...others };
}

function readOther(json: JsonBytes, others: Record<string, unknown> = {}, coerceMember: CoerceMember) {
  for (const { name, key } of OTHERS) {
    if (!json.passes(key)) continue;
    // The last of two members with one name counts for JSON.parse.
    if (name in others) unusual();
    json.passSign(COLON);
    others[name] = coerceMember(name, json.value());
    return others;
  }
  return unusual();
}

function readPolygon(json: JsonBytes): FlatPolygon {
  json.passSign(OPEN);
  let hasType = false;
  let rings: number[][] | undefined;
  do {
    if (rings === undefined && json.passes(COORDINATES)) {
      json.passSign(COLON);
      rings = readRings(json);
    } else if (!hasType && json.passes(TYPE)) {
      json.passSign(COLON);
      if (!json.passes(POLYGON_TYPE)) unusual();
      hasType = true;
    } else unusual();
  } while (json.passesSign(COMMA));
  json.passSign(CLOSE);
  return new FlatPolygon(rings ?? unusual());
}

function readRings(json: JsonBytes): number[][] {
  const rings: number[][] = [];
  json.passSign(OPEN_LIST);
  do {
    const ring: number[] = [];
    json.passSign(OPEN_LIST);
    do {
      json.passSign(OPEN_LIST);
      ring.push(json.number());
      json.passSign(COMMA);
      ring.push(json.number());
      json.passSign(CLOSE_LIST);
    } while (json.passesSign(COMMA));
    json.passSign(CLOSE_LIST);
    rings.push(ring);
  } while (json.passesSign(COMMA));
  json.passSign(CLOSE_LIST);
  return rings;
}
