/** Tests who gets a notification of what: nobody of their own doing or of what they do not see, and once of each subject. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCOPES } from "../../../contract/define-operation.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { createModules } from "../../create-modules.ts";
import { recordResults } from "../../delivery/record-results.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken, joinTeam, type Person } from "../../testing/people.ts";
import { upload } from "../../testing/files.ts";
import { createDeliveryPublisher } from "../webhooks/publisher.ts";
import { insertDelivery, registerEndpoint, WEBHOOK_URL } from "../../testing/webhooks.ts";

describe.each(ENGINES)("notifications on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => fixtures.testApp.database.write(async (tx) => void (await tx.deleteFrom("notifications").execute())));

  const list = async (person: Person) => (await fixtures.testApp.call(person, notifications.listNotifications, { query: {} })).response;
  /** Returns kind and text of each notification, newest first. */
  const listed = async (person: Person) => (await list(person)).data.map(({ kind, text }) => (text === "" ? kind : `${kind}: ${text}`));
  const send = async (person: Person, body: string, extra: object = {}) =>
    (await fixtures.testApp.call(person, chat.sendMessage, { body: { project_id: fixtures.home.project, body, ...extra } })).response.data.id;
  const messageParams = (message_id: number) => ({ project_id: fixtures.home.project, message_id });
  const edit = (person: Person, id: number, body: string) => fixtures.testApp.call(person, messages.editMessage, { params: messageParams(id), body: { body } });
  const comment = async (person: Person, body: string, extra: object = {}) =>
    (await fixtures.testApp.call(person, comments.writeComment, { params: { file_id: fixtures.home.file }, body: { body, version: 1, ...extra } })).response
      .data.id;
  const watch = (person: Person, watching: boolean) =>
    fixtures.testApp.call(person, notifications.setFileWatch, { params: { file_id: fixtures.home.file }, body: { watching } });
  const createTask = async (by: Person, assignee: Person | null, extra: object = {}) =>
    (
      await fixtures.testApp.call(by, tasks.createTasks, {
        body: { file_id: fixtures.home.file, tasks: [{ title: "Bounce the stems", assignee_account_id: assignee?.id ?? null, ...extra }] },
      })
    ).response.data[0]!.id;
  const updateTask = (by: Person, task_id: number, body: object) => fixtures.testApp.call(by, tasks.updateTask, { params: { task_id }, body });
  const otherStatus = async () => {
    const { read } = fixtures.testApp.database;
    const { status_id } = await read.selectFrom("files").select("status_id").where("id", "=", fixtures.home.file).executeTakeFirstOrThrow();
    const statuses = await read.selectFrom("file_statuses").select(["id", "title"]).where("team_id", "=", fixtures.home.team).orderBy("id").execute();
    return statuses.find(({ id }) => id !== status_id)!;
  };
  const setStatus = async (by: Person) => {
    const status = await otherStatus();
    await fixtures.testApp.call(by, files.setFileStatus, { body: { file_id: fixtures.home.file, status_id: status.id } });
    return status;
  };

  it("a mention notifies each person who sees the project, except the author", async () => {
    const { member, guest, neighbor, foreignMember } = fixtures;
    await send(member, `<@${guest.id}> <@${member.id}> <@${neighbor.id}> <@${foreignMember.id}> listen`);
    expect(await listed(guest)).toEqual([`mention: @guest @member <@${neighbor.id}> <@${foreignMember.id}> listen`]);
    for (const person of [member, neighbor, foreignMember]) expect(await listed(person)).toEqual([]);
  });

  it("a reply notifies the author of the message, once if it mentions them too, and nobody who replies to themselves", async () => {
    const { member, guest } = fixtures;
    const parent_message_id = await send(guest, "Which take?");
    await send(member, "The second", { parent_message_id });
    await send(member, `<@${guest.id}> or the third`, { parent_message_id });
    await send(guest, "Thanks", { parent_message_id });
    expect(await listed(guest)).toEqual(["mention: @guest or the third", "reply: The second"]);
  });

  it("editing a message notifies who is mentioned for the first time, and withdraws the notification of who is not mentioned any more", async () => {
    const { member, guest, admin } = fixtures;
    const id = await send(member, `<@${guest.id}> listen`);
    await edit(member, id, `<@${guest.id}> <@${admin.id}> listen`);
    expect([await listed(guest), await listed(admin)]).toEqual([["mention: @guest @admin listen"], ["mention: @guest @admin listen"]]);
    await edit(member, id, `<@${admin.id}> listen`);
    expect([await listed(guest), (await list(guest)).unread_count, await listed(admin)]).toEqual([[], 0, ["mention: @admin listen"]]);
  });

  it("editing a reply so that it mentions its reader turns the notification into a mention, and back", async () => {
    const { member, guest } = fixtures;
    const parent_message_id = await send(guest, "Which take?");
    const id = await send(member, "The second", { parent_message_id });
    expect(await listed(guest)).toEqual(["reply: The second"]);
    await edit(member, id, `<@${guest.id}> the second`);
    expect([await listed(guest), (await list(guest)).unread_count]).toEqual([["mention: @guest the second"], 1]);
    await edit(member, id, "The second");
    expect([await listed(guest), (await list(guest)).unread_count]).toEqual([["reply: The second"], 1]);
  });

  it("a deleted message is not listed or counted until it is restored", async () => {
    const { member, guest } = fixtures;
    const id = await send(member, `<@${guest.id}> listen`);
    const counts = async () => [(await list(guest)).data.length, (await list(guest)).unread_count];
    await fixtures.testApp.call(member, messages.deleteMessage, { params: messageParams(id) });
    expect(await counts()).toEqual([0, 0]);
    await fixtures.testApp.call(member, messages.restoreMessage, { params: messageParams(id) });
    expect(await counts()).toEqual([1, 1]);
  });

  it("a repeated request and a rejected one create no notification", async () => {
    const { member, guest, testApp } = fixtures;
    await send(member, `<@${guest.id}> once`, { client_id: "notify-once" });
    await send(member, `<@${guest.id}> once`, { client_id: "notify-once" });
    const { status } = await testApp.call(member, chat.sendMessage, {
      body: { project_id: fixtures.home.project, body: `<@${guest.id}>`, attachment_ids: [fixtures.next.file] },
    });
    expect(status).toBe(400);
    expect(await listed(guest)).toEqual(["mention: @guest once"]);
  });

  it("a comment notifies those who uploaded the file, commented on it or watch it, and nobody who has stopped", async () => {
    const { member, guest, owner, admin } = fixtures;
    await watch(admin, true);
    await comment(guest, "Bass is hot");
    await comment(member, "Fixed");
    expect([await listed(owner), await listed(guest), await listed(admin), await listed(member)]).toEqual([
      ["comment: Fixed", "comment: Bass is hot"],
      ["comment: Fixed"],
      ["comment: Fixed", "comment: Bass is hot"],
      [],
    ]);
    await watch(guest, false);
    await comment(guest, "Mine again");
    const id = await comment(member, "Unheard");
    expect(await listed(guest)).toEqual(["comment: Fixed"]);
    await fixtures.testApp.call(member, comments.deleteComment, { params: { comment_id: id } });
    expect((await listed(owner))[0]).toBe("comment: Mine again");
    await watch(admin, false);
  });

  it("an assigned task notifies the assignee, again if it is assigned anew; a closed one its creator and its assignee", async () => {
    const { member, guest, owner } = fixtures;
    await createTask(guest, guest);
    const id = await createTask(member, guest);
    const [first] = (await list(guest)).data;
    expect(first).toMatchObject({ kind: "task_assigned", task_id: id, task_title: "Bounce the stems", file_id: fixtures.home.file, username: "member" });
    await updateTask(member, id, { assignee_account_id: null });
    await updateTask(member, id, { assignee_account_id: guest.id });
    const again = (await list(guest)).data;
    expect(again.map(({ task_id }) => task_id)).toEqual([id]);
    expect(again[0]!.id).toBeGreaterThan(first!.id);
    await updateTask(owner, id, { closed: true });
    expect([await listed(guest), await listed(member), await listed(owner)]).toEqual([["task_closed", "task_assigned"], ["task_closed"], []]);
    await fixtures.testApp.call(owner, tasks.deleteTask, { params: { task_id: id } });
    expect([await listed(guest), (await list(member)).unread_count]).toEqual([[], 0]);
  });

  it("what was undone is withdrawn from who has not read it: an assignment to somebody else, a closed task that is open again", async () => {
    const { member, guest, owner, admin } = fixtures;
    const id = await createTask(member, guest);
    await updateTask(owner, id, { assignee_account_id: admin.id, closed: true });
    expect([await listed(guest), await listed(admin), await listed(member)]).toEqual([[], ["task_closed", "task_assigned"], ["task_closed"]]);
    await fixtures.testApp.call(member, notifications.readNotifications, { body: {} });
    const published = () =>
      fixtures.testApp.database.read
        .selectFrom("events")
        .select("seq")
        .where("topic", "=", `account:${member.id}`)
        .where("type", "=", "notifications.changed")
        .execute();
    const before = await published();
    await updateTask(owner, id, { closed: false });
    expect([await listed(admin), await listed(member)]).toEqual([["task_assigned"], ["task_closed"]]);
    expect(await published()).toEqual(before);
    expect((await list(admin)).unread_count).toBe(1);
  });

  it("a new status notifies the watchers of the file, of the last one only", async () => {
    const { member, owner } = fixtures;
    await watch(member, true);
    await setStatus(owner);
    const status = await setStatus(owner);
    const { data } = await list(member);
    expect(data).toMatchObject([{ kind: "file_status", status: { id: status.id, title: status.title }, file_name: expect.any(String) }]);
    await setStatus(member);
    expect((await list(owner)).data).toMatchObject([{ kind: "file_status", username: "member" }]);
    await watch(member, false);
  });

  it("whoever uploads a version watches the file, and a deleted file hides its notifications", async () => {
    const { testApp, guest, owner, home } = fixtures;
    const id = await upload(testApp, guest, { parent: home.folder, name: "watched.wav" });
    await testApp.call(owner, comments.writeComment, { params: { file_id: id }, body: { body: "Too loud", version: 1 } });
    expect((await list(guest)).unread_count).toBe(1);
    await testApp.call(owner, files.deleteFile, { body: { file_id: id } });
    expect(await list(guest)).toMatchObject({ data: [], unread_count: 0 });
    const last = await testApp.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", `account:${guest.id}`)
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(last).toEqual({ type: "notifications.changed", data: JSON.stringify({ unread_count: 0 }) });
  });

  it("an endpoint that the service switches off notifies owners and admins, and nobody else", async () => {
    const { testApp, owner, admin, member } = fixtures;
    const { database, engine: name, clock } = testApp;
    const endpoint = await registerEndpoint(testApp, owner);
    const delivery = await insertDelivery(testApp, endpoint, "pending");
    const lease_token = "attempt";
    const publisher = createDeliveryPublisher(createModules({ ...testApp, startDemo: () => {} }).webhookDeps);
    await database.write(async (tx) => {
      const row = await tx
        .updateTable("deliveries")
        .set({ lease_token, lease_until: clock.now() })
        .where("id", "=", delivery)
        .returningAll()
        .executeTakeFirstOrThrow();
      const response = { requestHeaders: {}, responseHeaders: {}, responseBody: "", retryAfterMs: null, startedAt: 1, duration: 1 };
      const result = { outcome: "http", status: 410, ...response } as const;
      await recordResults(tx, [{ delivery: { ...row, lease_token }, url: WEBHOOK_URL, result }], {
        engine: name,
        now: clock.now(),
        publisher,
        random: () => 0,
      });
    });
    expect((await list(owner)).data).toMatchObject([
      { kind: "webhook_disabled", webhook_endpoint_id: endpoint, webhook_endpoint_host: new URL(WEBHOOK_URL).host, account_id: null },
    ]);
    expect([await listed(admin), await listed(member)]).toEqual([["webhook_disabled"], []]);
    const token = await createApiToken(testApp, admin, ["account:read", "chat:read", "files:read"]);
    expect((await testApp.call(token, notifications.listNotifications, { query: {} })).response.data).toEqual([]);
  });

  it("an endpoint whose token ends notifies owners and admins", async () => {
    const { testApp, owner, admin } = fixtures;
    const token = await createApiToken(testApp, owner, SCOPES);
    const endpoint = await registerEndpoint(testApp, token);
    await testApp.call(owner, accounts.revokeToken, { params: { token_id: token.id } });
    expect((await list(admin)).data).toMatchObject([{ kind: "webhook_disabled", webhook_endpoint_id: endpoint }]);
    await testApp.call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: endpoint } });
    expect(await listed(admin)).toEqual([]);
    // The notification does not hold the deleted endpoint.
    const isEndpoint = ["id", "=", endpoint] as const;
    await testApp.database.write(
      async (tx) =>
        void (await tx
          .updateTable("webhook_endpoints")
          .set({ deleted_at: 0 })
          .where(...isEndpoint)
          .execute()),
    );
    await testApp.app.scheduledJobs["delete old webhook deliveries"]!();
    expect(
      await testApp.database.read
        .selectFrom("webhook_endpoints")
        .select("id")
        .where(...isEndpoint)
        .execute(),
    ).toEqual([]);
  });

  it("an accepted invite notifies whoever made it", async () => {
    const { testApp, admin, owner, home } = fixtures;
    const { id } = await joinTeam(testApp, admin, "newcomer", { team: home.team, role: "guest", projects: [home.project] });
    expect((await list(admin)).data).toMatchObject([{ kind: "invite_accepted", account_id: id, username: "newcomer", project_id: null }]);
    expect(await listed(owner)).toEqual([]);
  });

  it("whoever leaves a project loses its notifications, settings and watched files, also if they come back", async () => {
    const { testApp, owner, home } = fixtures;
    const leaver = await joinTeam(testApp, owner, "leaver", { team: home.team, role: "member", projects: [home.project] });
    await watch(leaver, true);
    await send(owner, `<@${leaver.id}> hello`);
    await testApp.call(leaver, notifications.updateProjectNotificationSettings, {
      params: { project_id: home.project },
      body: { kinds: { reply: { app: false } } },
    });
    const ofProject = { params: { project_id: home.project, account_id: leaver.id } };
    await testApp.call(owner, projects.removeProjectMember, ofProject);
    expect(await list(leaver)).toMatchObject({ data: [], unread_count: 0 });
    await testApp.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: leaver.id } });
    expect(await listed(leaver)).toEqual([]);
    expect((await testApp.call(leaver, notifications.getFileWatch, { params: { file_id: home.file } })).response.data.watching).toBe(false);
    expect((await testApp.call(leaver, notifications.listProjectNotificationSettings, { query: {} })).response.data).toEqual([]);
  });

  it("somebody who watches a file and does not see it any more gets none", async () => {
    const { testApp, owner, member, home } = fixtures;
    const former = await joinTeam(testApp, owner, "former admin", { team: home.team, role: "admin" });
    await watch(former, true);
    await testApp.call(owner, accounts.updateMember, { params: { account_id: former.id }, body: { role: "member" } });
    await comment(member, "Not for you");
    const rows = await testApp.database.read.selectFrom("notifications").select("id").where("account_id", "=", former.id).execute();
    expect(rows).toEqual([]);
  });
});
