/** Compares verification with the published library, which signs the requests and must accept and reject the same ones. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { isSecret, verify } from "./verify.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const NOW = Date.now();
const body = '{"object":"event","id":"1","type":"file.renamed","data":{"name":"Fähre"}}';

function signHeaders(secret: string, at = NOW) {
  const time = new Date(at);
  return { "webhook-id": "evt", "webhook-timestamp": String(Math.floor(at / 1_000)), "webhook-signature": new Webhook(secret).sign("evt", time, body) };
}

describe("verify", () => {
  const secret = newSecret();
  test("accepts a signature made with any of the known secrets", () => {
    expect(verify(signHeaders(secret), body, [newSecret(), secret], NOW)).toBe("genuine");
  });
  test("accepts a header with several signatures if one of them matches", () => {
    const both = `v1,bm9uZQ== ${signHeaders(secret)["webhook-signature"]} v1a,other`;
    expect(verify({ ...signHeaders(secret), "webhook-signature": both }, body, [secret], NOW)).toBe("genuine");
  });
  test("rejects a signature for another secret, body, id or timestamp", () => {
    const headers = signHeaders(secret);
    for (const [requestHeaders, text, key] of [
      [headers, body, newSecret()],
      [headers, `${body} `, secret],
      [{ ...headers, "webhook-id": "other" }, body, secret],
      [{ ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }, body, secret],
    ] as const)
      expect(verify(requestHeaders, text, [key], NOW)).toBe("not signed with this secret");
  });
  test("rejects a timestamp more than five minutes in the past or future", () => {
    expect(verify(signHeaders(secret, NOW - 301_000), body, [secret], NOW)).toBe("too old");
    expect(verify(signHeaders(secret, NOW + 302_000), body, [secret], NOW)).toBe("from the future");
  });
  test("reports a missing signature or a malformed timestamp", () => {
    expect(verify({}, body, [secret], NOW)).toBe("no signature");
    expect(verify({ ...signHeaders(secret), "webhook-timestamp": "soon" }, body, [secret], NOW)).toBe("no signature");
  });
});

test("isSecret accepts a signing secret and rejects mistyped text", () => {
  expect(isSecret(newSecret())).toBe(true);
  for (const text of ["", "whsec_", "whsec_abc", "503", "whsec_ä"]) expect(isSecret(text)).toBe(false);
});
