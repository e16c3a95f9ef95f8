/** Fixtures of tests that send notifications: a service with a local push service and a local SMTP server. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Engine } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { type MailServer, startMailServer } from "../../testing/mail-server.ts";
import { confirmAddress, subscribeBrowser } from "../../testing/notification-delivery.ts";
import { joinTeam, type Person } from "../../testing/people.ts";
import { type PushService, startPushService } from "../../testing/push-service.ts";
import { createNotificationDeliveryDeps } from "./module.ts";
import { startSendingNotifications } from "./start-sending.ts";
import { MINUTE } from "../../lib/clock.ts";
import { PUSH_DELAY_MS } from "./enqueue.ts";

/** Lets webhooks and push messages reach this machine. */
export const LOCAL_ADDRESSES = { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };

export interface SendingContext {
  fixtures: Fixtures;
  push: PushService;
  mails: MailServer;
  /** Somebody new in each test, with a confirmed address and a browser that gets push messages. */
  reader: Person;
  subscriptionId: number;
  warnings: string[];
  start(): void;
  stop(): Promise<void>;
  /** Writes a message in `home`, and notifies the reader of a mention in it. Returns the notification's id. */
  mention(text: string, options?: { recipient?: Person }): Promise<number>;
  loadDeliveries(accountId?: number): Promise<Row<"notification_deliveries">[]>;
  waitUntil(description: string, condition: () => Promise<boolean> | boolean): Promise<void>;
  /** Waits until none of the reader's deliveries is due or in flight. */
  settle(): Promise<void>;
}

let personCount = 0;

export function setupSendingTests(engine: Engine): SendingContext {
  const context = { warnings: [] as string[] } as SendingContext;
  let stop: (() => Promise<void>) | null = null;
  const deleteDeliveries = () => context.fixtures.testApp.database.write((tx) => tx.deleteFrom("notification_deliveries").execute());

  beforeAll(async () => {
    context.push = await startPushService();
    context.mails = await startMailServer();
    context.fixtures = await createFixtures(engine, {
      environment: { ...LOCAL_ADDRESSES, SMTP_URL: context.mails.url, MAIL_FROM: "Studio <studio@talkback.test>" },
    });
  }, 60_000);
  afterAll(async () => {
    await context.push.close();
    await context.mails.close();
    await context.fixtures.testApp.close();
  });
  beforeEach(async () => {
    const { testApp, owner, home } = context.fixtures;
    personCount += 1;
    context.reader = await joinTeam(testApp, owner, `reader ${personCount}`, { team: home.team, role: "member", projects: [home.project] });
    await confirmAddress(testApp, context.reader);
    // The confirmation emails of everybody who has joined.
    await deleteDeliveries();
    // Each browser has an address of its own.
    context.push.target = { ...context.push.target, endpoint: `${context.push.base}/push/${personCount}` };
    context.subscriptionId = (await subscribeBrowser(testApp, context.reader.id, context.push.target)).id;
    context.push.received.length = 0;
    context.push.respondWith = { status: 201 };
    context.mails.received.length = 0;
    context.mails.respondWith.status = 250;
    context.warnings.length = 0;
  });
  afterEach(async () => {
    await context.stop();
    await deleteDeliveries();
  });

  return Object.assign(context, {
    start() {
      const { app, config, masterKey } = context.fixtures.testApp;
      const deps = createNotificationDeliveryDeps({ deps: app.deps, masterKey, guardOptions: config.webhooks, mail: config.mail });
      stop = startSendingNotifications({ deps, warn: (_error, message) => void context.warnings.push(message), random: () => 0.5, pollIntervalMs: 20 });
    },
    async stop() {
      await stop?.();
      stop = null;
    },
    async mention(text, { recipient = context.reader } = {}) {
      const { testApp, member, home } = context.fixtures;
      const message_id = await createMessage(testApp, member, home.project, text);
      await testApp.database.write((tx) =>
        testApp.app.services.notify(tx, [
          {
            kind: "mention",
            actorId: member.id,
            projectId: home.project,
            recipientIds: [recipient.id],
            dedupeKey: `message:${message_id}`,
            isRenewed: false,
            subject: { message_id },
          },
        ]),
      );
      const row = await testApp.database.read.selectFrom("notifications").select("id").where("message_id", "=", message_id).executeTakeFirstOrThrow();
      return row.id;
    },
    loadDeliveries: (accountId = context.reader.id) =>
      context.fixtures.testApp.database.read.selectFrom("notification_deliveries").selectAll().where("account_id", "=", accountId).orderBy("id").execute(),
    async waitUntil(description, condition) {
      const deadline = performance.now() + 15_000;
      while (!(await condition())) {
        if (performance.now() > deadline) throw new Error(`It did not come about: ${description}. ${JSON.stringify(await context.loadDeliveries())}`);
        await sleep(10);
      }
    },
    settle: () =>
      context.waitUntil("nothing is due", async () => {
        const now = context.fixtures.testApp.clock.now();
        return (await context.loadDeliveries()).every(({ next_attempt_at, lease_until }) => lease_until === null && (next_attempt_at ?? Infinity) > now);
      }),
  } satisfies Partial<SendingContext>);
}

/** Steps of the tests that send with `context`. */
export function createSendingSteps(context: ReturnType<typeof setupSendingTests>) {
  const app = () => context.fixtures.testApp;
  const advance = (ms: number) => app().clock.advance(ms);
  const pass = async (ms: number): Promise<void> => {
    advance(ms);
    await context.settle();
  };
  return {
    app,
    advance,
    pushes: () => context.push.received.map(({ text }) => JSON.parse(text) as Record<string, string>),
    /** Lets push messages become due, and waits until they are sent or skipped. */
    passPushDelay: () => pass(PUSH_DELAY_MS),
    passMailDelay: () => pass(MINUTE),
  };
}
