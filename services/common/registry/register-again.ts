// Registers schemas that another registry had, for messages that were written with them.
import { eventTypes } from "../../../schemas/events.ts";
import { openRegistry, type RegistryConfig } from "./client.ts";
import { registerText, registrySubjectOf, SchemaRefused } from "./codec.ts";
import { fullNameOf } from "./writer-type.ts";

/**
 * Resolves with the id of the schema in this registry.
 * @returns undefined when it is no schema of a record of tracklog: no reader reads its messages.
 */
export type RegisterAgain = (schema: string) => Promise<number | undefined>;

const subjects: ReadonlySet<string> = new Set(eventTypes.map(registrySubjectOf));

/** The schemas of this version must be registered before, so that no other one can keep them out. */
export function createRegisterAgain(config: RegistryConfig): RegisterAgain {
  const registry = openRegistry(config);
  return async (schema) => {
    const subject = fullNameOf(JSON.parse(schema));
    if (!subjects.has(subject)) return undefined;
    try {
      return await registerText(registry, subject, schema);
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error;
      // A producer registered it under a subject of its own, where nobody compared it with the schemas of tracklog.
      return registerText(registry, `${subject}.restored`, schema, "NONE");
    }
  };
}
