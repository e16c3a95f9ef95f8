/** File statuses: a short, ordered list per team, and the one that new uploads start with. */
import { nameKey } from "../../../contract/text.ts";
import { loadAuthorizedTeam, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";

export type StatusRow = Row<"file_statuses">;
export interface TeamStatuses {
  teamId: number;
  statuses: StatusRow[];
  defaultId: number | null;
  newVersionResetsStatus: boolean;
}

/** Statuses of a new team. `color` is an index into the palette of twelve. Approved files are finished. */
const DEFAULT_STATUSES = [
  { title: "In progress", color: 1, is_final: 0 },
  { title: "In review", color: 7, is_final: 0 },
  { title: "Changes requested", color: 9, is_final: 0 },
  { title: "Approved", color: 4, is_final: 1 },
] as const;

export async function addDefaultStatuses(tx: Tx, teamId: number): Promise<void> {
  await tx
    .insertInto("file_statuses")
    .values(DEFAULT_STATUSES.map((status, index) => ({ ...status, title_key: nameKey(status.title), team_id: teamId, position: index + 1 })))
    .execute();
}

/** Returns the statuses in order, except deleted ones. */
export const findStatuses = (db: Db, teamId: number): Promise<StatusRow[]> =>
  db.selectFrom("file_statuses").selectAll().where("team_id", "=", teamId).where("deleted_at", "is", null).orderBy("position").orderBy("id").execute();

export async function loadTeamStatuses(db: Db, teamId: number): Promise<TeamStatuses> {
  const team = await db.selectFrom("teams").select(["default_status_id", "new_version_resets_status"]).where("id", "=", teamId).executeTakeFirstOrThrow();
  return {
    teamId,
    statuses: await findStatuses(db, teamId),
    defaultId: team.default_status_id,
    newVersionResetsStatus: team.new_version_resets_status === 1,
  };
}

export function createStatuses({ database }: ModuleDeps) {
  return {
    async list(actor: Actor, teamId: number): Promise<TeamStatuses> {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      return loadTeamStatuses(database.read, team.id);
    },
  };
}
