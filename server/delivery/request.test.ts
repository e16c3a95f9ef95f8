/** Tests signatures by verifying them with the published `standardwebhooks` library. */
import { randomBytes, randomUUID } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { sign } from "./request.ts";

const newKey = () => `whsec_${randomBytes(32).toString("base64")}`;
const body = '{"object":"event","id":"x","type":"file.renamed","data":{"name":"Zoë – Fähre 🎛.wav"}}';

describe("a signature", () => {
  test("matches the specification's example", () => {
    const headers = sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330_000, '{"test": 2432232314}', ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]);
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });
  test("is verified by the published library", () => {
    const secret = newKey();
    const headers = { ...sign(randomUUID(), Date.now(), body, [secret]) };
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });
  test("is not verified with another key, body, id or timestamp", () => {
    const secret = newKey();
    const headers = { ...sign(randomUUID(), Date.now(), body, [secret]) };
    const expectRejected = (text: string, sent: Record<string, string>, key = secret) =>
      expect(() => new Webhook(key).verify(text, sent)).toThrow(WebhookVerificationError);
    expectRejected(body, headers, newKey());
    expectRejected(body.replace("Zoë", "Zoe"), headers);
    expectRejected(body, { ...headers, "webhook-id": randomUUID() });
    expectRejected(body, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 1) });
  });
  test("is verified with the old and with the new secret during a rotation", () => {
    const [fresh, old] = [newKey(), newKey()];
    const headers = { ...sign(randomUUID(), Date.now(), body, [fresh, old]) };
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
    for (const secret of [fresh, old]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newKey()).verify(body, headers)).toThrow(WebhookVerificationError);
  });
  test("is not verified when its timestamp is an hour off", () => {
    const secret = newKey();
    for (const offsetMs of [-3_600_000, 3_600_000])
      expect(() => new Webhook(secret).verify(body, { ...sign(randomUUID(), Date.now() + offsetMs, body, [secret]) })).toThrow(/timestamp/);
  });
});
