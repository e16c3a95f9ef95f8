/** Starts the client in front of an https service as a process. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { findFreePort, stopProcess } from "../bin/testing/service-start.ts";
import { createCertificate } from "./testing/certificate.ts";
import { waitUntil } from "./testing/live.ts";

const folder = mkdtempSync(join(tmpdir(), "talkback-upstream-"));
const certificate = createCertificate("localhost");
const certificatePath = join(folder, "certificate.pem");
writeFileSync(certificatePath, certificate.cert);
const workingFolder = mkdtempSync(join(tmpdir(), "talkback-front-"));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) await stopProcess(child, "SIGKILL");
  for (const path of [folder, workingFolder]) rmSync(path, { recursive: true, force: true });
});

function start(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    cwd: workingFolder,
    env: { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: certificatePath, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  return { child, output: () => output };
}

it("forwards to a service with a trusted certificate, creates no files, and stops on a signal", async () => {
  const service = createServer(certificate, (request, response) => {
    response.writeHead(200, { "Set-Cookie": "__Host-talkback=secret; Path=/; Secure; HttpOnly", "Content-Type": "application/json" });
    response.end(JSON.stringify({ url: request.url, cookie: request.headers.cookie ?? null }));
  }).listen(0, "localhost");
  const sockets = new WebSocketServer({ noServer: true });
  service.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (accepted) => accepted.on("message", (data) => accepted.send(`${String(data)}!`))),
  );
  await once(service, "listening");
  const port = await findFreePort();
  const front = start(["--upstream", `https://localhost:${(service.address() as AddressInfo).port}/base`], { PORT: String(port) });
  await waitUntil(() => front.output().includes("Stop with Ctrl+C"), "the start", front.output);
  expect(front.output()).not.toContain("Warning");

  const base = `http://127.0.0.1:${port}`;
  const first = await fetch(`${base}/api/v2/session`);
  const cookie = first.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  // A browser keeps it although this page is on plain http.
  expect(first.headers.getSetCookie()[0]).not.toMatch(/__Host-talkback=.*Secure|^__Host-/);
  expect(await (await fetch(`${base}/api/v2/session`, { headers: { cookie: `${cookie}; talkback=ours` } })).json()).toEqual({
    url: "/base/api/v2/session",
    cookie: "__Host-talkback=secret",
  });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/live`);
  await once(socket, "open");
  socket.send("over TLS");
  expect(String((await once(socket, "message"))[0])).toBe("over TLS!");

  front.child.kill("SIGTERM");
  expect((await once(front.child, "exit"))[0]).toBe(0);
  expect(readdirSync(workingFolder)).toEqual([]);
  service.closeAllConnections();
  service.close();
});

it("says at the start that the service cannot be reached, and refuses what cannot be combined", async () => {
  const [port, silentPort] = [await findFreePort(), await findFreePort()];
  const front = start([`--upstream=http://127.0.0.1:${silentPort}`], { PORT: String(port) });
  const refusals = [
    start(["--upstream", `http://127.0.0.1:${port}`], { PORT: String(port) }),
    start(["--upstream", "https://a.example"], { DATABASE_URL: "postgres://a/b" }),
  ];
  await waitUntil(() => front.output().includes("Stop with Ctrl+C"), "the start", front.output);
  expect(front.output()).toContain("The service cannot be reached: it refuses connections.");
  for (const { child } of refusals) expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(1);
  expect(refusals[0]?.output()).toContain("is the address of this client itself");
  expect(refusals[1]?.output()).toContain("Unset them: DATABASE_URL.");
  expect(readdirSync(workingFolder)).toEqual([]);
});
