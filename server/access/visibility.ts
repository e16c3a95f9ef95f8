/** Loads what one account can see, as sets, because the live channel checks visibility for each event. */
import { seesOnlyOwnProjects } from "../../contract/policy.ts";
import type { Database } from "../db/database.ts";
import { can, visibleAccounts, visibleProjects, visibleTeams, type Actor } from "./access.ts";

export interface Visibility {
  projects: ReadonlySet<number>;
  teams: ReadonlySet<number>;
  /** null: everybody in the organization. */
  people: ReadonlySet<number> | null;
}

const EMPTY: ReadonlySet<number> = new Set();

/** Returns the lookups of what an actor can see now. */
export const createVisibility = ({ read }: Pick<Database, "read">) => ({
  async loadVisibility(actor: Actor): Promise<Visibility> {
    const projects = can(actor, "project.read") ? new Set((await visibleProjects(read, actor).select("projects.id").execute()).map(({ id }) => id)) : EMPTY;
    const teams = can(actor, "team.read") ? new Set((await visibleTeams(read, actor).select("teams.id").execute()).map(({ id }) => id)) : EMPTY;
    if (!seesOnlyOwnProjects(actor.role)) return { projects, teams, people: null };
    const people = can(actor, "account.read") ? new Set((await visibleAccounts(read, actor).select("accounts.id").execute()).map(({ id }) => id)) : EMPTY;
    return { projects, teams, people };
  },

  canSeeProject: async (actor: Actor, id: number): Promise<boolean> =>
    can(actor, "project.read") && (await visibleProjects(read, actor).where("projects.id", "=", id).select("projects.id").executeTakeFirst()) !== undefined,
});
