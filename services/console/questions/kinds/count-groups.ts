// Groups that several counts have.
import type { BucketKey } from "../count.ts";

type Member = { readonly id?: string; readonly name: string } | null | undefined;

const nameOf = (member: string) => (key: BucketKey) => (key[member] as Member)?.name;

/** Two cameras may have one name. */
const idOf = (member: string) => (key: BucketKey) => (key[member] as Member)?.id;

export const byTag = { key: "tag", name: "Tag", field: "TAG", selection: "tag { name }", of: nameOf("tag") };

/** @param field value of the enumeration, which differs between summaries. */
export const byCamera = (field: string) => ({
  key: "camera",
  name: "Camera",
  field,
  selection: "dataSource { id name }",
  of: nameOf("dataSource"),
  idOf: idOf("dataSource"),
});

export const bySite = (field: string, member = "site") => ({
  key: "site",
  name: "Site",
  field,
  selection: `${member} { id name }`,
  of: nameOf(member),
  idOf: idOf(member),
});

/** A group whose value is a text. */
export const byText = (key: string, name: string, field: string, member = key) => ({
  key,
  name,
  field,
  selection: member,
  of: (bucket: BucketKey) => bucket[member] as string | null | undefined,
});
