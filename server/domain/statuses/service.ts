/** File statuses: a short, ordered list per team. */
import type { Row, Tx } from "../../db/schema.ts";
import { teamFor, type Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";

/** What a new team starts with. `color` is an index into the palette of twelve. */
const DEFAULTS = [
  { title: "In progress", color: 1 },
  { title: "In review", color: 7 },
  { title: "Changes requested", color: 9 },
  { title: "Approved", color: 4 },
];

export async function addDefaultStatuses(tx: Tx, teamId: number): Promise<void> {
  await tx
    .insertInto("file_statuses")
    .values(DEFAULTS.map((status, index) => ({ ...status, team_id: teamId, position: index + 1 })))
    .execute();
}

export function createStatuses({ database }: DomainDeps) {
  return {
    async list(actor: Actor, teamId: number): Promise<Row<"file_statuses">[]> {
      const team = await teamFor(database.read, actor, "team.read", teamId);
      return database.read.selectFrom("file_statuses").selectAll().where("team_id", "=", team.id).orderBy("position").execute();
    },
  };
}
