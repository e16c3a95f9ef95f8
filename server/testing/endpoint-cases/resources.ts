/** Cases of the operations that version 2 has beside those of version 1. */
import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as resources from "../../../contract/operations/resources.ts";
import { listTasks } from "../../../contract/operations/tasks.ts";
import { createMessage as insertMessage } from "../fixtures.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badText, withoutNull, type EndpointCase } from "./case.ts";
import { createProject, getProject } from "./projects.ts";
import { createGroup, getGroup, listTeams } from "./teams.ts";

const BAD_PAGE = { "query.cursor": ["", "x", "x".repeat(201)], "query.limit": BAD_LIMIT_IN_QUERY };

let counter = 0;

export const createProjectV2: EndpointCase = createProject;
export const createGroupV2: EndpointCase = createGroup;

export const getProjectV2: EndpointCase = {
  ...getProject,
  valid: ({ home }) => ({ params: { project_id: home.project } }),
  invalid: { "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
  ],
  edgeCases: {},
};

const inaccessibleChats: EndpointCase["rejectedRequests"] = [
  ["another project of the same team", ({ next }) => ({ params: { project_id: next.project, message_id: next.message }, body: { body: "x" } }), 404],
  ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project, message_id: foreign.message }, body: { body: "x" } }), 404],
];

export const createMessage: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project }, body: { body: "Bring the stems", client_id: `resource-case-${++counter}` } }),
  assertResponse: ({ data, input, fixtures: { home, guest } }) =>
    expect(data).toMatchObject({ chat_id: home.project, account_id: guest.id, ...(input.body as object), attachments: [] }),
  invalid: {
    "params.project_id": BAD_ID_IN_PATH,
    "body.body": [...badText(10_000), "", " \n "],
    "body.parent_message_id": withoutNull(BAD_ID),
    "body.playlist_id": withoutNull(BAD_ID),
    "body.attachment_ids": [5, null, ["1"], [1]],
    "body.is_audio_message": [...BAD_BOOLEAN, true],
    "body.client_id": [5, null, "short"],
  },
  rejectedRequests: inaccessibleChats,
  edgeCases: {
    "the same client_id or Idempotency-Key sends one message": async ({ testApp, guest, home }) => {
      const input = { params: { project_id: home.project }, body: { body: "once", client_id: `resource-once-${++counter}` } };
      const keyed = { params: input.params, body: { body: "keyed" } };
      const headers = { "idempotency-key": "resource-once" };
      const byClientId = [await testApp.call(guest, resources.createMessage, input), await testApp.call(guest, resources.createMessage, input)];
      const byKey = [
        await testApp.call(guest, resources.createMessage, keyed, { headers }),
        await testApp.call(guest, resources.createMessage, keyed, { headers }),
      ];
      for (const [first, second] of [byClientId, byKey]) expect(second!.response.data.id).toBe(first!.response.data.id);
    },
  },
};

export const getMessage: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ params: { project_id: home.project, message_id: home.message } }),
  assertResponse: ({ data, fixtures: { home } }) => expect(data).toMatchObject({ id: home.message, chat_id: home.project, body: "Welcome to home" }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "params.message_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ...inaccessibleChats,
    ["a message of another project", ({ home, next }) => ({ params: { project_id: home.project, message_id: next.message } }), 404],
    [
      "a deleted message",
      async ({ testApp, owner, home }) => {
        const message_id = await insertMessage(testApp, owner, home.project, "gone");
        await testApp.database.write((tx) => tx.updateTable("messages").set({ deleted_at: 1 }).where("id", "=", message_id).execute());
        return { params: { project_id: home.project, message_id } };
      },
      404,
    ],
  ],
  edgeCases: {},
};

export const createTask: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home, member }) => ({ body: { file_id: home.folder, title: " Check the fade ", assignee_account_id: member.id, due_date: "2026-03-09" } }),
  assertResponse: ({ data, fixtures: { home, member, guest } }) =>
    expect(data).toMatchObject({
      object: "task",
      title: "Check the fade",
      file_id: home.folder,
      assignee_account_id: member.id,
      due_date: "2026-03-09T00:00:00.000Z",
      created_by_account_id: guest.id,
    }),
  invalid: {
    "body.file_id": BAD_ID,
    "body.project_id": [...BAD_ID, 1],
    "body.title": [5, null, "", "  ", "x".repeat(501)],
    "body.assignee_account_id": withoutNull([...BAD_ID, 999_999]),
    "body.due_date": ["tomorrow", 5, ""],
  },
  rejectedRequests: [
    ["a file of another project", ({ next }) => ({ body: { file_id: next.file, title: "x" } }), 404],
    ["another project of the same team", ({ next }) => ({ body: { project_id: next.project, title: "x" } }), 404],
    ["a project of another organization", ({ foreign }) => ({ body: { project_id: foreign.project, title: "x" } }), 404],
    ["neither a file nor a project", () => ({ body: { title: "x" } }), 400],
  ],
  edgeCases: {
    "puts a task of a project on its root folder, where the project's tasks list it": async ({ testApp, guest, home }) => {
      const { data } = (await testApp.call(guest, resources.createTask, { body: { project_id: home.project, title: "Book the studio" } })).response;
      expect(data).toMatchObject({ file_id: home.root, project_id: home.project });
      const listed = (await testApp.call(guest, listTasks, { query: { project_id: String(home.project), limit: "200" } })).response.data;
      expect(listed.map(({ id }) => id)).toContain(data.id);
      expect(listed.every(({ project_id }) => project_id === home.project)).toBe(true);
    },
    "names the member that is wrong": async ({ testApp, guest, home, neighbor }) => {
      const body = { file_id: home.file, title: "x", assignee_account_id: neighbor.id };
      const { status, problem } = await testApp.call(guest, resources.createTask, { body });
      expect([status, problem.errors?.[0]?.path]).toEqual([400, "assignee_account_id"]);
      expect((await testApp.call(guest, files.getFileInfo, { body: { file_id: home.file } })).status).toBe(200);
    },
  },
};

export const listGroupsV2: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ query: { team_id: String(home.team), limit: "5" } }),
  assertResponse: ({ response, fixtures: { home } }) =>
    expect(response).toMatchObject({ data: [{ id: home.group, name: "home group", team_id: home.team }], next_cursor: null }),
  invalid: { "query.team_id": BAD_ID_IN_PATH, ...BAD_PAGE },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ query: { team_id: String(apart.team) } }), 404],
    ["a team of another organization", ({ foreign }) => ({ query: { team_id: String(foreign.team) } }), 404],
  ],
  edgeCases: {
    "lists the groups of all teams in pages": async ({ testApp, owner, home, apart, foreign }) => {
      const ids: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = (await testApp.call(owner, resources.listGroupsV2, { query: { limit: "1", ...(cursor ? { cursor } : {}) } })).response;
        ids.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(ids).toEqual(expect.arrayContaining([home.group, apart.group]));
      expect(ids).not.toContain(foreign.group);
    },
  },
};

export const getGroupV2: EndpointCase = {
  ...getGroup,
  valid: ({ home }) => ({ params: { group_id: home.group } }),
  invalid: { "params.group_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a group without visible projects", ({ next }) => ({ params: { group_id: next.group } }), 404],
    ["a group of another organization", ({ foreign }) => ({ params: { group_id: foreign.group } }), 404],
  ],
};

export const listTeamsV2: EndpointCase = {
  ...listTeams,
  invalid: BAD_PAGE,
  edgeCases: {
    "lists the teams in pages": async ({ testApp, owner, home, apart }) => {
      const first = (await testApp.call(owner, resources.listTeamsV2, { query: { limit: "1" } })).response;
      const second = (await testApp.call(owner, resources.listTeamsV2, { query: { limit: "1", cursor: first.next_cursor! } })).response;
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([home.team, apart.team]);
      expect(second.next_cursor).toBeNull();
    },
  },
};

export const getTeam: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { team_id: home.team } }),
  assertResponse: ({ data, fixtures: { home } }) => expect(data).toMatchObject({ id: home.team, role: "guest", new_version_resets_status: true }),
  invalid: { "params.team_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ params: { team_id: apart.team } }), 404],
    ["a team of another organization", ({ foreign }) => ({ params: { team_id: foreign.team } }), 404],
  ],
  edgeCases: {},
};
