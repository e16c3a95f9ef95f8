/** Kills the real service repeatedly while four people write: confirmed messages survive, and none is duplicated. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../../../contract/records.ts";
import type { Database } from "../../db/database.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES, createTestDatabase, type TestDatabase } from "../../testing/engines.ts";
import { tokenFromUrl } from "../../testing/people.ts";
import { sendRawRequest, type RawResponse } from "../../testing/raw-socket.ts";
import { createOwner, type Environment, getFaultRounds, type ServiceProcess, startService } from "../../testing/service-process.ts";
import { bearerCaller } from "../../testing/test-app.ts";
import { issueToken } from "../accounts/api-tokens.ts";

const WRITER_COUNT = 4;
/** Starting the service takes most of the time. */
const ROUNDS = getFaultRounds(2);

interface Confirmed {
  id: number;
  body: string;
}

describe.each(ENGINES)("a chat on %s", { timeout: 600_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let environment: Environment;
  let service: ServiceProcess | null = null;
  beforeEach(async () => {
    data = await createTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = engine === "postgres" ? { DATABASE_URL: data.location } : {};
  }, 60_000);
  afterEach(async () => {
    await service?.kill();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  const call = (caller: Caller, method: string, path: string, body?: object): Promise<RawResponse> => {
    if (!service) return Promise.reject(new Error("not running"));
    return sendRawRequest(service.base, caller, {
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
  };

  /** Returns the owner and three people whom the owner invited. */
  async function inviteWriters(owner: Caller, team: number, project: number): Promise<Caller[]> {
    const callers = [owner];
    for (let index = 1; index < WRITER_COUNT; index += 1) {
      const name = `person${index}`;
      const invited = await call(owner, "POST", "/v1/teams/invite_member", { team_id: team, role: "member", project_ids: [project] });
      const token = tokenFromUrl(invited.json.data.url as string);
      const joined = await call({ name, headers: {} }, "POST", "/api/v2/invites/accept", {
        token,
        username: name,
        email: `${name}@talkback.test`,
        password: "correct horse battery",
      });
      expect(joined.status, joined.text).toBe(200);
      const { id } = joined.json.data.account as { id: number };
      const issued = await database.write((tx) => issueToken(tx, Date.now(), id, { name: "test", scopes: ["chat:read", "chat:write"], expiresAt: null }));
      callers.push(bearerCaller(name, issued.token));
    }
    return callers;
  }

  test(`loses and duplicates no confirmed message of ${WRITER_COUNT} writers when the service is killed ${ROUNDS} times under load`, async () => {
    const owner = await createOwner(dataDir, environment);
    database = data.open();
    service = await startService(dataDir, environment);
    const [team] = (await call(owner, "POST", "/v1/teams/ls", {})).json.data;
    const project = (await call(owner, "POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).json.data.id as number;
    const writers = await inviteWriters(owner, team.id, project);
    let [stopping, brokenCount, resentCount, answeredCount] = [false, 0, 0, 0];
    let wake = () => {};
    /** Resolves once `count` more requests have been answered. */
    const waitForAnswers = (count: number) => {
      const targetCount = answeredCount + count;
      return new Promise<void>((resolve) => (wake = () => answeredCount >= targetCount && resolve()));
    };

    /** Repeats the same request until it succeeds, as the outbox does. */
    async function sendUntilConfirmed(caller: Caller, method: string, path: string, body: object): Promise<Message> {
      for (let attempt = 0; ; attempt += 1) {
        const reply = await call(caller, method, path, body).catch(() => null);
        if (reply?.status === 200) {
          if (attempt > 0) resentCount += 1;
          answeredCount += 1;
          wake();
          return reply.json.data as Message;
        }
        if (reply) expect(reply.status, reply.text).toBe(503);
        else if (service) brokenCount += 1;
        await sleep(20);
      }
    }

    async function write(caller: Caller, writerIndex: number): Promise<Confirmed[]> {
      const confirmed: Confirmed[] = [];
      for (let count = 0; !stopping; count += 1) {
        const body = `message ${count} of ${writerIndex}`;
        const sent = await sendUntilConfirmed(caller, "POST", "/v1/account/projects/chat_message", {
          project_id: project,
          body,
          client_id: `client-${writerIndex}-${count}`,
        });
        confirmed.push({ id: sent.id, body });
        if (count % 4 !== 3) continue;
        const changed = confirmed[count - 2]!;
        changed.body = `${changed.body}, edited`;
        await sendUntilConfirmed(caller, "PATCH", `/api/v2/projects/${project}/messages/${changed.id}`, { body: changed.body });
      }
      return confirmed;
    }

    const allWrites = Promise.all(writers.map(write));
    for (let round = 0; round < ROUNDS; round += 1) {
      // Kills the service at a random moment, when most writers have a request under way.
      await waitForAnswers(5 + Math.floor(Math.random() * 40));
      await sleep(Math.random() * 10);
      const { kill } = service;
      await kill();
      service = null;
      service = await startService(dataDir, environment);
    }
    await waitForAnswers(WRITER_COUNT);
    stopping = true;
    const confirmed = await allWrites;

    const rows = await database.read.selectFrom("messages").select(["id", "body", "client_id"]).where("project_id", "=", project).orderBy("id").execute();
    const storedBodies = new Map(rows.map(({ id, body }) => [id, body]));
    for (const [writerIndex, list] of confirmed.entries()) {
      expect(list.length).toBeGreaterThan(0);
      for (const { id, body } of list) expect(storedBodies.get(id)).toBe(body);
      // Each writer's messages are stored once, in the order written.
      const clientIds = rows.filter(({ client_id }) => client_id?.startsWith(`client-${writerIndex}-`)).map(({ client_id }) => client_id);
      expect(clientIds).toEqual(list.map((_, index) => `client-${writerIndex}-${index}`));
    }
    const total = confirmed.reduce((sum, list) => sum + list.length, 0);
    expect(rows).toHaveLength(total);
    const events = await database.read.selectFrom("events").select(["seq", "type", "data"]).where("topic", "=", `project:${project}`).orderBy("seq").execute();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const createdIds = events.filter(({ type }) => type === "message.created").map((event) => (JSON.parse(event.data) as Message).id);
    expect(createdIds).toEqual(rows.map(({ id }) => id));
    const lastEventById = new Map(
      events.filter(({ type }) => type.startsWith("message.")).map((event) => [(JSON.parse(event.data) as Message).id, event.data]),
    );
    for (const { id, body } of rows) expect((JSON.parse(lastEventById.get(id) ?? "{}") as Message).body).toBe(body);
    console.log(
      `${engine}: killed ${ROUNDS} times, ${total} messages confirmed, ${brokenCount} requests broken off, ${resentCount} sent again, 0 lost, 0 doubled`,
    );
    // Guards against kills that interrupt no request.
    expect(brokenCount).toBeGreaterThanOrEqual(ROUNDS);
    expect(resentCount).toBeGreaterThanOrEqual(ROUNDS);
  });
});
