// Kinds of objects among which a user chooses.

/** The filters of tags compare mostly the name: `tagIds` are for those that compare the id. */
export const CHOICE_KINDS = [
  "cameras",
  "zones",
  "geofences",
  "tags",
  "tagIds",
  "sites",
  "places",
  "producers",
  "activities",
  "events",
] as const;

export type ChoiceKind = (typeof CHOICE_KINDS)[number];
