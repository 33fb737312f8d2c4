import { string } from "../avro.ts";
import { changedRecord } from "./changed.ts";

export interface TagFields {
  /** The name in lower case. */
  readonly name: string;
  /** `#rrggbb` */
  readonly color: string;
}

export const tagChanged = changedRecord<TagFields>("Tag", { name: string, color: string });
