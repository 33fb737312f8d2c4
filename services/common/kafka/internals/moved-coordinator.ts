// Lets kafkajs commit offsets after the group's coordinator has moved. kafkajs keeps the broker that was the
// coordinator when the consumer joined. A later attempt to join may find another one and fail, and the membership goes
// on there: every commit then fails, for as long as the process lives.
import { createRequire } from "node:module";

/** The members of kafkajs' offset manager that matter here. */
interface OffsetManager {
  readonly groupId: string;
  readonly cluster: { findGroupCoordinator(group: { readonly groupId: string }): Promise<unknown> };
  coordinator: unknown;
  commitOffsets(offsets?: object): Promise<void>;
}

const require = createRequire(import.meta.url);

/** Takes effect for the whole process; must be called once. kafkajs repeats a commit that fails. */
export function useMovedCoordinators(): void {
  const { prototype }: { readonly prototype: OffsetManager } = require("kafkajs/src/consumer/offsetManager/index.js");
  const { commitOffsets } = prototype;
  prototype.commitOffsets = async function (this: OffsetManager, offsets) {
    try {
      await commitOffsets.call(this, offsets);
    } catch (error) {
      if (hasMoved(error)) this.coordinator = await this.cluster.findGroupCoordinator({ groupId: this.groupId });
      throw error;
    }
  };
}

const hasMoved = (error: unknown): boolean =>
  error instanceof Error && "type" in error && error.type === "NOT_COORDINATOR_FOR_GROUP";
