import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createEndpointSecrets } from "./secrets.ts";

const endpointSecrets = createEndpointSecrets(randomBytes(32));

test("a secret is 32 random bytes in the format of Standard Webhooks", () => {
  const generated = Array.from({ length: 50 }, () => endpointSecrets.generate());
  expect(new Set(generated.map(({ secret }) => secret)).size).toBe(50);
  for (const { secret, encrypted } of generated) {
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
    expect(endpointSecrets.hintOf(encrypted)).toBe(secret.slice(-4));
  }
});

test("secrets of another master key cannot be read", () => {
  const { encrypted } = createEndpointSecrets(randomBytes(32)).generate();
  expect(endpointSecrets.decryptSecrets({ secret: encrypted, previous_secrets: "[]" }, 0)).toEqual([]);
  expect(endpointSecrets.hintOf(encrypted)).toBe("");
});

test("an unreadable previous secret does not prevent signing with the others", () => {
  const { secret, encrypted } = endpointSecrets.generate();
  const { encrypted: previous } = createEndpointSecrets(randomBytes(32)).generate();
  const [older, former] = [endpointSecrets.generate(), endpointSecrets.generate()];
  const previous_secrets = JSON.stringify([
    { secret: previous, until: 10 },
    { secret: former.encrypted, until: 9 },
    { secret: older.encrypted, until: 5 },
  ]);
  expect(endpointSecrets.decryptSecrets({ secret: encrypted, previous_secrets }, 5)).toEqual([secret, former.secret]);
});
