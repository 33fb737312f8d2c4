// Replaces kafkajs' function that decodes the batches of a fetch by ours.
import { createRequire } from "node:module";
import { type AnswerSoFar, decodeBatches, newAnswer } from "./decode-batches.ts";
import type { DecodedRecord } from "./decode-record.ts";

/** The members of kafkajs' Decoder that are needed to take the batches of one partition out of an answer. */
interface Decoder {
  readInt32(): number;
  canReadBytes(length: number): boolean;
  readBytes(length: number): Buffer;
}

const require = createRequire(import.meta.url);
const DECODE = "kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js";

/**
 * Replaces the function for the whole process. Must be called before the first fetch, with which kafkajs loads it.
 * @returns true when our function is in place.
 */
export function useBoundedBatches(): boolean {
  require(DECODE);
  const module = require.cache[require.resolve(DECODE)];
  if (module !== undefined) module.exports = decodeMessages;
  return require(DECODE) === decodeMessages;
}

/** Answers by kafkajs' decoder; each answer has a decoder of its own. */
const answers = new WeakMap<Decoder, AnswerSoFar>();

async function decodeMessages(decoder: Decoder): Promise<DecodedRecord[]> {
  const answer = answers.get(decoder) ?? newAnswer();
  answers.set(decoder, answer);
  const bytes = decoder.readInt32();
  return bytes > 0 && decoder.canReadBytes(bytes) ? decodeBatches(decoder.readBytes(bytes), answer) : [];
}
