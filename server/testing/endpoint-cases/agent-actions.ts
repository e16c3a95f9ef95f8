import { expect } from "vitest";
import * as operations from "../../../contract/operations/agent-actions.ts";
import { insertAction, insertAgentMessage } from "../agent-actions.ts";
import type { UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { agentOf, BAD_PAGE_IN_QUERY, foreignAgent, inaccessibleAgents } from "./agent-task-helpers.ts";
import { BAD_ID_IN_PATH, type EndpointCase } from "./case.ts";

/** The log outlives runs, so that a run need not exist. */
const RUN = 777_777;

async function insert({ testApp }: Fixtures, agent: number, project: number, run: number | null) {
  return testApp.database.write(async (tx) => {
    // The other cases leave actions behind.
    await tx.deleteFrom("agent_actions").where("agent_id", "=", agent).execute();
    const message = await insertAgentMessage(tx, project, agent);
    return { message, action: await insertAction(tx, { agent, project, message, run }) };
  });
}
async function withAction(fixtures: Fixtures) {
  const agent_id = await agentOf(fixtures);
  return { agent_id, ...(await insert(fixtures, agent_id, fixtures.home.project, RUN)) };
}
async function foreignAction(fixtures: Fixtures) {
  const agent_id = await foreignAgent(fixtures);
  return { agent_id, ...(await insert(fixtures, agent_id, fixtures.foreign.project, RUN + 1)) };
}
const ACTION = { object: "agent_action", action: "message.created", text: "Posted a message", run_id: RUN };

export const listAgentActions: EndpointCase = {
  caller: ({ member }) => member,
  async valid(fixtures) {
    const { agent_id } = await withAction(fixtures);
    return { params: { agent_id }, query: { run_id: String(RUN), project_id: String(fixtures.home.project), limit: "1" } };
  },
  assertResponse: ({ response, fixtures: { home } }) =>
    expect(response).toMatchObject({
      data: [
        { ...ACTION, project_id: home.project, target: { type: "message", name: "Posted by an agent", file_id: null }, from: null, to: null, can_undo: false },
      ],
      next_cursor: null,
    }),
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "query.run_id": BAD_ID_IN_PATH, "query.project_id": BAD_ID_IN_PATH, ...BAD_PAGE_IN_QUERY },
  rejectedRequests: [
    ...inaccessibleAgents(() => ({})),
    [
      "a project of another organization",
      async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, query: { project_id: String(fixtures.foreign.project) } }),
      404,
    ],
  ],
  edgeCases: {
    "another run has no actions": async (fixtures) => {
      const { agent_id } = await withAction(fixtures);
      const query = { run_id: String(RUN + 5) };
      expect((await fixtures.testApp.call(fixtures.member, operations.listAgentActions, { params: { agent_id }, query })).response.data).toEqual([]);
    },
  },
};

const ofAction = ({ agent_id, action }: { agent_id: number; action: number }): UntypedInput => ({ params: { agent_id, action_id: action } });

export const undoAgentAction: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ofAction(await withAction(fixtures)),
  assertResponse: ({ data, fixtures: { admin } }) =>
    expect(data).toMatchObject({ ...ACTION, can_undo: false, undo_denial: null, undone_at: expect.any(String), undone_by_account_id: admin.id }),
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "params.action_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["an action of another organization", async (fixtures) => ofAction(await foreignAction(fixtures)), 404],
    ["an action of another agent", async (fixtures) => ofAction({ ...(await foreignAction(fixtures)), agent_id: await agentOf(fixtures) }), 404],
    ["an action that does not exist", async (fixtures) => ofAction({ agent_id: await agentOf(fixtures), action: 999_999 }), 404],
  ],
  edgeCases: {
    "a second undo and one of a deleted message are refused": async (fixtures) => {
      const input = ofAction(await withAction(fixtures));
      const undo = async () => (await fixtures.testApp.callUntyped(fixtures.admin, operations.undoAgentAction, input)).status;
      expect([await undo(), await undo()]).toEqual([200, 409]);
      const { message, ...other } = await withAction(fixtures);
      await fixtures.testApp.database.write((tx) => tx.updateTable("messages").set({ deleted_at: 2 }).where("id", "=", message).execute());
      expect((await fixtures.testApp.callUntyped(fixtures.admin, operations.undoAgentAction, ofAction(other))).status).toBe(409);
    },
  },
};

export const undoAgentRun: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { agent_id: (await withAction(fixtures)).agent_id, run_id: RUN } }),
  assertResponse: ({ data }) =>
    expect(data).toEqual({ object: "undo_report", undone_count: 1, results: [{ action_id: expect.any(Number), undone: true, denial: null }] }),
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "params.run_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    [
      "a run of another organization",
      async (fixtures) => {
        await foreignAction(fixtures);
        return { params: { agent_id: await agentOf(fixtures), run_id: RUN + 1 } };
      },
      404,
    ],
    ["a run that does not exist", async (fixtures) => ({ params: { agent_id: await agentOf(fixtures), run_id: 999_999 } }), 404],
  ],
  edgeCases: {},
};
