/** Tests emails against a local SMTP server. */
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MINUTE } from "../lib/clock.ts";
import { type MailServer, startMailServer } from "../testing/mail-server.ts";
import { createMailSender, type Mail } from "./send-mail.ts";

const from = { name: "Studio Nord", address: "talkback@studio.test" };
const replyTo = { name: "", address: "desk@studio.test" };
const noAbort = new AbortController().signal;
const mail: Mail = {
  to: { name: "Ána Berg", address: "ana@studio.test" },
  subject: "Ben mentioned you – listen",
  text: "Ben wrote:\n\n    Fähre 🎛\n.\nhttps://talkback.example/projects/1/chat/2\n",
  messageId: "<1@talkback.example>",
  headers: { "List-Unsubscribe": `<https://talkback.example/u?token=${"a".repeat(120)}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
};

let server: MailServer;
beforeAll(async () => void (server = await startMailServer()));
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  server.respondWith.status = 250;
});
const createSender = (url = server.url) => createMailSender({ url, from, replyTo }, 2_000);

test("an email arrives as plain text, with the address for answers and the header by which mail programs unsubscribe", async () => {
  expect(await createSender().send(mail, noAbort)).toEqual({ outcome: "ok", error: null });
  const [received] = server.received;
  expect(received).toMatchObject({ from: "talkback@studio.test", to: ["ana@studio.test"], text: mail.text });
  expect(received!.headers).toMatchObject({
    from: "Studio Nord <talkback@studio.test>",
    "reply-to": "desk@studio.test",
    "message-id": "<1@talkback.example>",
    "content-type": "text/plain; charset=utf-8",
    "list-unsubscribe": mail.headers["List-Unsubscribe"],
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
});

test("names and subjects add no headers and no recipients", async () => {
  const hostile = {
    ...mail,
    subject: "Hi\r\nBcc: eve@evil.test",
    to: { name: 'Ana" <eve@evil.test>\r\nBcc: eve@evil.test\r\nX: "', address: "ana@studio.test" },
  };
  await createSender().send(hostile, noAbort);
  expect(server.received.map(({ to }) => to)).toEqual([["ana@studio.test"]]);
  expect(Object.keys(server.received[0]!.headers)).not.toEqual(expect.arrayContaining(["bcc"]));
  expect(Object.keys(server.received[0]!.headers)).not.toEqual(expect.arrayContaining(["x"]));
});

test.each([
  [550, "rejected"],
  [552, "rejected"],
  [451, "refused"],
])("a recipient that the server rejects with %i is %s", async (status, outcome) => {
  server.respondWith.status = status;
  expect(await createSender().send(mail, noAbort)).toMatchObject({ outcome });
});

test("a server that is not there, or does not respond, is reported as such", async () => {
  expect(await createSender("smtp://127.0.0.1:9").send(mail, noAbort)).toMatchObject({ outcome: "unreachable" });
  server.respondWith.status = null;
  expect(await createSender().send(mail, noAbort)).toMatchObject({ outcome: "timeout" });
});

test("a server that never ends its response is given up at the deadline", async () => {
  const timers: NodeJS.Timeout[] = [];
  const dripping = createServer((socket) => {
    socket.on("error", () => {}).write("220 mail.test\r\n");
    socket.once("data", () => timers.push(setInterval(() => socket.write("250-mail.test\r\n"), 20)));
  });
  await new Promise<void>((resolve) => dripping.listen(0, "127.0.0.1", resolve));
  const url = `smtp://127.0.0.1:${(dripping.address() as AddressInfo).port}`;
  expect(await createMailSender({ url, from, replyTo }, 500).send(mail, noAbort)).toMatchObject({ outcome: "timeout" });
  timers.forEach(clearInterval);
  dripping.close();
});

test("a server has five minutes to accept an email", async () => {
  const greeted = Promise.withResolvers<void>();
  const silent = createServer((socket) => {
    socket.on("error", () => {}).write("220 mail.test\r\n");
    // The client says EHLO after the greeting, so that the deadline is the only timer left.
    socket.once("data", () => greeted.resolve());
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const onEnd = vi.fn<(result: { outcome: string }) => void>();
    const sent = createMailSender({ url, from, replyTo }).send(mail, noAbort);
    void sent.then(onEnd);
    await greeted.promise;
    await vi.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await sent).toMatchObject({ outcome: "timeout" });
  } finally {
    vi.useRealTimers();
    silent.close();
  }
});

test("an attempt ends at once when the service stops", async () => {
  server.respondWith.status = null;
  const stopping = new AbortController();
  const sent = createSender().send(mail, stopping.signal);
  stopping.abort();
  expect(await sent).toMatchObject({ outcome: "interrupted" });
});

test("credentials are sent, and wrong ones are tried again later", async () => {
  const strict = await startMailServer({ credentials: { user: "studio", password: "swordfish" } });
  expect(await createSender(strict.url).send(mail, noAbort)).toMatchObject({ outcome: "ok" });
  expect(await createSender(strict.url.replace("swordfish", "wrong")).send(mail, noAbort)).toMatchObject({ outcome: "refused" });
  expect(strict.received).toHaveLength(1);
  await strict.close();
});

test("credentials go to another machine only encrypted", async () => {
  const strict = await startMailServer({ credentials: { user: "studio", password: "swordfish" } });
  // The same server under an address that is not known to be this machine. It offers no encryption.
  const elsewhere = strict.url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
  expect(await createSender(elsewhere).send(mail, noAbort)).toMatchObject({ outcome: "refused" });
  expect(strict.received).toEqual([]);
  await strict.close();
});
