/** Tests that changes of accounts never deadlock with what happens in projects at the same time, each in the order in which they would. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as teams from "../../../contract/operations/teams.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { topicOf } from "../../events/log.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createInvite, PASSWORD, type Person } from "../../testing/people.ts";
import { holdRowLock, waitForLockWaiters } from "../../testing/row-locks.ts";
import { WEBHOOK_URL } from "../../testing/webhooks.ts";

describe.runIf(ENGINES.includes("postgres"))("changes of accounts on postgres", { timeout: 60_000 }, () => {
  let fixtures: Fixtures;
  let retries: unknown[] = [];
  let organisation: string;
  beforeAll(async () => {
    fixtures = await createFixtures("postgres", { onRetry: (error) => void retries.push(error) });
    const { read } = fixtures.testApp.database;
    const { organisation_id } = await read.selectFrom("accounts").select("organisation_id").where("id", "=", fixtures.owner.id).executeTakeFirstOrThrow();
    organisation = topicOf.organisation(organisation_id);
    await fixtures.testApp.call(fixtures.owner, webhooks.createWebhookEndpoint, { body: { url: WEBHOOK_URL, event_types: ["task.closed"] } });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => void (retries = []));

  /** Starts both while the topic is locked, the second one once the first one waits. Returns what each responds. */
  async function runBoth(topic: string, ...works: (() => Promise<{ status: number }>)[]): Promise<number[]> {
    const release = await holdRowLock(fixtures.testApp, "topics", topic);
    const started: Promise<{ status: number }>[] = [];
    for (const work of works) {
      started.push(work());
      await waitForLockWaiters(fixtures.testApp, started.length);
    }
    await release();
    return (await Promise.all(started)).map(({ status }) => status);
  }

  const createTask = async (by: Person) =>
    (await fixtures.testApp.call(by, tasks.createTasks, { body: { file_id: fixtures.home.file, tasks: [{ title: "Mix" }] } })).response.data[0]!.id;
  const closeTask = (task_id: number) => fixtures.testApp.call(fixtures.owner, tasks.updateTask, { params: { task_id }, body: { closed: true } });

  it.each([{ email: "new@talkback.test" }, { username: "renamed" }])(
    "a changed name or address, %o, and a closed task that notifies the person",
    async (body) => {
      const { testApp, member } = fixtures;
      const task = await createTask(member);
      const statuses = await runBoth(
        organisation,
        () => closeTask(task),
        () => testApp.call(member, accounts.updateAccount, { body }),
      );
      expect([statuses, retries]).toEqual([[200, 200], []]);
    },
  );

  it("a new role and a changed profile", async () => {
    const { testApp, owner, member } = fixtures;
    const statuses = await runBoth(
      organisation,
      () => testApp.call(owner, accounts.updateMember, { params: { account_id: member.id }, body: { role: "guest" } }),
      () => testApp.call(member, accounts.updateAccount, { body: { user_info: "Mixes" } }),
    );
    expect([statuses, retries]).toEqual([[200, 200], []]);
  });

  it("an accepted invite and a webhook event of its project", async () => {
    const { testApp, owner, home } = fixtures;
    const task = await createTask(owner);
    const token = await createInvite(testApp, owner, { team: home.team, role: "member", projects: [home.project] });
    const statuses = await runBoth(
      organisation,
      () => testApp.call(ANONYMOUS, teams.acceptInvite, { body: { token, username: "joiner", email: "joiner@talkback.test", password: PASSWORD } }),
      () => closeTask(task),
    );
    expect([statuses, retries]).toEqual([[200, 200], []]);
  });
});
