import { string } from "../avro.ts";
import { changed } from "./changed.ts";

export interface TagFields {
  /** In lower case. */
  readonly name: string;
  /** `#rrggbb` */
  readonly color: string;
}

export const tagChanged = changed<TagFields>("Tag", { name: string, color: string });
