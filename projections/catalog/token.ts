import { defineEntity, type EntityOf } from "./define-entity.ts";

export type Token = EntityOf<"token">;

export const token = defineEntity({
  kind: "token",
  name: "token",
  fields: {
    name: { type: "name", nullable: false },
    valueSha256: { type: "text", nullable: false },
    scopes: { type: "names", nullable: false },
    revokedAt: { type: "time", nullable: true },
  },
});
