/** Real WebSockets to a listening service, for tests of the live channel. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type * as z from "zod/mini";
import { EVENT_DATA, serverFrame, SIGNAL_DATA, WITHHELD, type ClientFrame, type LiveEvent, type ServerFrame } from "../../contract/events.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as teams from "../../contract/operations/teams.ts";
import { buildApp, type App } from "../app.ts";
import { readConfig } from "../config.ts";
import type { Database, Engine } from "../db/database.ts";
import type { Caller } from "./client.ts";
import { setUpOwner, type Person } from "./people.ts";
import { PUBLIC_URL, startTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";

/** Waits until `condition` is true; on timeout, throws with the result of `describeState`. */
export async function waitUntil(condition: () => boolean, description: string, describeState: () => unknown = () => "", timeoutMs = 15_000): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; !condition(); await sleep(5)) {
    if (performance.now() > deadline) throw new Error(`${description} did not happen in ${timeoutMs} ms: ${JSON.stringify(describeState())}`);
  }
}

export interface TestSocket {
  readonly frames: ServerFrame[];
  readonly closed: { code: number; reason: string } | null;
  socket: WebSocket;
  send(frame: ClientFrame): void;
  /** Waits for the first frame of this kind, and of this topic if given, and returns its payload. */
  nextFrame(kind: "subscribed" | "reset" | "refused" | "signal" | "pong", topic?: string): Promise<unknown>;
  events(topic: string): LiveEvent[];
  seqs(topic: string): number[];
  subscribe(topic: string, since?: number): Promise<ServerFrame>;
  waitUntilClosed(): Promise<number>;
  close(): Promise<void>;
}

/** Parses a frame; throws if the published document lacks its type, or if its data differs from what the document says of the type. */
function parseFrame(text: string): ServerFrame {
  const frame = serverFrame.parse(JSON.parse(text));
  const schemas: Record<string, z.ZodMiniType> = "event" in frame ? EVENT_DATA : SIGNAL_DATA;
  const { type, data } = ("event" in frame ? frame.event : "signal" in frame ? frame.signal : { type: WITHHELD, data: {} }) as Pick<LiveEvent, "type" | "data">;
  if (type === WITHHELD) return frame;
  const schema = schemas[type] ?? expect.fail(`The document has no ${type}`);
  expect(schema.safeParse(data), type).toMatchObject({ success: true });
  return frame;
}

const listenAddress = (server: App["server"]): string => `127.0.0.1:${(server.server.address() as AddressInfo).port}`;

/** Opens a socket and waits for the handshake. `server`: also the base URL of one in another process. */
export async function openSocket(server: App["server"] | string, caller: Pick<Caller, "headers">, search = ""): Promise<TestSocket> {
  const address = typeof server === "string" ? new URL(server).host : listenAddress(server);
  const socket = new WebSocket(`ws://${address}/api/v2/live${search}`, { headers: caller.headers, perMessageDeflate: false });
  const frames: ServerFrame[] = [];
  let closed: TestSocket["closed"] = null;
  socket.on("message", (data) => frames.push(parseFrame(String(data))));
  socket.on("close", (code, reason) => (closed = { code, reason: String(reason) }));
  await once(socket, "open");
  socket.on("error", () => {});
  const getPayload = (frame: ServerFrame, kind: string): { topic?: string } | undefined => (frame as Record<string, { topic?: string }>)[kind];
  const findFrame = (kind: string, topic?: string, from = 0) =>
    frames.slice(from).find((frame) => getPayload(frame, kind) !== undefined && (topic === undefined || getPayload(frame, kind)?.topic === topic));
  const events = (topic: string) =>
    frames.flatMap((frame) => ("event" in frame && (frame.event as LiveEvent).topic === topic ? [frame.event as LiveEvent] : []));
  return {
    socket,
    frames,
    get closed() {
      return closed;
    },
    send: (frame) => socket.send(JSON.stringify(frame)),
    async nextFrame(kind, topic) {
      await waitUntil(
        () => findFrame(kind, topic) !== undefined || closed !== null,
        `${kind} ${topic ?? ""}`,
        () => frames.slice(-5),
      );
      return getPayload(findFrame(kind, topic) ?? expect.fail(`closed: ${JSON.stringify(closed)}`), kind);
    },
    events,
    seqs: (topic) => events(topic).map(({ seq }) => seq),
    async subscribe(topic, since) {
      const from = frames.length;
      socket.send(JSON.stringify({ subscribe: since === undefined ? { topic } : { topic, since } }));
      const findReply = () => findFrame("subscribed", topic, from) ?? findFrame("reset", topic, from) ?? findFrame("refused", topic, from);
      await waitUntil(
        () => findReply() !== undefined || closed !== null,
        `a reply to the subscription to ${topic}`,
        () => frames.slice(-5),
      );
      return findReply() ?? expect.fail(`closed: ${JSON.stringify(closed)}`);
    },
    async waitUntilClosed() {
      await waitUntil(
        () => closed !== null,
        "closing",
        () => frames.slice(-5),
      );
      return closed?.code ?? 0;
    },
    async close() {
      socket.close();
      await waitUntil(() => closed !== null, "closing");
    },
  };
}

/** Tries to open a socket that must be rejected, and returns the HTTP response. */
export async function openRejectedSocket(
  server: App["server"],
  headers: Record<string, string>,
  search = "",
  path = "/api/v2/live",
): Promise<{ status: number; body: Record<string, unknown>; headers: Record<string, unknown> }> {
  const socket = new WebSocket(`ws://${listenAddress(server)}${path}${search}`, { headers });
  socket.on("error", () => {});
  const [, response] = (await Promise.race([
    once(socket, "unexpected-response"),
    once(socket, "open").then(() => {
      socket.terminate();
      throw new Error("the socket was accepted");
    }),
  ])) as [unknown, import("node:http").IncomingMessage];
  const text = (await response.toArray()).join("");
  return { status: response.statusCode ?? 0, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>), headers: response.headers };
}

export interface LiveTestApp extends TestApp {
  owner: Person;
  team: number;
  organization: number;
  newProject(name?: string, caller?: Caller): Promise<number>;
  /** Starts a second app on the same data, as another process would. */
  startSecondApp(environment?: Record<string, string>): Promise<{ app: App; database: Database; close(): Promise<void> }>;
}

export async function startLiveTestApp(engine: Engine, options: TestAppOptions = {}): Promise<LiveTestApp> {
  const testApp = await startTestApp(engine, options);
  await testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  const owner = await setUpOwner(testApp);
  const [team] = (await testApp.call(owner, teams.listTeams)).response.data;
  if (!team) throw new Error("no team");
  return {
    ...testApp,
    owner,
    team: team.id,
    organization: team.organisation_id,
    newProject: async (name = "Song", caller = owner) =>
      (await testApp.call(caller, projects.createProject, { body: { name, team_id: team.id } })).response.data.id,
    async startSecondApp(environment = {}) {
      const database = testApp.testDatabase.open();
      const config = readConfig({
        PUBLIC_URL,
        LOG_LEVEL: process.env["TEST_LOG"] ?? "silent",
        RATE_LIMIT: "0",
        DATA_DIR: testApp.config.dataDir,
        ...environment,
      });
      const app = await buildApp({ config, database, masterKey: testApp.masterKey, clock: testApp.clock, clientFolder: "/nowhere" });
      await app.server.listen({ host: "127.0.0.1", port: 0 });
      return {
        app,
        database,
        async close() {
          await app.server.close();
          await database.close();
        },
      };
    },
  };
}

export const seqsUpTo = (last: number, after = 0): number[] => Array.from({ length: last - after }, (_, index) => after + index + 1);
