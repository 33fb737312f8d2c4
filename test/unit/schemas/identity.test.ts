import { v5 } from "uuid";
import { expect, test } from "vitest";
import { derivedId } from "../../../schemas/identity.ts";

test("a derived id is the UUIDv5 of its parts", () => {
  const namespace = "6e5a3c0e-5d0f-5c0b-9a63-3f6b2f6d7a11";

  for (let i = 0; i < 200; i++) {
    expect(derivedId("zone-intersection", `track-${i}`, "ü")).toBe(
      v5(`zone-intersection\u0000track-${i}\u0000ü`, namespace),
    );
  }
});
