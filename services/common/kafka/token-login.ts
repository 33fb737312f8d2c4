// The login with a bearer token (OAUTHBEARER, RFC 7628). kafkajs' own takes the broker's refusal for a success, and the
// first request after it then finds no broker.
import { readFile } from "node:fs/promises";
import kafkajs, { type Mechanism } from "kafkajs";
import { messageOf } from "../../../schemas/errors.ts";

/** The file is read again for each connection. */
export const tokenLogin = (file: string): Mechanism => ({
  mechanism: "oauthbearer",
  authenticationProvider: ({ host, port, logger, saslAuthenticate }) => ({
    async authenticate() {
      const broker = `${host}:${port}`;
      try {
        const token = (await readFile(file, "utf8")).trim();
        const request = { encode: () => sized(`n,,\u0001auth=Bearer ${token}\u0001\u0001`) };
        const refusal = await saslAuthenticate({ request, response: { decode: unsized, parse: String } });
        if (refusal) throw new Error(`the broker refuses the token: ${refusal}`);
      } catch (error) {
        logger.error(`OAUTHBEARER login failed: ${messageOf(error)}`, { broker });
        throw new kafkajs.KafkaJSNonRetriableError(`no login with ${broker}: ${messageOf(error)}`);
      }
    },
  }),
});

const LENGTH_BYTES = 4;

/** Bytes of Kafka's protocol begin with their number. */
function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const unsized = (bytes: Buffer): Buffer => bytes.subarray(LENGTH_BYTES);
