/** Every snippet is run as a person would run it, against what the service itself signs. */
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sign } from "../../../../server/delivery/sign.ts";
import { exampleOf } from "./example.ts";
import { snippetOf, type Language } from "./snippets.ts";

const has = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const BODY = JSON.stringify(exampleOf("file.status_changed"));
const ID = "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42";
const STARTS_WITHIN_MS = 20_000;
const LOOK_AGAIN_MS = 50;

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

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

async function startReceiver(program: string, file: string, language: Language, port: number): Promise<{ child: ChildProcess; heard: () => string }> {
  const url = `http://127.0.0.1:${port}/talkback?from=here`;
  writeFileSync(join(folder, file), snippetOf(language, { url, secret_hint: "wcH", event_types: ["file.status_changed"] }, exampleOf));
  const child = spawn(program, [join(folder, file)], {
    env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let heard = "";
  child.stdout?.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  const until = Date.now() + STARTS_WITHIN_MS;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`The ${language} snippet does not listen:\n${heard}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return { child, heard: () => heard };
}

describe.each([
  ["node", process.execPath, "receiver.mjs"],
  ["python", "python3", "receiver.py"],
] as const)("the %s receiver", (language, program, file) => {
  const absent = language === "python" && !has("python3", "--version");
  let port: number;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    if (absent) return;
    port = await freePort();
    receiver = await startReceiver(program, file, language, port);
  }, STARTS_WITHIN_MS + 5_000);
  afterAll(() => void receiver?.child.kill());

  const send = async (headers: Record<string, string>, body = BODY, path = "/talkback") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
    return { status: response.status, json: (await response.json()) as unknown };
  };
  const signed = (secrets: string[], { body = BODY, at = Date.now() } = {}) => ({ ...sign(ID, at, body, secrets) });

  test.skipIf(absent)("takes what the service signed, and answers as the service asks", async () => {
    expect(await send(signed([SECRET]))).toEqual({ status: 200, json: {} });
    await expect.poll(receiver.heard).toContain(`${ID} file.status_changed`);
  });
  test.skipIf(absent)("takes it during a rotation, whichever of the two secrets it knows", async () => {
    expect((await send(signed([OTHER, SECRET]))).status).toBe(200);
    expect((await send(signed([SECRET, OTHER]))).status).toBe(200);
  });
  test.skipIf(absent)("takes text beyond ASCII as it was signed", async () => {
    const body = JSON.stringify({ ...exampleOf("file.renamed"), name: "Für Élise — テスト.wav" });
    expect((await send(signed([SECRET], { body }), body)).status).toBe(200);
  });
  test.skipIf(absent)("refuses another secret, another body, another id, another time, and no signature at all", async () => {
    expect((await send(signed([OTHER]))).status).toBe(401);
    expect((await send(signed([SECRET]), BODY.replace("Approved", "Rejected"))).status).toBe(401);
    expect((await send({ ...signed([SECRET]), "webhook-id": "another" })).status).toBe(401);
    expect((await send({ ...signed([SECRET]), "webhook-timestamp": String(Math.floor(Date.now() / 1000) + 1) })).status).toBe(401);
    expect((await send({ ...signed([SECRET]), "webhook-signature": "v1,, v1 v2,x" })).status).toBe(401);
    expect((await send({})).status).toBe(401);
  });
  test.skipIf(absent)("refuses what was signed long ago, so that nobody sends an old event again", async () => {
    expect((await send(signed([SECRET], { at: Date.now() - 6 * 60_000 }))).status).toBe(401);
    expect((await send(signed([SECRET], { at: Date.now() - 4 * 60_000 }))).status).toBe(200);
  });
  test.skipIf(absent)("answers only at the endpoint's path", async () => {
    expect((await send(signed([SECRET]), BODY, "/elsewhere")).status).toBe(404);
    expect((await send(signed([SECRET]), BODY, "/talkback?from=here")).status).toBe(200);
  });
});

test.skipIf(!has("curl", "--version") || !has("openssl", "version"))("what curl sends is taken by the Node receiver", async () => {
  const port = await freePort();
  const { child, heard } = await startReceiver(process.execPath, "for-curl.mjs", "node", port);
  try {
    const endpoint = { url: `http://127.0.0.1:${port}/talkback`, secret_hint: "wcH", event_types: ["file.renamed"] };
    const example = (type: string) => ({ ...exampleOf(type), note: "it's quoted: $HOME `id` \\ é" });
    const run = promisify(execFile);
    const { stdout } = await run("bash", ["-c", snippetOf("curl", endpoint, example)], { env: { ...process.env, WEBHOOK_SECRET: SECRET } });
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(heard).toContain("file.renamed");
    await expect(run("bash", ["-c", snippetOf("curl", endpoint, example)], { env: { ...process.env, WEBHOOK_SECRET: OTHER } })).resolves.toMatchObject({
      stdout: expect.stringMatching(/^HTTP\/1\.1 401 /),
    });
  } finally {
    child.kill();
  }
});

test("an address cannot break out of a snippet", () => {
  const endpoint = { url: `https://a.example/'"\`;$(id)\\%0a\u2028`, secret_hint: "x", event_types: [] };
  expect(snippetOf("node", endpoint, exampleOf)).toContain(`pathname !== ${JSON.stringify(new URL(endpoint.url).pathname)}`);
  expect(snippetOf("python", endpoint, exampleOf)).toContain(`.path != ${JSON.stringify(new URL(endpoint.url).pathname)}`);
  expect(snippetOf("curl", endpoint, exampleOf)).toContain(`'${new URL(endpoint.url).href.replaceAll("'", `'\\''`)}'`);
});
