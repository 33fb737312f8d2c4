import { expect, test } from "vitest";
import { createKeptSecrets } from "../../../../../../services/console/parts/rest/kept-secrets.ts";

const secret = (value: string) => ({ title: "", value, text: "" });

test("a secret is shown for its own id alone, until somebody has it", () => {
  const secrets = createKeptSecrets();
  secrets.keep("a", secret("first"));
  secrets.keep("b", secret("second"));
  secrets.keep("a", secret("third"));

  expect([secrets.of("a")?.value, secrets.of("b")?.value, secrets.of("c")]).toEqual(["third", "second", undefined]);
  expect(secrets.ids()).toEqual(["a", "b"]);

  secrets.forget("a");
  expect([secrets.of("a"), secrets.of("b")?.value]).toEqual([undefined, "second"]);
});
