/** Kills the real service while it sends a confirmation email and notifies of mentions: each reaches its place, at least once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import { acceptInvite } from "../../../contract/operations/teams.ts";
import { confirmMailAddress, createPushSubscription } from "../../../contract/operations/notification-delivery.ts";
import type { Database } from "../../db/database.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../../testing/engines.ts";
import { type MailServer, startMailServer } from "../../testing/mail-server.ts";
import { PASSWORD, tokenFromUrl } from "../../testing/people.ts";
import { type PushService, startPushService } from "../../testing/push-service.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { createOwner, type Environment, getFaultRounds, type ServiceProcess, startService, startWorkerProcess } from "../../testing/service-process.ts";
import { LOCAL_ADDRESSES } from "./sending.fixture.ts";

describe.each(ENGINES)("notifications of the real service on %s", { timeout: 600_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let environment: Environment;
  let owner: Caller;
  let push: PushService;
  let mails: MailServer;
  let service: ServiceProcess | null = null;
  let projectId: number;
  let readerId: number;

  beforeAll(async () => {
    push = await startPushService();
    mails = await startMailServer();
    data = await createTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = {
      ...LOCAL_ADDRESSES,
      SMTP_URL: mails.url,
      MAIL_FROM: "Studio <studio@talkback.test>",
      MAIL_DELAY: "0",
      ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}),
    };
    owner = await createOwner(dataDir, environment);
    database = data.open();
    await start();
    await addReader();
    await confirmReader();
  }, 180_000);
  afterAll(async () => {
    await kill();
    await push.close();
    await mails.close();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  async function kill(): Promise<void> {
    await service?.kill();
    service = null;
  }
  async function start(extra: Environment = {}): Promise<void> {
    await kill();
    service = await startService(dataDir, { ...environment, ...extra });
  }
  const post = (caller: Caller, path: string, body: object) =>
    sendRawRequest(service?.base ?? expect.fail("nothing runs"), caller, {
      method: "POST",
      path,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
  /** Creates a project and somebody in it, whose browser gets push messages. */
  async function addReader(): Promise<void> {
    const [team] = (await post(owner, "/v1/teams/ls", {})).json.data;
    projectId = (await post(owner, "/v1/account/projects/create", { name: "Nightdrive", team_id: team.id })).json.data.id;
    const invite = await post(owner, "/v1/teams/invite_member", { team_id: team.id, role: "member", project_ids: [projectId] });
    const joined = await post(ANONYMOUS, acceptInvite.path, {
      token: tokenFromUrl(invite.json.data.url),
      username: "Ana",
      email: "ana@talkback.test",
      password: PASSWORD,
    });
    readerId = joined.json.data.account.id;
    const cookie = String(joined.headers["set-cookie"]).split(";")[0] ?? "";
    const browser: Caller = { name: "Ana", headers: { cookie, origin: service!.base, "sec-fetch-site": "same-origin" } };
    expect((await post(browser, createPushSubscription.path, push.target)).status).toBe(200);
  }
  /** Kills the service while the confirmation email waits or is being sent, and uses the link in the one that arrives. */
  async function confirmReader(): Promise<void> {
    await kill();
    if (engine === "postgres") await expireLeases();
    await start();
    await allSent();
    const mail = mails.received.find(({ to }) => to.includes("ana@talkback.test"));
    const [, token = ""] = /confirm-email#(\S+)/.exec(mail?.text ?? "") ?? [];
    expect((await post(ANONYMOUS, confirmMailAddress.path, { token })).json.data).toMatchObject({ confirmed: true });
  }
  /** Returns whether the service confirmed the message. */
  const mention = async (text: string): Promise<boolean> =>
    (await post(owner, "/v1/account/projects/chat_message", { project_id: projectId, body: `<@${readerId}> ${text}` })).status === 200;
  const deliveries = () => database.read.selectFrom("notification_deliveries").selectAll().orderBy("id").execute();
  async function until(description: string, isMet: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + 30_000;
    while (!(await isMet())) {
      if (performance.now() > deadline) throw new Error(`It did not come about: ${description}. ${JSON.stringify(await deliveries())}`);
      await sleep(20);
    }
  }
  const allSent = () => until("all sent", async () => (await deliveries()).every(({ state }) => state === "sent"));
  // On PostgreSQL a killed service's lease must expire, since another service might still hold it; this skips that minute.
  const expireLeases = () =>
    database.write((tx) => tx.updateTable("notification_deliveries").set({ lease_until: 1 }).where("lease_until", "is not", null).execute());

  test("lose nothing when it is killed between commit, claim, send and acknowledgement", async () => {
    const ROUNDS = getFaultRounds(4);
    const MODES = ["commit", "push sent", "mail sent", "claim"] as const;
    const confirmed: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const mode = MODES[round % MODES.length]!;
      const text = `take ${round}.`;
      const arrival = Promise.withResolvers<void>();
      push.onArrival = mode === "push sent" ? arrival.resolve : null;
      mails.onArrival = mode === "mail sent" ? arrival.resolve : null;
      // An answer that never comes, so that the service is killed before it records the result.
      push.respondWith.status = mode === "push sent" ? null : 201;
      if (await mention(text)) confirmed.push(text);
      if (mode === "claim") await until("a claim", async () => (await deliveries()).some(({ lease_until, state }) => lease_until !== null || state === "sent"));
      else if (mode !== "commit") await arrival.promise;
      await kill();
      push.respondWith.status = 201;
      if (engine === "postgres") await expireLeases();
      const held = (await deliveries()).flatMap(({ lease_until, lease_token }) => (lease_until !== null && lease_until > 1 ? [lease_token] : []));
      await start();
      // The only service that uses a database does not wait for the leases of the process before it.
      expect((await deliveries()).filter(({ lease_token }) => lease_token !== null && held.includes(lease_token))).toEqual([]);
    }
    await allSent();
    reportFaults("killed: notifications", engine, {
      broken: ROUNDS,
      acknowledged: confirmed.length,
      lost: confirmed.filter((text) => !mails.received.some((mail) => mail.text.includes(text))).length,
    });
    expect(confirmed).toHaveLength(ROUNDS);
    for (const text of confirmed)
      expect(
        mails.received.some((mail) => mail.text.includes(text)),
        `email: ${text}`,
      ).toBe(true);
    const rows = await deliveries();
    const idsOf = (channel: string) => rows.filter((row) => row.channel === channel).map(({ id }) => id);
    const items = await database.read.selectFrom("notification_delivery_items").selectAll().execute();
    // Every mention is in one push message and one email.
    for (const channel of ["push", "mail"]) expect(items.filter(({ delivery_id }) => idsOf(channel).includes(delivery_id))).toHaveLength(ROUNDS);
    // The message without a response was sent again.
    expect(push.received.length).toBeGreaterThan(idsOf("push").length);
    // An email that was sent twice has the same id.
    expect(new Set(mails.received.map(({ headers }) => headers["message-id"])).size).toBe(idsOf("mail").length);
    console.log(`${engine}: ${ROUNDS} rounds, ${push.received.length} push messages and ${mails.received.length} emails for ${rows.length} deliveries, 0 lost`);
  });

  test.runIf(engine === "postgres")("are sent once by two workers, with DELIVERY=off", async () => {
    await start({ DELIVERY: "off" });
    push.received.length = 0;
    mails.received.length = 0;
    expect(await mention("for the workers")).toBe(true);
    await sleep(3_000);
    expect([push.received, mails.received]).toEqual([[], []]);
    const workers = [await startWorkerProcess(dataDir, environment), await startWorkerProcess(dataDir, environment)];
    try {
      await allSent();
      expect([push.received.length, mails.received.length]).toEqual([1, 1]);
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
    }
  });
});
