// Separate topics on the shared broker, letters as the projector writes them, and the command with its answers.

import { eventBoundsOf } from "../../../schemas/bounds.ts";
import type { DeadLetter } from "../../../schemas/events.ts";
import { groupName } from "../../../schemas/topics.ts";
import { parseDeadLettersCommand, runDeadLettersCommand } from "../../../services/cli/dead-letters/command.ts";
import { deadLettersEnv } from "../../../services/cli/dead-letters/config.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createDeadLetters } from "../../../services/projector/dead-letters.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { provideInstallation } from "../../support/running/installation.ts";

export const PARTITIONS = 3;

export interface Answer {
  readonly done: boolean;
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

export async function createInstallation() {
  const installation = await provideInstallation("letters", { CAMERA_PARTITIONS: String(PARTITIONS) });
  const { namespace, log, kafka, codec, topic } = installation;
  const config = installation.config(deadLettersEnv);
  const publisher = await installation.openPublisher();
  atTheEnd(installation.remove);

  let offset = 0;

  return {
    variables: installation.variables,
    codec,
    topic,
    write: createDeadLetters(publisher, codec, topic("dead-letters")),
    /** Something in dead-letters that is no letter. */
    writeRaw: (value: Buffer) => publisher.publish([{ topic: topic("dead-letters"), key: "", value }]),

    /** Makes a letter of the camera-log, recorded one second after the letter before. */
    letter(changes: Partial<DeadLetter> = {}): DeadLetter {
      offset += 1;
      const place = { topic: topic("camera-log"), partition: 1, offset, ...changes };
      return {
        id: `${place.topic}/${place.partition}/${place.offset}`,
        reason: "not in the Confluent wire format",
        key: Buffer.from("camera"),
        value: Buffer.from("not Avro at all"),
        recordedAt: Date.UTC(2026, 0, 1) + place.offset * 1_000,
        ...place,
        ...changes,
      };
    },

    read: installation.read,

    /** The command's answer to these arguments at that time. */
    async run(args: readonly string[], nowMs = Date.now()): Promise<Answer> {
      const lines: string[] = [];
      const notes: string[] = [];
      const done = await runDeadLettersCommand(parseDeadLettersCommand(args), {
        kafka,
        groupPrefix: groupName(namespace, "dead-letters"),
        // A codec remembers a missing schema for good; in production each call of the command is a new process.
        codec: await createCodec(config),
        namespace,
        bounds: eventBoundsOf(config),
        log,
        now: () => nowMs,
        print: (text) => lines.push(...text.split("\n")),
        printError: (line) => notes.push(line),
      });
      return { done, lines, notes };
    },
  };
}
