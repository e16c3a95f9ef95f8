/** Tests the receiver through its command line. */
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

let child: ReturnType<typeof spawnReceiver> | undefined;
afterEach(() => void child?.kill("SIGKILL"));

function spawnReceiver(...args: string[]) {
  return spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "pipe"] });
}

async function startReceiver(...args: string[]) {
  const running = spawnReceiver("--port", "0", ...args);
  child = running;
  let output = "";
  running.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const waitForOutput = async (expected: string | RegExp): Promise<void> => {
    for (let tries = 0; !(typeof expected === "string" ? output.includes(expected) : expected.test(output)); tries += 1) {
      if (tries > 1_000) throw new Error(`It never printed ${expected}, but: ${output}`);
      await sleep(10);
    }
  };
  await waitForOutput(/http:\/\/127\.0\.0\.1:\d+\//);
  const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\//.exec(output) ?? [];
  const post = async (key: string, id = "evt"): Promise<number> => {
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
      "webhook-signature": new Webhook(key).sign(id, new Date(), body),
    };
    return (await fetch(address, { method: "POST", headers, body })).status;
  };
  return { post, waitForOutput, output: () => output, writeLine: (line: string) => running.stdin.write(`${line}\n`) };
}

test("prints how to start the service, accepts every delivery before it has a secret, and verifies signatures afterwards", async () => {
  const receiver = await startReceiver();
  await receiver.waitForOutput("npm start -- --allow-local-webhooks");
  expect(await receiver.post(secret)).toBe(200);
  await receiver.waitForOutput("signature not checked");
  receiver.writeLine(secret);
  await receiver.waitForOutput("Secret added");
  expect(await receiver.post(secret)).toBe(200);
  await receiver.waitForOutput(/signature genuine\n {2}evt · came 2 times/);
  await receiver.waitForOutput('"type": "file.status_changed"');
  expect(await receiver.post(`whsec_${randomBytes(32).toString("base64")}`, "forged")).toBe(401);
  await receiver.waitForOutput("SIGNATURE REFUSED: not signed with this secret");
  expect(receiver.output()).not.toContain("\u001b");
});

test("responds with the status given by --status or typed at the prompt", async () => {
  const receiver = await startReceiver("--secret", secret, "--status", "410");
  expect(await receiver.post(secret)).toBe(410);
  receiver.writeLine("503");
  await receiver.waitForOutput("Responding with 503");
  expect(await receiver.post(secret)).toBe(503);
  receiver.writeLine("what");
  await receiver.waitForOutput("Neither a secret");
});

test.each([
  [["--port", "here"], /--port here: must be a number/],
  [["--secret", "hunter2"], /--secret: must be what Talkback showed/],
  [["--status", "99"], /--status 99: must be an HTTP status/],
  [["--loud"], /npm run receiver -- \[--port 8700\]/],
])("rejects the arguments %j with a readable message", async (args, expectedMessage) => {
  const failing = spawnReceiver(...args);
  child = failing;
  let output = "";
  failing.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = await once(failing, "close");
  expect(code).toBe(1);
  expect(output).toMatch(expectedMessage);
  expect(output).not.toMatch(/at .*main\.ts|hunter2/);
});
