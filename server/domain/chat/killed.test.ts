/** The real service, killed again and again while four people write: what was confirmed stays, and nothing is there twice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../../../contract/records.ts";
import type { Database } from "../../db/database.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES, newTestDatabase, type TestDatabase } from "../../testing/engines.ts";
import { faultRounds } from "../../testing/fault-rounds.ts";
import { issueToken } from "../accounts/tokens.ts";
import { tokenIn } from "../../testing/people.ts";
import { furnish, startService, type Environment, type Service } from "../../testing/service.ts";
import { ask, type WireReply } from "../../testing/wire.ts";
import { bearerOf } from "../../testing/world.ts";

const PEOPLE = 4;
/** Starting it is what takes time. */
const ROUNDS = faultRounds(2);

interface Confirmed {
  id: number;
  body: string;
}

describe.each(ENGINES)("a chat on %s whose service is killed", { timeout: 600_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let environment: Environment;
  let service: Service | null = null;
  beforeEach(async () => {
    data = await newTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = engine === "postgres" ? { DATABASE_URL: data.location } : {};
  }, 60_000);
  afterEach(async () => {
    await service?.kill();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  const call = (caller: Caller, method: string, path: string, body?: object): Promise<WireReply> => {
    if (!service) return Promise.reject(new Error("not running"));
    return ask(service.base, caller, {
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
  };

  /** The owner and three whom they invited. */
  async function people(owner: Caller, team: number, project: number): Promise<Caller[]> {
    const all = [owner];
    for (let one = 1; one < PEOPLE; one += 1) {
      const name = `person${one}`;
      const invited = await call(owner, "POST", "/v1/teams/invite_member", { team_id: team, role: "member", project_ids: [project] });
      const token = tokenIn(invited.json.data.url as string);
      const joined = await call({ name, headers: {} }, "POST", "/api/v2/invites/accept", {
        token,
        username: name,
        email: `${name}@talkback.test`,
        password: "correct horse battery",
      });
      expect(joined.status, joined.text).toBe(200);
      const { id } = joined.json.data.account as { id: number };
      const issued = await database.write((tx) => issueToken(tx, Date.now(), id, { name: "test", scopes: ["chat:read", "chat:write"], expiresAt: null }));
      all.push(bearerOf(name, issued.token));
    }
    return all;
  }

  test(`${ROUNDS} times under load from ${PEOPLE} people: nothing confirmed is lost, nothing doubled, the order of each stays`, async () => {
    const owner = await furnish(dataDir, environment);
    database = data.open();
    service = await startService(dataDir, environment);
    const [team] = (await call(owner, "POST", "/v1/teams/ls", {})).json.data;
    const project = (await call(owner, "POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).json.data.id as number;
    const writers = await people(owner, team.id, project);
    let [stopping, brokenOff, sentAgain, answered] = [false, 0, 0, 0];
    let wake = () => {};
    /** As soon as so many more requests were answered. */
    const untilAnswered = (more: number) => {
      const enough = answered + more;
      return new Promise<void>((resolve) => (wake = () => answered >= enough && resolve()));
    };

    /** As the outbox does it: the same request until it is answered. */
    async function surely(caller: Caller, method: string, path: string, body: object): Promise<Message> {
      for (let tries = 0; ; tries += 1) {
        const reply = await call(caller, method, path, body).catch(() => null);
        if (reply?.status === 200) {
          if (tries > 0) sentAgain += 1;
          answered += 1;
          wake();
          return reply.json.data as Message;
        }
        if (reply) expect(reply.status, reply.text).toBe(503);
        else if (service) brokenOff += 1;
        await sleep(20);
      }
    }

    async function write(caller: Caller, who: number): Promise<Confirmed[]> {
      const confirmed: Confirmed[] = [];
      for (let count = 0; !stopping; count += 1) {
        const body = `message ${count} of ${who}`;
        const sent = await surely(caller, "POST", "/v1/account/projects/chat_message", { project_id: project, body, client_id: `client-${who}-${count}` });
        confirmed.push({ id: sent.id, body });
        if (count % 4 !== 3) continue;
        const changed = confirmed[count - 2]!;
        changed.body = `${changed.body}, edited`;
        await surely(caller, "PATCH", `/api/v2/projects/${project}/messages/${changed.id}`, { body: changed.body });
      }
      return confirmed;
    }

    const writing = Promise.all(writers.map(write));
    for (let round = 0; round < ROUNDS; round += 1) {
      // At any moment: most of the others' requests are under way then.
      await untilAnswered(5 + Math.floor(Math.random() * 40));
      await sleep(Math.random() * 10);
      const { kill } = service;
      await kill();
      service = null;
      service = await startService(dataDir, environment);
    }
    await untilAnswered(PEOPLE);
    stopping = true;
    const confirmed = await writing;

    const rows = await database.read.selectFrom("messages").select(["id", "body", "client_id"]).where("project_id", "=", project).orderBy("id").execute();
    const standing = new Map(rows.map(({ id, body }) => [id, body]));
    for (const [who, list] of confirmed.entries()) {
      expect(list.length).toBeGreaterThan(0);
      for (const { id, body } of list) expect(standing.get(id)).toBe(body);
      // As written, each once.
      const theirs = rows.filter(({ client_id }) => client_id?.startsWith(`client-${who}-`)).map(({ client_id }) => client_id);
      expect(theirs).toEqual(list.map((_, index) => `client-${who}-${index}`));
    }
    const total = confirmed.reduce((sum, list) => sum + list.length, 0);
    expect(rows).toHaveLength(total);
    const events = await database.read.selectFrom("events").select(["seq", "type", "data"]).where("topic", "=", `project:${project}`).orderBy("seq").execute();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const told = events.filter(({ type }) => type === "message.created").map((event) => (JSON.parse(event.data) as Message).id);
    expect(told).toEqual(rows.map(({ id }) => id));
    const last = new Map(events.filter(({ type }) => type.startsWith("message.")).map((event) => [(JSON.parse(event.data) as Message).id, event.data]));
    for (const { id, body } of rows) expect((JSON.parse(last.get(id) ?? "{}") as Message).body).toBe(body);
    console.log(`${engine}: killed ${ROUNDS} times, ${total} messages confirmed, ${brokenOff} requests broken off, ${sentAgain} sent again, 0 lost, 0 doubled`);
    // Else the test killed nothing.
    expect(brokenOff).toBeGreaterThanOrEqual(ROUNDS);
    expect(sentAgain).toBeGreaterThanOrEqual(ROUNDS);
  });
});
