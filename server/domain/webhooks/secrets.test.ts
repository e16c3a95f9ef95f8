import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "./secrets.ts";

const box = createSecretBox(randomBytes(32));

test("a secret is 32 random bytes as Standard Webhooks writes them", () => {
  const made = Array.from({ length: 50 }, () => box.make());
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(50);
  for (const { secret, sealed } of made) {
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
    expect(box.hintOf(sealed)).toBe(secret.slice(-4));
  }
});

test("with another master key nothing is signed", () => {
  const { sealed } = createSecretBox(randomBytes(32)).make();
  expect(box.secretsOf({ secret: sealed, previous_secrets: "[]" }, 0)).toEqual([]);
  expect(box.hintOf(sealed)).toBe("");
});

test("a previous secret that cannot be read does not keep the current one from signing", () => {
  const { secret, sealed } = box.make();
  const { sealed: previous } = createSecretBox(randomBytes(32)).make();
  const [older, former] = [box.make(), box.make()];
  const previous_secrets = JSON.stringify([
    { secret: previous, until: 10 },
    { secret: former.sealed, until: 9 },
    { secret: older.sealed, until: 5 },
  ]);
  expect(box.secretsOf({ secret: sealed, previous_secrets }, 5)).toEqual([secret, former.secret]);
});
