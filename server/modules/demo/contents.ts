/** What a demo has created, by the record of its run, as far as it still exists. Demos of earlier releases have the same record. */
import { sql } from "kysely";
import type { DemoContents } from "../../../contract/operations/demo.ts";
import type { Db, Row } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";
import { storyTime } from "./story-time.ts";

/** Ids of what is removed. */
export interface DemoIds {
  projects: number[];
  groups: number[];
  accounts: number[];
  /** Accounts of agents, and the demo's metadata templates: one or none. */
  agents: number[];
  templates: number[];
  /** Teams whose delivery rules are the demo's. */
  ruleTeams: number[];
}

/** The story begins then: groups and rules of this age were created by the demo, as its record does not tell them from those that it has found. */
const isOfStoryStart = (createdAt: number, { began_at }: Pick<Row<"demos">, "began_at">): boolean =>
  Math.abs(createdAt - storyTime(began_at, 21, "09:00")) < DAY;

/** Returns the ids of what exists. */
export async function findDemoIds(db: Db, demo: Row<"demos">): Promise<DemoIds> {
  const made = Object.entries(JSON.parse(demo.made) as Record<string, number>);
  const idsOf = (kind: string) => made.filter(([name, id]) => id > 0 && (name === kind || name.startsWith(`${kind} `))).map(([, id]) => id);
  const organisation = demo.organisation_id;
  const teams = await db.selectFrom("teams").select("id").where("organisation_id", "=", organisation).execute();
  const teamIds = teams.map(({ id }) => id);
  const existing = (table: "projects" | "project_groups" | "metadata_templates", ids: number[]) =>
    db
      .selectFrom(table)
      .select(["id", "created_at"])
      .where("id", "in", [0, ...ids])
      .where("team_id", "in", teamIds)
      .orderBy("id")
      .execute();
  const accountsOf = (ids: number[]) =>
    db
      .selectFrom("accounts")
      .select("id")
      .where("id", "in", [0, ...ids])
      .where("organisation_id", "=", organisation)
      .orderBy("id")
      .execute();
  // "agent task" and "agent run" are kinds of their own.
  const agents = made.filter(([name, id]) => name === "agent" && id > 0).map(([, id]) => id);
  const projects = await existing(
    "projects",
    made.filter(([name]) => /^project [^:]*$/.test(name)).map(([, id]) => id),
  );
  const groups = await existing("project_groups", idsOf("group"));
  const rules = await db.selectFrom("delivery_rules").select(["team_id", "updated_at"]).where("team_id", "in", teamIds).execute();
  const templates = await existing("metadata_templates", idsOf("metadata template"));
  // A template that describes files of other projects has become the organization's own.
  const used = await db
    .selectFrom("metadata_values")
    .innerJoin("metadata_fields", "metadata_fields.id", "metadata_values.field_id")
    .select("metadata_fields.template_id")
    .distinct()
    .where("metadata_fields.template_id", "in", [0, ...templates.map(({ id }) => id)])
    .where("metadata_values.project_id", "not in", [0, ...projects.map(({ id }) => id)])
    .execute();
  const inUse = new Set(used.map(({ template_id }) => template_id));
  return {
    projects: projects.map(({ id }) => id),
    groups: groups.flatMap((group) => (isOfStoryStart(group.created_at, demo) ? [group.id] : [])),
    accounts: (await accountsOf(made.filter(([name]) => /^account [a-z]+$/.test(name)).map(([, id]) => id))).map(({ id }) => id),
    agents: (await accountsOf(agents)).map(({ id }) => id),
    templates: templates.flatMap(({ id }) => (inUse.has(id) ? [] : [id])),
    ruleTeams: rules.flatMap((rule) => (isOfStoryStart(rule.updated_at, demo) ? [rule.team_id] : [])),
  };
}

interface Counts {
  total: number;
  /** PostgreSQL returns sums as text. */
  others: number | string | null;
}

/** Returns what the confirmation lists. */
export async function loadDemoContents(db: Db, demo: Row<"demos">): Promise<DemoContents> {
  const ids = await findDemoIds(db, demo);
  const namesOf = async (table: "projects" | "project_groups" | "metadata_templates", of: number[]) => {
    const rows = await db
      .selectFrom(table)
      .select("name")
      .where("id", "in", [0, ...of])
      .orderBy("name")
      .execute();
    return rows.map(({ name }) => name);
  };
  const usernamesOf = async (of: number[]) => {
    const rows = await db
      .selectFrom("accounts")
      .select("username")
      .where("id", "in", [0, ...of])
      .orderBy("id")
      .execute();
    return rows.map(({ username }) => username);
  };
  const projects = sql.join([0, ...ids.projects]);
  const own = sql.join([0, ...ids.accounts, ...ids.agents]);
  // What the demo has made is older than its run; only its agent writes later.
  const byOthers = (author: string) => sql`sum(case when created_at > ${demo.began_at} and ${sql.ref(author)} not in (${own}) then 1 else 0 end)`;
  const { rows: files } = await sql<Counts>`select count(*) as total, ${byOthers("created_by")} as others from files
    where project_id in (${projects}) and is_folder = 0 and deleted_at is null`.execute(db);
  const { rows: messages } = await sql<Counts>`select count(*) as total, ${byOthers("account_id")} as others from messages
    where project_id in (${projects}) and deleted_at is null`.execute(db);
  return {
    projects: await namesOf("projects", ids.projects),
    groups: await namesOf("project_groups", ids.groups),
    people: await usernamesOf(ids.accounts),
    agents: await usernamesOf(ids.agents),
    metadata_templates: await namesOf("metadata_templates", ids.templates),
    delivery_rules: ids.ruleTeams.length > 0,
    files: files[0]?.total ?? 0,
    messages: messages[0]?.total ?? 0,
    files_added_by_others: Number(files[0]?.others ?? 0),
    messages_added_by_others: Number(messages[0]?.others ?? 0),
  };
}
