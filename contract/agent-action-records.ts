/** Wire records of the log of what agents did, and of undoing it. All of them are extensions. */
import * as z from "zod/mini";
import { id, timestamp } from "./text.ts";

/** Something that an agent did. */
export const agentAction = z.looseObject({
  object: z.literal("agent_action"),
  id,
  agent_id: id,
  /** The run of a task in which the agent did it; null: by a token. */
  run_id: z.nullable(id),
  /** null: it concerns the whole organization. */
  project_id: z.nullable(id),
  /** Such as `message.created`, `file.renamed` or `task.closed`. Clients show `text` for those that they do not know. */
  action: z.string(),
  /** Follows the agent's name: "Renamed a file". */
  text: z.string(),
  /** `name`: the present name, title or beginning of the text; null if it has none or no longer exists. `deleted`: it has no page any more. */
  target: z.looseObject({ type: z.string(), id, name: z.nullable(z.string()), file_id: z.nullable(id), deleted: z.boolean() }),
  /** Former and new name, title, folder or status; null where there is none to show. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  created_at: timestamp,
  /** Whether you can undo it at present. */
  can_undo: z.boolean(),
  /** Why it cannot be undone, as a sentence; null if it can be, or was. */
  undo_denial: z.nullable(z.string()),
  undone_at: z.nullable(timestamp),
  undone_by_account_id: z.nullable(id),
});
export type AgentAction = z.infer<typeof agentAction>;

/** What became of each action of a run, in the order in which they were undone: newest first. `denial`: why one was not undone. */
export const undoReport = z.looseObject({
  object: z.literal("undo_report"),
  undone_count: z.int(),
  results: z.array(z.looseObject({ action_id: id, undone: z.boolean(), denial: z.nullable(z.string()) })),
});
export type UndoReport = z.infer<typeof undoReport>;
