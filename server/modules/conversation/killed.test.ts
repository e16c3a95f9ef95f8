/** Kills the real service repeatedly while messages, and comments with files, are written: what is confirmed survives, and none is duplicated. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import type { Comment } from "../../../contract/comment-records.ts";
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

/** Number of rows beyond the first with the same `client_id`. */
const countDoubled = (rows: readonly { client_id: string | null }[]): number => rows.length - new Set(rows.map(({ client_id }) => client_id)).size;

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

  /** Repeats the same request until it succeeds, as the outbox does. */
  type Send = <T>(caller: Caller, method: string, path: string, body: object) => Promise<T>;

  /** Runs every writer, who repeats `writeNext` with the next number, kills and starts the service meanwhile, and returns what each of them has written. */
  async function writeUnderKills<T>(
    writers: readonly Caller[],
    writeNext: (send: Send, caller: Caller, writerIndex: number, count: number, written: T[]) => Promise<void>,
  ): Promise<{ written: T[][]; brokenCount: number; resentCount: number }> {
    let [stopping, brokenCount, resentCount, answeredCount] = [false, 0, 0, 0];
    let wake = () => {};
    /** Resolves once `count` more requests have been answered. */
    const waitForAnswers = (count: number) => {
      const targetCount = answeredCount + count;
      return new Promise<void>((resolve) => (wake = () => answeredCount >= targetCount && resolve()));
    };
    const send: Send = async <R>(caller: Caller, method: string, path: string, body: object) => {
      for (let attempt = 0; ; attempt += 1) {
        const reply = await call(caller, method, path, body).catch(() => null);
        if (reply?.status === 200) {
          if (attempt > 0) resentCount += 1;
          answeredCount += 1;
          wake();
          return reply.json.data as R;
        }
        if (reply) expect(reply.status, reply.text).toBe(503);
        else if (service) brokenCount += 1;
        await sleep(20);
      }
    };
    const allWrites = Promise.all(
      writers.map(async (caller, writerIndex) => {
        const written: T[] = [];
        for (let count = 0; !stopping; count += 1) await writeNext(send, caller, writerIndex, count, written);
        return written;
      }),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      // Kills the service at a random moment, when most writers have a request under way.
      await waitForAnswers(5 + Math.floor(Math.random() * 40));
      await sleep(Math.random() * 10);
      const { kill } = service!;
      await kill();
      service = null;
      service = await startService(dataDir, environment);
    }
    await waitForAnswers(writers.length);
    stopping = true;
    return { written: await allWrites, brokenCount, resentCount };
  }

  /** Starts the service with a project. */
  async function startWithProject() {
    const owner = await createOwner(dataDir, environment);
    database = data.open();
    service = await startService(dataDir, environment);
    const [team] = (await call(owner, "POST", "/v1/teams/ls", {})).json.data;
    const { id, root_folder_id } = (await call(owner, "POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).json.data;
    return { owner, teamId: team.id as number, projectId: id as number, rootFolderId: root_folder_id as number };
  }

  /** Returns the events of a project, which have no gap. */
  async function loadEvents(projectId: number) {
    const events = await database.read
      .selectFrom("events")
      .select(["seq", "type", "data"])
      .where("topic", "=", `project:${projectId}`)
      .orderBy("seq")
      .execute();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    return events;
  }

  test(`loses and duplicates no confirmed message of ${WRITER_COUNT} writers when the service is killed ${ROUNDS} times under load`, async () => {
    const { owner, teamId, projectId: project } = await startWithProject();
    const writers = await inviteWriters(owner, teamId, project);
    const {
      written: confirmed,
      brokenCount,
      resentCount,
    } = await writeUnderKills<Confirmed>(writers, async (send, caller, writerIndex, count, list) => {
      const body = `message ${count} of ${writerIndex}`;
      const sent = await send<Message>(caller, "POST", "/v1/account/projects/chat_message", {
        project_id: project,
        body,
        client_id: `client-${writerIndex}-${count}`,
      });
      list.push({ id: sent.id, body });
      if (count % 4 !== 3) return;
      const changed = list[count - 2]!;
      changed.body = `${changed.body}, edited`;
      await send(caller, "PATCH", `/api/v2/projects/${project}/messages/${changed.id}`, { body: changed.body });
    });

    const rows = await database.read.selectFrom("messages").select(["id", "body", "client_id"]).where("project_id", "=", project).orderBy("id").execute();
    const storedBodies = new Map(rows.map(({ id, body }) => [id, body]));
    const total = confirmed.reduce((sum, list) => sum + list.length, 0);
    reportFaults("killed: messages", engine, {
      broken: ROUNDS,
      acknowledged: total,
      lost: confirmed.flat().filter(({ id, body }) => storedBodies.get(id) !== body).length,
      doubled: countDoubled(rows),
      resumed: resentCount,
    });
    for (const [writerIndex, list] of confirmed.entries()) {
      expect(list.length).toBeGreaterThan(0);
      for (const { id, body } of list) expect(storedBodies.get(id)).toBe(body);
      // Each writer's messages are stored once, in the order written.
      const clientIds = rows.filter(({ client_id }) => client_id?.startsWith(`client-${writerIndex}-`)).map(({ client_id }) => client_id);
      expect(clientIds).toEqual(list.map((_, index) => `client-${writerIndex}-${index}`));
    }
    expect(rows).toHaveLength(total);
    const events = await loadEvents(project);
    const createdIds = events.filter(({ type }) => type === "message.created").map((event) => (JSON.parse(event.data) as Message).id);
    expect(createdIds).toEqual(rows.map(({ id }) => id));
    const lastEventById = new Map(
      events.filter(({ type }) => type.startsWith("message.")).map((event) => [(JSON.parse(event.data) as Message).id, event.data]),
    );
    for (const { id, body } of rows) expect((JSON.parse(lastEventById.get(id) ?? "{}") as Message).body).toBe(body);
    // Guards against kills that interrupt no request.
    expect(brokenCount).toBeGreaterThanOrEqual(ROUNDS);
    expect(resentCount).toBeGreaterThanOrEqual(ROUNDS);
  });

  test(`loses, duplicates and halves no comment with files when the service is killed ${ROUNDS} times under load`, async () => {
    const { owner, projectId, rootFolderId } = await startWithProject();
    const upload = async (name: string): Promise<number> => {
      const path = `/v1/files/upload?parent_id=${rootFolderId}&name=${name}`;
      return (await sendRawRequest(service!.base, owner, { method: "PUT", path, body: Buffer.from(name) })).json.file_id as number;
    };
    const [mix, first, second] = [await upload("mix.bin"), await upload("first.bin"), await upload("second.bin")];
    const attachmentIds = [second, first];
    const { written, brokenCount, resentCount } = await writeUnderKills<number>(
      Array.from({ length: WRITER_COUNT }, () => owner),
      async (send, caller, writerIndex, count, ids) => {
        // Every second comment is only its files.
        const body = count % 2 === 0 ? `comment ${count} of ${writerIndex}` : "";
        const client_id = `client-${writerIndex}-${count}`;
        const comment = await send<Comment>(caller, "POST", `/api/v2/files/${mix}/comments`, { body, client_id, attachment_ids: attachmentIds });
        expect(comment.attachments?.map(({ id }) => id)).toEqual(attachmentIds);
        ids.push(comment.id);
      },
    );

    const rows = await database.read.selectFrom("comments").select(["id", "client_id"]).where("file_id", "=", mix).orderBy("id").execute();
    const ids = new Set(rows.map(({ id }) => id));
    reportFaults("killed: comments", engine, {
      broken: ROUNDS,
      acknowledged: written.flat().length,
      lost: written.flat().filter((id) => !ids.has(id)).length,
      doubled: countDoubled(rows),
      resumed: resentCount,
    });
    for (const [writerIndex, own] of written.entries()) {
      const stored = rows.filter(({ client_id }) => client_id?.startsWith(`client-${writerIndex}-`));
      expect(stored).toEqual(own.map((id, index) => ({ id, client_id: `client-${writerIndex}-${index}` })));
    }
    expect(rows).toHaveLength(written.flat().length);
    const attachments = await database.read
      .selectFrom("comment_attachments")
      .select(["comment_id", "file_id"])
      .orderBy("comment_id")
      .orderBy("position")
      .execute();
    expect(attachments).toEqual(rows.flatMap(({ id }) => attachmentIds.map((file_id) => ({ comment_id: id, file_id }))));
    const created = (await loadEvents(projectId)).filter(({ type }) => type === "comment.created").map((event) => JSON.parse(event.data) as Comment);
    expect(created.map(({ id, attachments: files }) => ({ id, files: files?.map((file) => file.id) }))).toEqual(
      rows.map(({ id }) => ({ id, files: attachmentIds })),
    );
    expect(brokenCount).toBeGreaterThanOrEqual(ROUNDS);
    expect(resentCount).toBeGreaterThanOrEqual(ROUNDS);
  });
});
