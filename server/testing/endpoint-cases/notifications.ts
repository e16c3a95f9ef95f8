import { expect } from "vitest";
import { NOTIFICATION_KINDS, DEFAULT_CHANNELS } from "../../../contract/notification-records.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import type { Fixtures } from "../fixtures.ts";
import { insertNotification } from "../notifications.ts";
import type { Person } from "../people.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, BAD_TIMESTAMP, withoutNull, type EndpointCase } from "./case.ts";
import { inaccessibleFilesInPath } from "./helpers.ts";

const BAD_FLAG = ["", "1", "yes", "TRUE"];
const BAD_KINDS = [null, 5, "mention", [], ["nothing"], [5], [null], [...NOTIFICATION_KINDS, "mention"]];
const BAD_CHANNELS = [5, "all", [], { app: "true" }, { app: null }, { push: 1 }, { mail: true }, { mail: "weekly" }, { mail: null }];
const BAD_CLOCK_TIME = ["", "8", "8:00", "24:00", "23:60", "22:00:00", 22, null, "22.00", " 22:00"];

const insertFor = (fixtures: Fixtures, person: Person) => insertNotification(fixtures.testApp, person.id, { project_id: fixtures.home.project });
const unreadOf = async ({ testApp }: Fixtures, person: Person): Promise<number> =>
  (await testApp.call(person, notifications.listNotifications, { query: {} })).response.unread_count;

export const listNotifications: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, member, guest, home }) => {
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: `Listen to this, <@${guest.id}>` } });
    return { query: { limit: 1 } };
  },
  assertResponse: ({ response, fixtures: { guest, member, home, testApp } }) => {
    expect(response.data).toMatchObject([
      {
        object: "notification",
        kind: "mention",
        read: false,
        created_at: new Date(testApp.clock.now()).toISOString(),
        account_id: member.id,
        username: "member",
        project_id: home.project,
        project_name: "home",
        text: "Listen to this, @guest",
        comment_id: null,
        file_id: null,
        file_name: null,
        task_id: null,
        task_title: null,
        due_date: null,
        status: null,
        webhook_endpoint_id: null,
        webhook_endpoint_host: null,
      },
    ]);
    expect(response.data[0].url).toMatch(new RegExp(`/projects/${home.project}/chat/${response.data[0].message_id}$`));
    expect(response.unread_count).toBeGreaterThan(0);
    expect(guest.id).not.toBe(member.id);
  },
  invalid: { "query.unread": BAD_FLAG, "query.project_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["x", ""] },
  rejectedRequests: [],
  edgeCases: {
    "pages are newest first, and unread ones can be asked for alone": async (fixtures) => {
      const { testApp, guest, home } = fixtures;
      const ids = [await insertFor(fixtures, guest), await insertFor(fixtures, guest), await insertFor(fixtures, guest)];
      await testApp.call(guest, notifications.updateNotification, { params: { notification_id: ids[1]! }, body: { read: true } });
      const page = async (query: object) => (await testApp.call(guest, notifications.listNotifications, { query })).response;
      const first = await page({ limit: 2 });
      expect(first.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
      expect((await page({ limit: 2, cursor: first.next_cursor })).data[0]?.id).toBe(ids[0]);
      expect((await page({ limit: 2, unread: "true", project_id: home.project })).data.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
      expect((await page({ project_id: fixtures.next.project })).data).toEqual([]);
    },
  },
};

const inaccessible = (body: object): EndpointCase["rejectedRequests"] => [
  ["somebody else's", async (fixtures) => ({ params: { notification_id: await insertFor(fixtures, fixtures.member) }, body }), 404],
  [
    "one of a project that the person does not see",
    async ({ testApp, guest, next }) => ({ params: { notification_id: await insertNotification(testApp, guest.id, { project_id: next.project }) }, body }),
    404,
  ],
  [
    "one that is only for push messages",
    async ({ testApp, guest, home }) => ({
      params: { notification_id: await insertNotification(testApp, guest.id, { project_id: home.project, in_app: 0 }) },
      body,
    }),
    404,
  ],
  ["one that does not exist", () => ({ params: { notification_id: 999_999 }, body }), 404],
];

export const updateNotification: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { notification_id: await insertFor(fixtures, fixtures.guest) }, body: { read: true } }),
  assertResponse: async ({ response, fixtures }) =>
    expect(response).toEqual({ object: "unread_notifications", data: { unread_count: await unreadOf(fixtures, fixtures.guest) } }),
  invalid: { "params.notification_id": BAD_ID_IN_PATH, "body.read": BAD_BOOLEAN },
  rejectedRequests: inaccessible({ read: true }),
  edgeCases: {
    "read and unread again": async (fixtures) => {
      const { testApp, guest } = fixtures;
      const notification_id = await insertFor(fixtures, guest);
      const before = await unreadOf(fixtures, guest);
      const set = async (read: boolean) =>
        (await testApp.call(guest, notifications.updateNotification, { params: { notification_id }, body: { read } })).response.data.unread_count;
      expect([await set(true), await set(true), await set(false)]).toEqual([before - 1, before - 1, before]);
    },
  },
};

export const readNotifications: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    await insertFor(fixtures, fixtures.guest);
    return { body: {} };
  },
  assertResponse: ({ response }) => expect(response).toEqual({ object: "unread_notifications", data: { unread_count: 0 } }),
  invalid: {
    "body.up_to_id": withoutNull(BAD_ID),
    "body.project_id": withoutNull(BAD_ID),
    "body.file_id": withoutNull(BAD_ID),
    "body.kinds": BAD_KINDS,
  },
  rejectedRequests: [],
  edgeCases: {
    "only those that match every member, and nobody else's": async (fixtures) => {
      const { testApp, guest, member, home } = fixtures;
      const read = async (body: object) => (await testApp.call(guest, notifications.readNotifications, { body })).response.data.unread_count;
      await read({});
      const of = (values: object) => insertNotification(testApp, guest.id, { project_id: home.project, ...values });
      const first = await of({ kind: "task_assigned", file_id: home.file });
      await of({ kind: "comment", file_id: home.file });
      await of({ kind: "file_status", file_id: home.file });
      await of({ kind: "mention" });
      const others = await unreadOf(fixtures, member);
      expect(await read({ file_id: home.file, kinds: ["mention"] })).toBe(4);
      expect(await read({ file_id: home.file, kinds: ["task_assigned", "comment"], up_to_id: first })).toBe(3);
      expect(await read({ file_id: home.file })).toBe(1);
      expect(await read({ project_id: fixtures.next.project })).toBe(1);
      expect(await read({ project_id: home.project })).toBe(0);
      expect(await unreadOf(fixtures, member)).toBe(others);
    },
  },
};

export const getNotificationSettings: EndpointCase = {
  caller: ({ guestNextDoor }) => guestNextDoor,
  valid: () => ({}),
  assertResponse: ({ response }) =>
    expect(response).toEqual({ object: "notification_settings", data: { kinds: DEFAULT_CHANNELS, do_not_disturb: null, paused_until: null } }),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const updateNotificationSettings: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({
    body: {
      kinds: { comment: { mail: "off" }, task_closed: { app: false, push: true } },
      do_not_disturb: { start: "22:30", end: "07:05" },
      paused_until: "2026-03-02T10:00:00+02:00",
    },
  }),
  assertResponse: ({ response }) =>
    expect(response.data).toMatchObject({
      kinds: {
        mention: DEFAULT_CHANNELS.mention,
        comment: { ...DEFAULT_CHANNELS.comment, mail: "off" },
        task_closed: { app: false, push: true, mail: DEFAULT_CHANNELS.task_closed.mail },
      },
      do_not_disturb: { start: "22:30", end: "07:05" },
      paused_until: "2026-03-02T08:00:00.000Z",
    }),
  invalid: {
    "body.kinds": [null, 5, [], { mention: null }, ...BAD_CHANNELS.map((mention) => ({ mention }))],
    "body.do_not_disturb": [
      5,
      "22:00",
      [],
      {},
      { start: "22:00" },
      { start: "22:00", end: "22:00" },
      ...BAD_CLOCK_TIME.flatMap((time) => [
        { start: time, end: "07:00" },
        { start: "22:00", end: time },
      ]),
    ],
    "body.paused_until": withoutNull(BAD_TIMESTAMP),
  },
  rejectedRequests: [],
  edgeCases: {
    "what is left out stays, and null ends the quiet times": async ({ testApp, member }) => {
      const update = async (body: object) => (await testApp.call(member, notifications.updateNotificationSettings, { body })).response.data;
      await update({ do_not_disturb: { start: "00:00", end: "23:59" }, paused_until: "2026-03-02T10:00:00Z", kinds: { reply: { push: false } } });
      expect(await update({ kinds: { reply: { app: false } } })).toMatchObject({
        kinds: { reply: { app: false, push: false, mail: DEFAULT_CHANNELS.reply.mail } },
        do_not_disturb: { start: "00:00", end: "23:59" },
        paused_until: "2026-03-02T10:00:00.000Z",
      });
      expect(await update({ do_not_disturb: null, paused_until: null })).toMatchObject({ do_not_disturb: null, paused_until: null });
    },
  },
};

const ofHome = (body?: object) => (fixtures: Fixtures) => ({ params: { project_id: fixtures.home.project }, body });
const inaccessibleProjects = (body?: object): EndpointCase["rejectedRequests"] => [
  ["another project of the same team", ({ next }) => ({ params: { project_id: next.project }, body }), 404],
  ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project }, body }), 404],
  ["a project that does not exist", () => ({ params: { project_id: 999_999 }, body }), 404],
];

export const listProjectNotificationSettings: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async ({ testApp, admin, home, next }) => {
    for (const { project } of [next, home])
      await testApp.call(admin, notifications.updateProjectNotificationSettings, { params: { project_id: project }, body: { muted: true } });
    return { query: { limit: 1 } };
  },
  assertResponse: async ({ response, fixtures: { testApp, admin, home, next } }) => {
    const [first, second] = [home.project, next.project].toSorted((a, b) => a - b);
    expect(response.data).toEqual([{ project_id: first, muted: true, kinds: {} }]);
    const rest = (await testApp.call(admin, notifications.listProjectNotificationSettings, { query: { cursor: response.next_cursor } })).response;
    expect(rest).toMatchObject({ data: [{ project_id: second }], next_cursor: null });
  },
  invalid: { "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["x", ""] },
  rejectedRequests: [],
  edgeCases: {},
};

export const getProjectNotificationSettings: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ofHome(),
  assertResponse: ({ response, fixtures: { home } }) =>
    expect(response).toEqual({ object: "project_notification_settings", data: { project_id: home.project, muted: false, kinds: {} } }),
  invalid: { "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleProjects(),
  edgeCases: {},
};

export const updateProjectNotificationSettings: EndpointCase = {
  caller: ({ member }) => member,
  valid: ofHome({ muted: true, kinds: { mention: { push: false } } }),
  assertResponse: ({ response }) => expect(response.data).toMatchObject({ muted: true, kinds: { mention: { ...DEFAULT_CHANNELS.mention, push: false } } }),
  invalid: {
    "params.project_id": BAD_ID_IN_PATH,
    "body.muted": BAD_BOOLEAN,
    "body.kinds": [null, 5, [], ...BAD_CHANNELS.map((mention) => ({ mention }))],
  },
  rejectedRequests: inaccessibleProjects({ muted: true }),
  edgeCases: {
    "a kind that is null has the account's settings again": async ({ testApp, owner, home }) => {
      const update = async (body: object) =>
        (await testApp.call(owner, notifications.updateProjectNotificationSettings, { params: { project_id: home.project }, body })).response.data;
      await update({ kinds: { comment: { app: false }, reply: { push: false } } });
      expect((await update({ kinds: { comment: null } })).kinds).toEqual({ reply: { ...DEFAULT_CHANNELS.reply, push: false } });
      expect(await update({ kinds: { reply: null } })).toEqual({ project_id: home.project, muted: false, kinds: {} });
    },
  },
};

const ofFile = (body?: object) => (fixtures: Fixtures) => ({ params: { file_id: fixtures.home.file }, body });
const folderOfHome: EndpointCase["rejectedRequests"][number] = [
  "a folder",
  ({ home }) => ({ params: { file_id: home.folder }, body: { watching: true } }),
  404,
];

export const getFileWatch: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: ofFile(),
  assertResponse: ({ response, fixtures: { home } }) =>
    expect(response).toEqual({ object: "file_watch", data: { file_id: home.file, project_id: home.project, watching: false } }),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: [inaccessibleFilesInPath()[1]!, folderOfHome],
  edgeCases: {
    "whoever uploaded the file watches it": async ({ testApp, owner, home }) => {
      expect((await testApp.call(owner, notifications.getFileWatch, { params: { file_id: home.file } })).response.data.watching).toBe(true);
    },
  },
};

export const setFileWatch: EndpointCase = {
  caller: ({ member }) => member,
  valid: ofFile({ watching: true }),
  assertResponse: async ({ response, fixtures: { testApp, member, home } }) => {
    expect(response.data).toEqual({ file_id: home.file, project_id: home.project, watching: true });
    expect((await testApp.call(member, notifications.getFileWatch, { params: { file_id: home.file } })).response.data.watching).toBe(true);
  },
  invalid: { "params.file_id": BAD_ID_IN_PATH, "body.watching": BAD_BOOLEAN },
  rejectedRequests: [
    ...inaccessibleFilesInPath().map(
      ([name, input, status]) => [name, async (fixtures: Fixtures) => ({ ...(await input(fixtures)), body: { watching: true } }), status] as const,
    ),
    folderOfHome,
  ],
  edgeCases: {},
};
