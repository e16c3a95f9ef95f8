/** Forwards WebSockets, and the traffic of people and programs to a real service, over real sockets. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { listTeams } from "../../contract/operations/teams.ts";
import { openRejectedSocket, openSocket, waitUntil } from "../testing/live.ts";
import { createApiToken, PASSWORD, setUpOwner, type Person } from "../testing/people.ts";
import { listen } from "../testing/raw-socket.ts";
import { startTestApp, type TestApp } from "../testing/test-app.ts";
import { closeAll, closers, startInFront, startPair, startStandIn } from "../testing/upstream.ts";

afterEach(closeAll);

describe("a WebSocket", () => {
  async function startSocketPair() {
    const sockets = new WebSocketServer({ noServer: true });
    const standIn = await startStandIn((_request, response) => void response.end());
    const accepted: { socket: WebSocket; request: IncomingMessage }[] = [];
    standIn.server.on("upgrade", (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (accepting) => void accepted.push({ socket: accepting, request })),
    );
    const { base, server } = await startInFront(standIn.base);
    const open = async (headers: Record<string, string> = {}) => {
      const socket = new WebSocket(`${base.replace("http", "ws")}/api/v2/live?ticket=1`, { headers });
      await once(socket, "open");
      await waitUntil(() => accepted.length > 0, "the upgrade");
      const { socket: other, request } = accepted.at(-1) ?? expect.fail();
      return { socket, other, request };
    };
    return { open, server, standIn };
  }

  it("passes frames of both kinds and directions, and the close codes of both sides", async () => {
    const { open } = await startSocketPair();
    const { socket, other, request } = await open({ authorization: "Bearer t", cookie: "talkback=ours" });
    expect(request.url).toBe("/api/v2/live?ticket=1");
    expect(request.headers.authorization).toBe("Bearer t");
    expect(request.headers.cookie).toBeUndefined();
    other.on("message", (data, isBinary) => other.send(data, { binary: isBinary }));
    for (const payload of ["text", Buffer.alloc(300_000, 7)]) {
      const echo = once(socket, "message");
      socket.send(payload);
      expect(await echo).toEqual([Buffer.from(payload), typeof payload !== "string"]);
    }
    const closedByService = once(socket, "close");
    other.close(4401, "signed out");
    expect(await closedByService).toEqual([4401, Buffer.from("signed out")]);

    const second = await open();
    const closedByBrowser = once(second.other, "close");
    second.socket.close(4000, "bye");
    expect(await closedByBrowser).toEqual([4000, Buffer.from("bye")]);
  });

  it("ends on both sides when one of them is lost, or this server stops", async () => {
    const { open, server } = await startSocketPair();
    const first = await open();
    const lost = once(first.socket, "close");
    first.other.terminate();
    expect((await lost)[0]).toBe(1006);
    const second = await open();
    const gone = once(second.other, "close");
    second.socket.terminate();
    expect((await gone)[0]).toBe(1006);
    const third = await open();
    const stopped = Promise.all([once(third.socket, "close"), once(third.other, "close")]);
    await server.close();
    expect((await stopped).map(([code]) => code as number)).toEqual([1006, 1006]);
  });

  it("to another path, or while the service is down, is refused", async () => {
    const { server, standIn } = await startSocketPair();
    expect((await openRejectedSocket(server, {}, "", "/docs/live")).status).toBe(404);
    standIn.server.close();
    standIn.server.closeAllConnections();
    expect(await openRejectedSocket(server, {})).toMatchObject({ status: 502, body: { object: "error", status: 502 } });
  });
});

describe("in front of a real service", () => {
  let testApp: TestApp;
  let owner: Person;
  let address: string;
  let team: number;
  beforeAll(async () => {
    testApp = await startTestApp("sqlite");
    owner = await setUpOwner(testApp);
    team = (await testApp.call(owner, listTeams, { body: {} })).response.data[0]?.id ?? 0;
    address = await listen(testApp);
  });
  afterAll(() => testApp.close());

  it("people sign in, write and get live events, by cookies that only this client's page can use", async () => {
    const { base, server } = await startInFront(address);
    const page = { origin: base, "sec-fetch-site": "same-origin", "content-type": "application/json" };
    const signedIn = await fetch(`${base}/api/v2/session`, { method: "POST", headers: page, body: JSON.stringify({ login: owner.email, password: PASSWORD }) });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^upstream-\w+-talkback=/);
    const createProject = (headers: Record<string, string>) =>
      fetch(`${base}/v1/account/projects/create`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "Through", team_id: team }),
      });
    const created = await createProject({ ...page, cookie });
    expect(created.status).toBe(200);
    const { id } = ((await created.json()) as { data: { id: number } }).data;
    expect((await createProject({ cookie, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" })).status).toBe(401);

    const socket = await openSocket(server, { headers: { cookie, origin: "http://127.0.0.1:4000" } });
    await socket.subscribe(`project:${id}`);
    await fetch(`${base}/v1/account/projects/chat_message`, {
      method: "POST",
      headers: { ...page, cookie },
      body: JSON.stringify({ project_id: id, body: "hello" }),
    });
    await waitUntil(() => socket.events(`project:${id}`).some(({ type }) => type === "message.created"), "the event");
    const refused = await openRejectedSocket(server, { cookie, origin: "http://evil.example" });
    expect(refused).toMatchObject({ status: 401, body: { status: 401 } });
    await fetch(`${base}/api/v2/session`, { method: "DELETE", headers: { ...page, cookie } });
    expect(await socket.waitUntilClosed()).toBe(4401);
  });

  it("tus uploads stay with this client, and downloads have ranges", async () => {
    const { base } = await startInFront(address);
    const { headers } = await createApiToken(testApp, owner);
    const project = (await (
      await fetch(`${base}/v1/account/projects/create`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ name: "Tus", team_id: team }),
      })
    ).json()) as { data: { root_folder_id: number } };
    const metadata = `name ${btoa("a.bin")},parent_id ${btoa(String(project.data.root_folder_id))}`;
    const created = await fetch(`${base}/api/v2/uploads`, {
      method: "POST",
      headers: { ...headers, "tus-resumable": "1.0.0", "upload-length": "10", "upload-metadata": metadata },
    });
    expect(created.status).toBe(201);
    const location = new URL(created.headers.get("location") ?? "", base);
    expect(location.origin).toBe(base);
    const patch = (offset: number, body: string) =>
      fetch(location, {
        method: "PATCH",
        headers: { ...headers, "tus-resumable": "1.0.0", "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
        body,
      });
    expect((await patch(0, "01234")).status).toBe(204);
    const done = (await (await patch(5, "56789")).json()) as { file_id: number };
    const bytes = await fetch(`${base}/api/v2/files/${done.file_id}/versions/1/original`, { headers: { ...headers, range: "bytes=2-4" } });
    expect([bytes.status, await bytes.text()]).toEqual([206, "234"]);
  });
});

it("serves the client with the same security headers as the service does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-client-"));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<p>client</p>");
  const forwarded: string[] = [];
  const { base } = await startPair(({ url = "" }, response) => void response.end(String(forwarded.push(url))), { clientFolder: folder });
  for (const path of ["/", "/projects/7"]) {
    const response = await fetch(base + path);
    expect(await response.text()).toBe("<p>client</p>");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'.*connect-src 'self'(;|$)/);
    expect(policy).toContain("media-src 'self' https: http:");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  }
  // Files have any path, and only the client's own requests carry the token.
  const headers = { authorization: "Bearer t" };
  for (const path of ["/media/a.wav?x=1", "/projects/7"]) await fetch(base + path, { headers });
  await fetch(`${base}/index.html`, { headers });
  await fetch(`${base}/media/a.wav`, { headers: { authorization: "Basic eDp5" } });
  await fetch(`${base}/media/a.wav`, { headers, method: "POST" });
  expect(forwarded).toEqual(["/media/a.wav?x=1", "/projects/7"]);
  expect((await fetch(`${base}/media/%2e%2e%2fsecret`, { headers })).status).toBe(400);
});
