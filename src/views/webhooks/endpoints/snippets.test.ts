/** Runs every snippet as a user would, against requests signed by the service itself. */
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sign } from "../../../../server/delivery/request.ts";
import { buildExampleEvent } from "../ExamplePayload.tsx";
import { renderSnippet, type Language } from "./snippets.ts";

const hasProgram = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const BODY = JSON.stringify(buildExampleEvent("file.status_changed"));
const ID = "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42";
const START_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 50;

const folder = mkdtempSync(join(tmpdir(), "talkback-snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

async function startReceiver(program: string, file: string, language: Language, port: number): Promise<{ child: ChildProcess; output: () => string }> {
  const url = `http://127.0.0.1:${port}/talkback?from=here`;
  writeFileSync(join(folder, file), renderSnippet(language, { url, secret_hint: "wcH", event_types: ["file.status_changed"] }, buildExampleEvent));
  const child = spawn(program, [join(folder, file)], {
    env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The ${language} snippet does not listen:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return { child, output: () => output };
}

describe.each([
  ["node", process.execPath, "receiver.mjs"],
  ["python", "python3", "receiver.py"],
] as const)("the %s receiver", (language, program, file) => {
  const isMissing = language === "python" && !hasProgram("python3", "--version");
  let port: number;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    if (isMissing) return;
    port = await freePort();
    receiver = await startReceiver(program, file, language, port);
  }, START_TIMEOUT_MS + 5_000);
  afterAll(() => void receiver?.child.kill());

  const send = async (headers: Record<string, string>, body = BODY, path = "/talkback") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
    return { status: response.status, json: (await response.json()) as unknown };
  };
  const signHeaders = (secrets: string[], { body = BODY, at = Date.now() } = {}) => ({ ...sign(ID, at, body, secrets) });

  test.skipIf(isMissing)("accepts a signed delivery with 200 and JSON", async () => {
    expect(await send(signHeaders([SECRET]))).toEqual({ status: 200, json: {} });
    await expect.poll(receiver.output).toContain(`${ID} file.status_changed`);
  });
  test.skipIf(isMissing)("accepts both secrets during a rotation", async () => {
    expect((await send(signHeaders([OTHER_SECRET, SECRET]))).status).toBe(200);
    expect((await send(signHeaders([SECRET, OTHER_SECRET]))).status).toBe(200);
  });
  test.skipIf(isMissing)("accepts text beyond ASCII", async () => {
    const body = JSON.stringify({ ...buildExampleEvent("file.renamed"), name: "Für Élise — テスト.wav" });
    expect((await send(signHeaders([SECRET], { body }), body)).status).toBe(200);
  });
  test.skipIf(isMissing)("rejects another secret, body, id or time, and a missing signature", async () => {
    expect((await send(signHeaders([OTHER_SECRET]))).status).toBe(401);
    expect((await send(signHeaders([SECRET]), BODY.replace("Approved", "Rejected"))).status).toBe(401);
    expect((await send({ ...signHeaders([SECRET]), "webhook-id": "another" })).status).toBe(401);
    expect((await send({ ...signHeaders([SECRET]), "webhook-timestamp": String(Math.floor(Date.now() / 1000) + 1) })).status).toBe(401);
    expect((await send({ ...signHeaders([SECRET]), "webhook-signature": "v1,, v1 v2,x" })).status).toBe(401);
    expect((await send({})).status).toBe(401);
  });
  test.skipIf(isMissing)("rejects an old signature, so that an event cannot be replayed", async () => {
    expect((await send(signHeaders([SECRET], { at: Date.now() - 6 * 60_000 }))).status).toBe(401);
    expect((await send(signHeaders([SECRET], { at: Date.now() - 4 * 60_000 }))).status).toBe(200);
  });
  test.skipIf(isMissing)("responds only at the endpoint's path", async () => {
    expect((await send(signHeaders([SECRET]), BODY, "/elsewhere")).status).toBe(404);
    expect((await send(signHeaders([SECRET]), BODY, "/talkback?from=here")).status).toBe(200);
  });
});

test.skipIf(!hasProgram("curl", "--version") || !hasProgram("openssl", "version"))("the Node receiver accepts what the curl snippet sends", async () => {
  const port = await freePort();
  const { child, output } = await startReceiver(process.execPath, "for-curl.mjs", "node", port);
  try {
    const endpoint = { url: `http://127.0.0.1:${port}/talkback`, secret_hint: "wcH", event_types: ["file.renamed"] };
    const example = (type: string) => ({ ...buildExampleEvent(type), note: "it's quoted: $HOME `id` \\ é" });
    const run = promisify(execFile);
    const { stdout } = await run("bash", ["-c", renderSnippet("curl", endpoint, example)], { env: { ...process.env, WEBHOOK_SECRET: SECRET } });
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(output).toContain("file.renamed");
    await expect(
      run("bash", ["-c", renderSnippet("curl", endpoint, example)], { env: { ...process.env, WEBHOOK_SECRET: OTHER_SECRET } }),
    ).resolves.toMatchObject({
      stdout: expect.stringMatching(/^HTTP\/1\.1 401 /),
    });
  } finally {
    child.kill();
  }
});

test("a URL cannot break out of a snippet", () => {
  const endpoint = { url: `https://a.example/'"\`;$(id)\\%0a\u2028`, secret_hint: "x", event_types: [] };
  expect(renderSnippet("node", endpoint, buildExampleEvent)).toContain(`pathname !== ${JSON.stringify(new URL(endpoint.url).pathname)}`);
  expect(renderSnippet("python", endpoint, buildExampleEvent)).toContain(`.path != ${JSON.stringify(new URL(endpoint.url).pathname)}`);
  expect(renderSnippet("curl", endpoint, buildExampleEvent)).toContain(`'${new URL(endpoint.url).href.replaceAll("'", `'\\''`)}'`);
});
