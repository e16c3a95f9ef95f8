/**
 * Keeps archived projects as they are. Every change of a project appends an event to its topic in the same transaction, so that one check in the event log
 * covers all operations. What the service does by itself, such as processing the last uploads, goes on.
 */
import type { EventType } from "../../contract/events.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Db, Tx } from "../db/schema.ts";
import { currentCaller } from "../lib/current-caller.ts";
import { conflict } from "../lib/errors.ts";

export const ARCHIVED = "This project is archived. Unarchive it to change something in it.";

/** Changes of the project itself and of who is in it, and what follows from changes elsewhere. */
const ALLOWED: ReadonlySet<string> = new Set<EventType>([
  "project.updated",
  "project.deleted",
  "project.restored",
  "project.member_added",
  "project.member_removed",
  "agent_tasks.changed",
  "agent_actions.changed",
]);

/** The projects that a transaction has checked: it holds their topics' locks by then, so nobody archives them before it ends. */
const checkedIn = new WeakMap<Tx, Set<number>>();

/** Throws a 409, which rolls the change back, if a caller's event is of an archived project. */
export async function assertNotArchived(tx: Tx, events: readonly { topic: string; type: string }[]): Promise<void> {
  if (currentCaller() === null) return;
  const ids = new Set(
    events.flatMap(({ topic, type }) => (topic.startsWith("project:") && !ALLOWED.has(type) ? [Number(topic.slice("project:".length))] : [])),
  );
  const checked = checkedIn.get(tx) ?? new Set();
  const unchecked = [...ids].filter((id) => !checked.has(id));
  if (unchecked.length === 0) return;
  await assertNoneArchived(tx, unchecked);
  checkedIn.set(tx, new Set([...checked, ...unchecked]));
}

const selectArchived = prepareStatement<{ id: number }, { id: number }>((db, { id }) =>
  db.selectFrom("projects").select("id").where("id", "=", id).where("archived_at", "is not", null),
);

/** Throws a 409 if one of the projects is archived: for work that is checked before it begins. */
export async function assertNoneArchived(db: Db, projectIds: readonly number[]): Promise<void> {
  const [first, ...others] = projectIds;
  const archived =
    first !== undefined && others.length === 0
      ? await selectArchived(db, { id: first })
      : await db.selectFrom("projects").select("id").where("id", "in", projectIds).where("archived_at", "is not", null).limit(1).execute();
  if (archived.length > 0) throw conflict(ARCHIVED);
}
