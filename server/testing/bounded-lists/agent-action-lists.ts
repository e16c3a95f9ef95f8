/** The list of what an agent did, filled with the longest records. */
import type { Operation } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import { insertAgentMessage } from "../agent-actions.ts";
import { createAgentIn } from "../agents.ts";
import { range } from "./fill.ts";
import { byCursor, type ListCase } from "./paged-lists.ts";

const RECORDS = 400;
const LONG_NAME = "\u{1F3B5}".repeat(63);

export const AGENT_ACTION_CASES: [string, Operation, ListCase][] = [
  [
    "listAgentActions",
    operations.listAgentActions,
    {
      records: RECORDS,
      async prepare(tx, { testApp, home, owner }) {
        const agent = await createAgentIn(tx, testApp.engine, testApp.clock.now(), { createdBy: owner, projects: [home.project] });
        const message = await insertAgentMessage(tx, home.project, agent);
        await tx
          .updateTable("messages")
          .set({ body: "\u{1F3B5}".repeat(LIMITS.message_characters / 2) })
          .where("id", "=", message)
          .execute();
        const state = JSON.stringify({ name: LONG_NAME, parent_id: home.folder, status_id: null, version: 1 });
        const row = { agent_id: agent, project_id: home.project, created_at: 1, state_before: state, state_after: state };
        const posted = { ...row, action: "message.created", target_type: "message", target_id: message };
        const renamed = { ...row, action: "file.renamed", target_type: "file", target_id: home.file, file_id: home.file };
        await tx
          .insertInto("agent_actions")
          .values(range(RECORDS, (index) => (index % 2 === 0 ? posted : renamed)))
          .execute();
        return byCursor({ params: { agent_id: agent } }, "query", LIMITS.history_max);
      },
    },
  ],
];
