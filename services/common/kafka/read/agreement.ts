// Makes the members of a group agree on a text. The text is the name of their partition assigner, and a broker admits
// to a group only members that share an assigner with all the others.
import { type Admin, type PartitionAssigner, PartitionAssigners } from "kafkajs";
import { PermanentError } from "../../permanent-errors.ts";

/** Assigns partitions in the same way as kafkajs does by default. */
export const agreeing =
  (text: string): PartitionAssigner =>
  (config) => ({ ...PartitionAssigners.roundRobin(config), name: text });

export function isDisagreement(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("type" in error && error.type === "INCONSISTENT_GROUP_PROTOCOL") || isDisagreement(error.cause);
}

/**
 * Returns the error that ends the process. The broker names the text of the other members, unless they are just
 * joining.
 */
export async function disagreement(admin: Admin, groupId: string, text: string): Promise<PermanentError> {
  const described = await admin.describeGroups([groupId]).catch(() => undefined);
  const theirs = described?.groups[0]?.protocol;
  return new PermanentError(
    `instances of ${groupId} are at work with other settings (${theirs || "unknown"}) than this one (${text}): ` +
      "give all instances the same, and stop all of them before one starts with other settings (docs/upgrading.md)",
  );
}
