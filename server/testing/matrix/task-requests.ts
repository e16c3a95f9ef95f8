/** How the rows about tasks are asked. */
import type { Person } from "../people.ts";
import type { Stage } from "./actors.ts";
import { inBody, inPath, type Ask } from "./ask.ts";

const LONG_AGO = 1;
const aTask = { title: "matrix" };
let drawn = 0;

/** A task in `home`, or on `fileId`, that this person seems to have written. */
async function taskBy({ cast: { world, home } }: Stage, createdBy: number, assigneeId: number | null = null, fileId = home.file): Promise<number> {
  const values = { file_id: fileId, title: "matrix", assignee_id: assigneeId, due_at: null, position: 1, created_by: createdBy, created_at: LONG_AGO };
  return world.database.write(async (tx) => {
    // Rows are asked again and again; a file holds no more than it may.
    await tx.deleteFrom("tasks").where("title", "=", "matrix").where("file_id", "=", fileId).execute();
    const { id } = await tx
      .insertInto("tasks")
      .values({ ...values, closed_at: null, closed_by: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}
const anothers = (stage: Stage) => taskBy(stage, stage.cast.owner.id);
const own = (stage: Stage, by: Person) => taskBy(stage, by.id);
const theirs = (stage: Stage, by: Person) => taskBy(stage, stage.cast.owner.id, by.id);
const foreigners = (stage: Stage) => taskBy(stage, stage.cast.foreignOwner.id, null, stage.cast.foreign.file);

async function everywhere(stage: Stage): Promise<object> {
  const { cast } = stage;
  for (const place of [cast.home, cast.next, cast.apart]) await taskBy(stage, cast.owner.id, null, place.file);
  await foreigners(stage);
  return {};
}

async function taskOfDeletedFile(stage: Stage): Promise<number> {
  const { world, home, owner } = stage.cast;
  const name = `task file ${++drawn}`;
  const values = {
    project_id: home.project,
    parent_id: home.root,
    is_folder: 1 as const,
    name,
    name_key: name,
    created_by: owner.id,
    created_at: LONG_AGO,
    deleted_at: LONG_AGO,
  };
  const { id } = await world.database.write((tx) => tx.insertInto("files").values(values).returning("id").executeTakeFirstOrThrow());
  return taskBy(stage, owner.id, null, id);
}

async function templateIn({ cast: { world } }: Stage, team: number, name: string): Promise<number> {
  const found = await world.database.read.selectFrom("task_templates").select("id").where("team_id", "=", team).where("name", "=", name).executeTakeFirst();
  if (found) return found.id;
  const values = { team_id: team, name, name_key: name, tasks: JSON.stringify([{ title: "matrix", due_days: null }]), created_by: null, created_at: LONG_AGO };
  return (await world.database.write((tx) => tx.insertInto("task_templates").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
/** A team has no more templates than it may: those of earlier rows go. */
const newTemplate =
  (team: (stage: Stage) => number): Ask =>
  async (stage) => {
    await stage.cast.world.database.write((tx) => tx.deleteFrom("task_templates").where("name", "like", "matrix%").execute());
    return { body: { team_id: team(stage), name: `matrix ${++drawn}`, tasks: [aTask] } };
  };
const load =
  (team: (stage: Stage) => number): Ask =>
  async (stage) => ({ body: { template_id: await templateIn(stage, team(stage), "kept"), file_id: stage.cast.home.file } });

const home = ({ cast }: Stage) => cast.home.team;
const apart = ({ cast }: Stage) => cast.apart.team;

/** By operation and row name. */
export const TASK_REQUESTS: Record<string, Ask> = {
  "tasksByFolder of home": inBody("file_id", ({ cast }) => cast.home.folder),
  "tasksByFolder of foreign": inBody("file_id", ({ cast }) => cast.foreign.folder),
  "listTasks all": async (stage) => ({ ...(await everywhere(stage)), query: { limit: 200 } }),
  "listTasks of home": ({ cast }) => ({ query: { file_id: cast.home.file } }),
  "getTask of home": inPath("task_id", anothers),
  "getTask of foreign": inPath("task_id", foreigners),
  "getTask of a deleted file": inPath("task_id", taskOfDeletedFile),
  "createTasks on home": ({ cast }) => ({ body: { file_id: cast.home.file, tasks: [aTask] } }),
  "createTasks on apart": ({ cast }) => ({ body: { file_id: cast.apart.file, tasks: [aTask] } }),
  "createTasks for who is not in home": ({ cast }) => ({
    body: { file_id: cast.home.file, tasks: [{ ...aTask, assignee_account_id: cast.neighbour.id }] },
  }),
  "createTasks for a foreign member": ({ cast }) => ({
    body: { file_id: cast.home.file, tasks: [{ ...aTask, assignee_account_id: cast.foreignMember.id }] },
  }),
  "updateTask another's in home": inPath("task_id", anothers, { closed: true }),
  "updateTask one's own in home": inPath("task_id", own, { title: "matrix", due_date: "2026-03-09" }),
  "updateTask closed, theirs to do": inPath("task_id", theirs, { closed: true }),
  "updateTask edited, theirs to do": inPath("task_id", theirs, { closed: true, assignee_account_id: null }),
  "updateTask of foreign": inPath("task_id", foreigners, { due_date: null }),
  "deleteTask another's in home": inPath("task_id", anothers),
  "deleteTask one's own in home": inPath("task_id", own),
  "deleteTask theirs to do": inPath("task_id", theirs),
  "getTaskTemplate of home": inBody("template_id", (stage) => templateIn(stage, home(stage), "kept")),
  "getTaskTemplate of apart": inBody("template_id", (stage) => templateIn(stage, apart(stage), "kept")),
  "loadTasksFromTemplate of home, onto home": load(home),
  "loadTasksFromTemplate of apart, onto home": load(apart),
  "listTaskTemplates of home": (stage) => ({ query: { team_id: home(stage) } }),
  "listTaskTemplates of apart": (stage) => ({ query: { team_id: apart(stage) } }),
  "createTaskTemplate in home": newTemplate(home),
  "createTaskTemplate in apart": newTemplate(apart),
  "deleteTaskTemplate of home": inPath("template_id", (stage) => templateIn(stage, home(stage), "matrix to delete")),
  "deleteTaskTemplate of foreign": inPath("template_id", (stage) => templateIn(stage, stage.cast.foreign.team, "matrix to delete")),
};
