import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer } from "./sealing.ts";

const key = randomBytes(32);
const { seal, open } = createSealer(key);

test("what was sealed opens again, and looks another way each time", () => {
  for (const text of ["", "whsec_abc", "Zoë – 🎛"]) expect(open(seal(text))).toBe(text);
  expect(seal("same")).not.toBe(seal("same"));
  expect(seal("whsec_abc")).not.toContain("whsec_abc");
});

test("another key, a changed letter or half of it opens nothing", () => {
  const sealed = seal("whsec_abc");
  expect(createSealer(randomBytes(32)).open(sealed)).toBeNull();
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(open(`v1:${changed.toString("base64url")}`)).toBeNull();
  }
  for (const broken of ["", "v1:", "whsec_abc", sealed.slice(3), sealed.slice(0, 20), `v2:${sealed.slice(3)}`]) expect(open(broken)).toBeNull();
});
