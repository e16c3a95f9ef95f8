/** Tests that changes which concern several people at once never deadlock, which PostgreSQL resolves only after a second. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as delivery from "../../../contract/operations/notification-delivery.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import * as deletion from "../../../contract/operations/deleted-projects.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { topicOf } from "../../events/log.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures, type ProjectFixture } from "../../testing/fixtures.ts";
import {
  blockTokenOf,
  confirmAddress,
  createPushTarget,
  deleteConfirmationEmails,
  mailTokenOf,
  subscribeBrowser,
} from "../../testing/notification-delivery.ts";
import { createSession, type Person } from "../../testing/people.ts";
import { holdRowLock, waitForLockWaiters } from "../../testing/row-locks.ts";
import { recordAttempts } from "../notification-delivery/record.ts";

const ROUNDS = 8;

describe.runIf(ENGINES.includes("postgres"))("transactions on postgres", { timeout: 120_000 }, () => {
  let fixtures: Fixtures;
  let retries: unknown[];
  /** People who see both projects, in order of their ids. */
  let people: Person[];

  beforeAll(async () => {
    fixtures = await createFixtures("postgres", { onRetry: (error) => void retries.push(error) });
    const { testApp, owner, admin, member, guest, next } = fixtures;
    retries = [];
    for (const { id } of [member, guest])
      await testApp.call(owner, projects.addProjectMember, { params: { project_id: next.project }, body: { account_id: id } });
    people = [owner, admin, member, guest].toSorted((a, b) => a.id - b.id);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => void (retries = []));

  /** Calls an operation that must succeed. */
  const call: Fixtures["testApp"]["call"] = async (...args) => {
    const reply = await fixtures.testApp.call(...args);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply;
  };
  /** Runs this at the same time, again and again. */
  async function repeat(...works: ((round: number) => Promise<unknown>)[]): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) await Promise.all(works.map((work) => work(round)));
  }
  const send = async (by: Person, { project }: ProjectFixture, body: string, extra: object = {}) =>
    (await call(by, chat.sendMessage, { body: { project_id: project, body, ...extra } })).response.data.id;
  const edit = (by: Person, { project }: ProjectFixture, message_id: number, body: string) =>
    call(by, messages.editMessage, { params: { project_id: project, message_id }, body: { body } });
  const mention = (...mentioned: Person[]) => mentioned.map(({ id }) => `<@${id}>`).join(" ");

  it("a changed email address, its confirmation email, and what else concerns the person", async () => {
    const [first, second] = people as [Person, Person];
    const { testApp, home } = fixtures;
    await repeat(
      async (round) => {
        await deleteConfirmationEmails(testApp, first);
        await call(first, accounts.updateAccount, { body: { email: `${round}.${first.email}` } });
      },
      () => testApp.call(first, delivery.sendMailConfirmation),
      () => send(second, home, mention(first)),
      (round) => call(first, notifications.updateNotificationSettings, { body: { kinds: { mention: { push: round % 2 === 0 } } } }),
    );
    await call(first, accounts.updateAccount, { body: { email: first.email } });
    expect(retries).toEqual([]);
  });

  it("links in emails, the settings of emails, and mentions", async () => {
    const [first, second] = people as [Person, Person];
    const { testApp, home } = fixtures;
    await deleteConfirmationEmails(testApp, first);
    const [link, block] = [await mailTokenOf(testApp, first.id), await blockTokenOf(testApp, first.id)];
    const useLink = (token: string, enabled: boolean) => call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled } });
    await repeat(
      (round) => useLink(link, round % 2 === 0),
      (round) => useLink(block, round % 2 === 1),
      (round) => call(first, delivery.updateMailSettings, { body: { enabled: round % 2 === 0 } }),
      () => confirmAddress(testApp, first),
      () => testApp.call(first, delivery.sendMailConfirmation),
      () => send(second, home, mention(first)),
    );
    expect(retries).toEqual([]);
  });

  it("edits that mention some and others no more, in two projects", async () => {
    const [first, second, third, fourth] = people as [Person, Person, Person, Person];
    const { home, next } = fixtures;
    const inHome = await send(first, home, "hello");
    const inNext = await send(first, next, "hello");
    await repeat(
      async (round) => void (await edit(first, home, inHome, `${mention(...(round % 2 === 0 ? [second, third] : [fourth]))} ${round}`)),
      async (round) => void (await edit(first, next, inNext, `${mention(...(round % 2 === 0 ? [fourth] : [second, third]))} ${round}`)),
      async (round) => void (await edit(first, home, await send(first, home, `${mention(second)} x`), `${mention(fourth, third)} ${round}`)),
      async (round) => void (await edit(second, next, await send(second, next, `${mention(fourth)} x`), `${mention(first, third)} ${round}`)),
      ...people.map((person) => () => call(person, notifications.readNotifications, { body: {} })),
    );
    expect(retries).toEqual([]);
  });

  it("tasks that change hands and are closed, in two projects", async () => {
    const [first, second, third, fourth] = people as [Person, Person, Person, Person];
    const create = async (by: Person, { file }: ProjectFixture, assignee: Person) =>
      (await call(by, tasks.createTasks, { body: { file_id: file, tasks: [{ title: "Mix", assignee_account_id: assignee.id }] } })).response.data[0]!.id;
    const change = (by: Person, task_id: number, assignee: Person, closed: boolean) =>
      call(by, tasks.updateTask, { params: { task_id }, body: { assignee_account_id: assignee.id, closed } });
    const [inHome, inNext] = [await create(third, fixtures.home, first), await create(first, fixtures.next, third)];
    await repeat(
      (round) => change(second, inHome, round % 2 === 0 ? fourth : first, round % 2 === 0),
      (round) => change(second, inNext, round % 2 === 0 ? third : fourth, round % 2 === 0),
      ...people.map((person) => () => call(person, notifications.readNotifications, { body: {} })),
    );
    expect(retries).toEqual([]);
  });

  it("comments that are deleted while others read", async () => {
    const [first, second] = people as [Person, Person];
    const write = async (by: Person, { file }: ProjectFixture) =>
      (await call(by, comments.writeComment, { params: { file_id: file }, body: { body: "loud", version: 1 } })).response.data.id;
    for (const project of [fixtures.home, fixtures.next]) for (const person of people) await write(person, project);
    const writeAndDelete = async (by: Person, project: ProjectFixture) =>
      call(by, comments.deleteComment, { params: { comment_id: await write(by, project) } });
    await repeat(
      () => writeAndDelete(first, fixtures.home),
      () => writeAndDelete(second, fixtures.next),
      ...people.flatMap((person) => [
        () => call(person, notifications.readNotifications, { body: {} }),
        () => call(person, comments.markCommentsRead, { params: { file_id: fixtures.home.file }, body: { last_comment_id: 1_000_000 } }),
      ]),
    );
    expect(retries).toEqual([]);
  });

  it("somebody is removed from a project while they read notifications of it", async () => {
    const { testApp, owner, member, home } = fixtures;
    const params = { project_id: home.project };
    await send(owner, home, mention(member));
    const release = await holdRowLock(testApp, "topics", topicOf.account(member.id));
    const reading = call(member, notifications.readNotifications, { body: {} });
    await waitForLockWaiters(testApp, 1);
    const removing = call(owner, projects.removeProjectMember, { params: { ...params, account_id: member.id } });
    await waitForLockWaiters(testApp, 2);
    await release();
    await Promise.all([reading, removing]);
    expect(retries).toEqual([]);
    expect(
      await testApp.database.read.selectFrom("notifications").select("id").where("account_id", "=", member.id).where("project_id", "=", home.project).execute(),
    ).toEqual([]);
    await call(owner, projects.addProjectMember, { params, body: { account_id: member.id } });
  });

  it("a deleted comment publishes nothing to somebody who began to read meanwhile, whose topic it has not locked", async () => {
    const { testApp, owner, admin, guest, home } = fixtures;
    await testApp.database.write(async (tx) => {
      for (const table of ["read_markers", "comment_reads", "file_watchers"] as const) await tx.deleteFrom(table).where("account_id", "=", admin.id).execute();
    });
    const written = await call(owner, comments.writeComment, { params: { file_id: home.file }, body: { body: "loud", version: 1 } });
    const release = await holdRowLock(testApp, "topics", topicOf.account(guest.id));
    const deleting = call(owner, comments.deleteComment, { params: { comment_id: written.response.data.id } });
    await waitForLockWaiters(testApp, 1);
    const published = () =>
      testApp.database.read.selectFrom("events").select("seq").where("topic", "=", topicOf.account(admin.id)).where("type", "=", "comments.read").execute();
    const before = await published();
    await call(admin, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: home.message } });
    await release();
    await deleting;
    expect(await published()).toEqual(before);
  });

  it("somebody who marks a message as unread while it is deleted gets the count without it", async () => {
    const { testApp, owner, member, guest, home } = fixtures;
    const params = { project_id: home.project };
    const first = await send(owner, home, "one");
    const last = await send(owner, home, "two");
    await call(guest, chat.moveReadMarker, { params, body: { message_id: last } });
    const release = await holdRowLock(testApp, "topics", topicOf.account(member.id));
    const deleting = call(owner, messages.deleteMessage, { params: { ...params, message_id: first } });
    await waitForLockWaiters(testApp, 1);
    const marking = call(guest, messages.markUnread, { params, body: { message_id: first } });
    await waitForLockWaiters(testApp, 2);
    await release();
    await deleting;
    expect((await marking).response.data).toMatchObject({ unread_count: 1 });
  });

  it("browsers that subscribe, unsubscribe, fail for good and are signed out", async () => {
    const { testApp } = fixtures;
    const gone = async (subscription: { id: number; account: number }[]) =>
      testApp.database.write(async (tx) => {
        const deliveries = await tx
          .insertInto("notification_deliveries")
          .values(
            subscription.map(({ id, account }) => ({
              account_id: account,
              channel: "push" as const,
              subscription_id: id,
              is_test: 1 as const,
              is_digest: 0 as const,
              state: "pending" as const,
              next_attempt_at: 1,
              lease_until: 1,
              lease_token: "t",
              created_at: 1,
            })),
          )
          .returningAll()
          .execute();
        const finished = deliveries.map((row) => ({ delivery: { ...row, lease_token: "t" }, outcome: { kind: "gone" as const, detail: "gone" } }));
        await recordAttempts(tx, finished, { engine: "postgres", events: testApp.app.deps.events, now: 1, random: () => 0 });
      });
    await repeat(async () => {
      // Some of these come too late, for a session that has ended or a subscription that is gone.
      const attempt: typeof call = async (...args) => {
        const reply = await testApp.call(...args);
        expect([200, 204, 401, 404], reply.text).toContain(reply.status);
        return reply;
      };
      const subscribed = await Promise.all(
        people.map(async ({ id }) => ({ account: id, target: createPushTarget(), session: await createSession(testApp, id, "browser") })),
      );
      const ids = await Promise.all(
        subscribed.map(async ({ account, target, session: caller }) => ({
          id: (await call(caller, delivery.createPushSubscription, { body: target })).response.data.id,
          account,
        })),
      );
      await Promise.all([
        gone(ids),
        gone(ids.toReversed()),
        ...subscribed.map(({ target, session: caller }) => attempt(caller, delivery.createPushSubscription, { body: target })),
        ...ids.map(({ id }, index) => attempt(people[index]!, delivery.deletePushSubscription, { params: { subscription_id: id } })),
        ...subscribed.map(({ session: caller }, index) => attempt(people[index]!, session.endSession, { params: { session_id: caller.id } })),
      ]);
      await subscribeBrowser(testApp, people[0]!.id);
    });
    expect(retries).toEqual([]);
  });

  it("projects that are renamed, deleted, restored and written to", async () => {
    const { testApp, owner, admin, member, home } = fixtures;
    const params = { project_id: home.project };
    // Some of these come while the project is deleted.
    const attempt: typeof call = async (...args) => {
      const reply = await testApp.call(...args);
      expect([200, 404], reply.text).toContain(reply.status);
      return reply;
    };
    await repeat(
      async () => {
        await call(owner, deletion.deleteProject, { params });
        await call(owner, deletion.restoreProject, { params });
      },
      (round) => attempt(admin, projects.updateProject, { params, body: { name: `Name ${round}` } }),
      (round) => attempt(member, projects.updateProject, { params, body: { description: `Round ${round}` } }),
      () => attempt(member, chat.sendMessage, { body: { ...params, body: "hello" } }),
    );
    expect(retries).toEqual([]);
  });

  it("groups that are deleted while people write in their projects, and others are moved into them", async () => {
    const { testApp, owner, admin, member, home, next } = fixtures;
    const { team_id } = await testApp.database.read.selectFrom("projects").select("team_id").where("id", "=", home.project).executeTakeFirstOrThrow();
    const move = ({ project }: ProjectFixture, group_id: number) =>
      testApp.call(admin, projects.updateProject, { params: { project_id: project }, body: { group_id } });
    for (let round = 0; round < ROUNDS; round += 1) {
      const group_id = (await call(owner, teams.createGroup, { body: { team_id, name: `Group ${round}` } })).response.data.id;
      expect((await move(home, group_id)).status).toBe(200);
      const [, moved] = await Promise.all([
        call(owner, teams.deleteGroup, { params: { group_id } }),
        move(next, group_id),
        move(home, group_id),
        send(member, home, "hello"),
        send(admin, next, "hello"),
      ]);
      expect([200, 400], moved.text).toContain(moved.status);
      const left = await testApp.database.read.selectFrom("projects").select("id").where("group_id", "=", group_id).execute();
      expect(left).toEqual([]);
    }
    expect(retries).toEqual([]);
  });
});
