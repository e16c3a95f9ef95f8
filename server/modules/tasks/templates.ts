/** Task templates: a team's named lists of tasks that can be created on a file or folder. */
import { nameKey } from "../../../contract/text.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, loadAuthorizedTeam, visibleTeams, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { isUniqueViolation } from "../../db/engine-errors.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { recordAgentAction } from "../../events/agent-actions.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict, invalid, notFound } from "../../lib/errors.ts";
import { parseTemplateTasks, type TaskView, type TemplateTask } from "./presenter.ts";
import type { Tasks } from "./tasks.ts";

export interface TemplateInput {
  teamId: number;
  name: string;
  tasks: TemplateTask[];
}

/** Template of a new team. */
const DEFAULT_TEMPLATE = {
  name: "Delivery",
  titles: [
    "Check sample rate and bit depth against the order",
    "Listen to the master once from start to end",
    "Bounce instrumental, a cappella and stems from bar one",
    "Write ISRC and credits into the files",
    "Upload the final files and set them to Approved",
  ],
};

const serializeTasks = (tasks: readonly TemplateTask[]): string => JSON.stringify(tasks.map(({ title, due_days }) => ({ title: title.trim(), due_days })));

export async function addDefaultTemplate(tx: Tx, now: number, teamId: number): Promise<void> {
  const tasks = serializeTasks(DEFAULT_TEMPLATE.titles.map((title) => ({ title, due_days: null })));
  await tx
    .insertInto("task_templates")
    .values({ team_id: teamId, name: DEFAULT_TEMPLATE.name, name_key: nameKey(DEFAULT_TEMPLATE.name), tasks, created_by: null, created_at: now })
    .execute();
}

export function createTaskTemplates({ database, clock }: ModuleDeps, tasks: Pick<Tasks, "create">) {
  const findVisibleTemplate = (db: Db, actor: Actor, id: number): Promise<Row<"task_templates"> | undefined> =>
    visibleTeams(db, actor)
      .innerJoin("task_templates", "task_templates.team_id", "teams.id")
      .selectAll("task_templates")
      .where("task_templates.id", "=", id)
      .executeTakeFirst();

  async function insertTemplate(tx: Tx, actor: Actor, team: number, input: TemplateInput): Promise<number> {
    await acquireAdvisoryLock(tx, database.engine, `task templates of team ${team}`);
    const { count } = await tx
      .selectFrom("task_templates")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("team_id", "=", team)
      .executeTakeFirstOrThrow();
    if (count >= LIMITS.task_templates_per_team) throw conflict(`A team can have at most ${LIMITS.task_templates_per_team} task templates.`);
    const name = input.name.trim();
    try {
      const values = { team_id: team, name, name_key: nameKey(name), tasks: serializeTasks(input.tasks), created_by: actor.accountId, created_at: clock.now() };
      return (await tx.insertInto("task_templates").values(values).returning("id").executeTakeFirstOrThrow()).id;
    } catch (error) {
      if (isUniqueViolation(error)) throw conflict("A task template with this name already exists.");
      throw error;
    }
  }

  return {
    async list(actor: Actor, teamId: number): Promise<Row<"task_templates">[]> {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      return database.read.selectFrom("task_templates").selectAll().where("team_id", "=", team.id).orderBy("name_key").execute();
    },

    async get(actor: Actor, id: number): Promise<Row<"task_templates">> {
      const template = await findVisibleTemplate(database.read, actor, id);
      if (!template) throw notFound("task template");
      assertCan(actor, "team.read", {}, "");
      return template;
    },

    create(actor: Actor, input: TemplateInput, idempotencyKey: IdempotencyKey | null): Promise<Row<"task_templates">> {
      return database.write(async (tx) => {
        const team = await loadAuthorizedTeam(tx, actor, "task_template.manage", input.teamId);
        const id = await runIdempotent(tx, actor, idempotencyKey, clock.now(), () => insertTemplate(tx, actor, team.id, input));
        await recordAgentAction(tx, clock.now(), "task_template.created", { type: "task_template", id });
        const template = await findVisibleTemplate(tx, actor, id);
        if (!template) throw notFound("task template");
        return template;
      });
    },

    remove(actor: Actor, id: number): Promise<void> {
      return database.write(async (tx) => {
        const template = await findVisibleTemplate(tx, actor, id);
        if (!template) throw notFound("task template");
        assertCan(actor, "task_template.manage", {}, "Guests cannot delete task templates.");
        await tx.deleteFrom("task_templates").where("id", "=", id).execute();
        await recordAgentAction(tx, clock.now(), "task_template.deleted", { type: "task_template", id });
        await auditActor(tx, clock.now(), actor, "task_template.deleted", `task_template:${id}`, { name: template.name });
      });
    },

    /** Creates the template's tasks. Throws a 409 if the folder, or the folder that directly contains the file, has `task_load_protection`. */
    load(actor: Actor, templateId: number, fileId: number, idempotencyKey: IdempotencyKey | null): Promise<TaskView[]> {
      return tasks.create(actor, fileId, idempotencyKey, async (tx, file) => {
        const { team_id } = await tx.selectFrom("projects").select("team_id").where("id", "=", file.project_id).executeTakeFirstOrThrow();
        const template = await findVisibleTemplate(tx, actor, templateId);
        if (template?.team_id !== team_id) throw invalid("template_id", "must be a task template of the file's team");
        await assertUnprotected(tx, file);
        const today = Math.floor(clock.now() / DAY) * DAY;
        return parseTemplateTasks(template).map(({ title, due_days }) => ({
          title,
          assigneeId: null,
          dueAt: due_days === null ? null : today + due_days * DAY,
        }));
      });
    },
  };
}

async function assertUnprotected(tx: Tx, file: Row<"files">): Promise<void> {
  const folderId = file.is_folder === 1 ? file.id : file.parent_id;
  if (folderId === null) return;
  const folder = await tx.selectFrom("files").select(["name", "task_load_protection"]).where("id", "=", folderId).executeTakeFirst();
  if (folder?.task_load_protection === 1) throw conflict(`The folder "${folder.name}" is protected from task templates. Remove the protection first.`);
}
