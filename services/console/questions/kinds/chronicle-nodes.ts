// The fields that activities, events and summaries share.
import type { ColumnOf } from "../list.ts";
import { type Named, textOfList } from "./nodes.ts";

export interface ChronicleNode {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly priority: string | null;
  readonly labels: readonly string[] | null;
  readonly validation: { readonly status: string } | null;
  readonly chronicleProducer: Named;
}

export const chronicleFields = "id name status priority labels validation { status } chronicleProducer { id name }";

const VALIDATIONS: Readonly<Record<string, string>> = { VALID: "valid", INVALID: "not valid" };

export const chronicleColumns: readonly ColumnOf<ChronicleNode>[] = [
  { name: "Labels", kind: "text", isLane: true, of: ({ labels }) => textOfList(labels) },
  { name: "Status", kind: "text", isLane: true, of: ({ status }) => status },
  { name: "Priority", kind: "text", of: ({ priority }) => priority },
  { name: "Validation", kind: "text", of: ({ validation }) => VALIDATIONS[validation?.status ?? ""] ?? null },
  { name: "Producer", kind: "text", isLane: true, of: ({ chronicleProducer }) => chronicleProducer.name },
  { name: "Id", kind: "text", isForFiles: true, of: ({ id }) => id },
];
