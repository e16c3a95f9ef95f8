/** Tests push messages against a local push service, which decrypts them by code of its own. */
import { createECDH } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { decryptPush, type PushService, startPushService } from "../testing/push-service.ts";
import { createGuard } from "./guard.ts";
import { createPushSender, type PushSender } from "./send-push.ts";

const LOCAL = { allowHttp: true, allowCidrs: ["127.0.0.0/8"] };
const noAbort = new AbortController().signal;
const ours = createECDH("prime256v1");
ours.generateKeys();
const keys = { publicKey: ours.getPublicKey("base64url"), privateKey: ours.getPrivateKey("base64url") };

let service: PushService;
let sender: PushSender;
beforeAll(async () => void (service = await startPushService()));
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
  service.respondWith = { status: 201 };
  sender = createPushSender(createGuard(LOCAL), keys, "https://talkback.example", { clock: systemClock, deadlineMs: 2_000 });
});
afterEach(() => sender.close());

const send = (payload: string, target = service.target) => sender.send({ target, payload, ttlSeconds: 60 }, noAbort);

test("the browser decrypts a message, and its push service recognizes the sender", async () => {
  const payload = JSON.stringify({ title: "Ána 🎛 mentioned you", body: "x".repeat(2_000) });
  expect(await send(payload)).toMatchObject({ outcome: "ok", status: 201 });
  const [push] = service.received;
  expect(push).toMatchObject({ text: payload, senderKey: keys.publicKey, claims: { aud: service.base, sub: "https://talkback.example" } });
  // Push services accept tokens for at most 24 hours (RFC 8292, 2).
  expect(push!.claims.exp).toBeGreaterThan(Date.now() / 1_000 + 3_600);
  expect(push!.claims.exp).toBeLessThanOrEqual(Date.now() / 1_000 + 86_400);
  expect(push!.headers).toMatchObject({ ttl: "60", urgency: "high", "content-encoding": "aes128gcm", "content-type": "application/octet-stream" });
});

test("two equal messages have nothing in common that others could see", async () => {
  const bodies: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { requestHeaders } = await send("same");
    bodies.push(JSON.stringify(requestHeaders));
  }
  expect(service.received.map(({ text }) => text)).toEqual(["same", "same"]);
  expect(bodies.join()).not.toContain("same");
});

test("the reference message of RFC 8291 is decrypted", () => {
  const browser = createECDH("prime256v1");
  browser.setPrivateKey(Buffer.from("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url"));
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  expect(decryptPush(Buffer.from(body, "base64url"), browser, Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url"))).toBe(
    "When I grow up, I want to be a watermelon",
  );
});

test.each([410, 404, 429, 500, 403])("reports the status %i", async (status) => {
  service.respondWith = { status, headers: { "retry-after": "30" } };
  expect(await send("x")).toMatchObject({ outcome: "http", status, retryAfterMs: status === 429 ? 30_000 : null });
});

test("a service that does not respond ends at the deadline", async () => {
  service.respondWith = { status: null };
  expect(await send("x")).toMatchObject({ outcome: "timeout", status: null });
});

test("addresses in private networks get nothing", async () => {
  const strict = createPushSender(createGuard({ allowHttp: true, allowCidrs: [] }), keys, "https://talkback.example", { clock: systemClock });
  expect(await strict.send({ target: service.target, payload: "x", ttlSeconds: 60 }, noAbort)).toMatchObject({ outcome: "address_not_allowed" });
  await strict.close();
  expect(service.received).toEqual([]);
});
