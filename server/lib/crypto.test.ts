import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createTextCipher } from "./crypto.ts";

const key = randomBytes(32);
const { encrypt, decrypt } = createTextCipher(key);

test("decrypts encrypted text, and encrypts the same text differently each time", () => {
  for (const text of ["", "whsec_abc", "Zoë – 🎛"]) expect(decrypt(encrypt(text))).toBe(text);
  expect(encrypt("same")).not.toBe(encrypt("same"));
  expect(encrypt("whsec_abc")).not.toContain("whsec_abc");
});

test("decrypt returns null for another key, a changed byte or malformed text", () => {
  const encrypted = encrypt("whsec_abc");
  expect(createTextCipher(randomBytes(32)).decrypt(encrypted)).toBeNull();
  const bytes = Buffer.from(encrypted.slice(3), "base64url");
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(decrypt(`v1:${changed.toString("base64url")}`)).toBeNull();
  }
  for (const malformed of ["", "v1:", "whsec_abc", encrypted.slice(3), encrypted.slice(0, 20), `v2:${encrypted.slice(3)}`])
    expect(decrypt(malformed)).toBeNull();
});
