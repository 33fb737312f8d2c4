import { expect, test } from "vitest";
import { idMember, instant, urlText } from "../../../../schemas/rest/pieces.ts";

test.each(["a", "a".repeat(200), "grüße/1 😀", "../..", "$where"])("the id %s is right", (text) => {
  expect(idMember.parse(text)).toBe(text);
});

test.each(["", "a".repeat(201), "a\nb", "a\u0000", "\u0085", "\ud800", 7, null])("the id %j is refused", (text) => {
  expect(idMember.safeParse(text).success).toBe(false);
});

test("an instant becomes milliseconds", () => {
  expect(instant.parse("2026-01-01T02:00:00.5+02:00")).toBe(Date.UTC(2026, 0, 1) + 500);
  for (const text of ["2026-02-30T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "now", 0]) {
    expect(instant.safeParse(text).success).toBe(false);
  }
});

test.each(["https://example.com/a?b=c", "http://127.0.0.1:5678", "HTTPS://EXAMPLE.COM"])("%s is an address", (text) => {
  expect(urlText("http", "https").parse(text)).toBe(text);
});

test.each([
  ["/hook", "not an absolute URL"],
  ["ftp://example.com", "the scheme must be http or https"],
  ["file:///etc/passwd", "the scheme must be http or https"],
  ["https://user@example.com", "an address has no user name and no password"],
  ["https://:secret@example.com", "an address has no user name and no password"],
  [`https://example.com/${"a".repeat(2_048)}`, "an address has at most 2048 characters"],
])("the address %.40s is refused", (text, reason) => {
  expect(
    urlText("http", "https")
      .safeParse(text)
      .error?.issues.map(({ message }) => message),
  ).toContain(reason);
});
