/** The receiver as a person starts it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const secret = `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({ object: "event", id: "evt", type: "file.status_changed", data: { name: "mix\u001b[31m.wav" } });

let child: ReturnType<typeof start> | undefined;
afterEach(() => void child?.kill("SIGKILL"));

function start(...args: string[]) {
  return spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "pipe"] });
}

async function open(...args: string[]) {
  const running = start("--port", "0", ...args);
  child = running;
  let said = "";
  running.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const says = async (what: string | RegExp): Promise<void> => {
    for (let tries = 0; !(typeof what === "string" ? said.includes(what) : what.test(said)); tries += 1) {
      if (tries > 1_000) throw new Error(`It never said ${what}, but: ${said}`);
      await sleep(10);
    }
  };
  await says(/http:\/\/127\.0\.0\.1:\d+\//);
  const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said) ?? [];
  const post = async (key: string, id = "evt"): Promise<number> => {
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
      "webhook-signature": new Webhook(key).sign(id, new Date(), body),
    };
    return (await fetch(address, { method: "POST", headers, body })).status;
  };
  return { post, says, said: () => said, type: (line: string) => running.stdin.write(`${line}\n`) };
}

test("says how to start the service, takes everything before it knows a secret, and checks from then on", async () => {
  const receiver = await open();
  await receiver.says("npm start -- --allow-local-webhooks");
  expect(await receiver.post(secret)).toBe(200);
  await receiver.says("signature not checked");
  receiver.type(secret);
  await receiver.says("Secret taken");
  expect(await receiver.post(secret)).toBe(200);
  await receiver.says(/signature genuine\n {2}evt · came 2 times/);
  await receiver.says('"type": "file.status_changed"');
  expect(await receiver.post(`whsec_${randomBytes(32).toString("base64")}`, "forged")).toBe(401);
  await receiver.says("SIGNATURE REFUSED: not signed with this secret");
  expect(receiver.said()).not.toContain("\u001b");
});

test("answers as it is told to", async () => {
  const receiver = await open("--secret", secret, "--answer", "410");
  expect(await receiver.post(secret)).toBe(410);
  receiver.type("503");
  await receiver.says("Answering 503");
  expect(await receiver.post(secret)).toBe(503);
  receiver.type("what");
  await receiver.says("Neither a secret");
});

test.each([
  [["--port", "here"], /--port here: must be a number/],
  [["--secret", "hunter2"], /--secret: must be what Talkback showed/],
  [["--answer", "99"], /--answer 99: must be an HTTP status/],
  [["--loud"], /npm run receiver -- \[--port 8700\]/],
])("%j is refused in words", async (args, words) => {
  const refused = start(...args);
  child = refused;
  let said = "";
  refused.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = await once(refused, "close");
  expect(code).toBe(1);
  expect(said).toMatch(words);
  expect(said).not.toMatch(/at .*main\.ts|hunter2/);
});
