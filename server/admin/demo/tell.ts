/** Tells a project's story through the public API, each deed at its time. What an earlier run has told is not told again. */
import { moveReadMarker, sendMessage } from "../../../contract/operations/chat.ts";
import { updateComment, writeComment } from "../../../contract/operations/comments.ts";
import { makeFolder, setFileStatus, uploadFile } from "../../../contract/operations/files.ts";
import { addReaction, editMessage } from "../../../contract/operations/messages.ts";
import { addProjectMember, createProject, getProject } from "../../../contract/operations/projects.ts";
import { createGroup } from "../../../contract/operations/teams.ts";
import { createTasks, updateTask } from "../../../contract/operations/tasks.ts";
import type { Run } from "../../domain/demo/run.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { fileNameOf, placeOf, type AssetName, type Shelf } from "./assets.ts";
import type { Ask } from "./api.ts";
import type { Cast } from "./cast.ts";
import { CAST, type Deed, type Line, type Speaker, type StoryProject } from "./story/story.ts";

export interface Told {
  run: Run;
  cast: Cast;
  shelf: Shelf;
  /** Moved to the time of each deed. */
  clock: { time: number };
  teamId: number;
  /** By title. */
  statuses: ReadonlyMap<string, number>;
  /** After each deed. */
  next(): Promise<void>;
}

const REACTS_AFTER_MS = 2 * MINUTE;

/** Local time `at` on the day `day` days before `now`; never in the future. */
export function moment(now: number, day: number, at: string): number {
  const date = new Date(now - day * DAY);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  date.setHours(hours, minutes, 0, 0);
  return Math.min(date.getTime(), now);
}

const milliseconds = (seconds: number | undefined): number | null => (seconds === undefined ? null : Math.round(seconds * 1_000));
const dayFrom = (now: number, days: number): string => new Date(now + days * DAY).toISOString().slice(0, 10);

class Teller {
  readonly #told: Told;
  readonly #projectId: number;
  readonly #root: number;
  readonly #messages: number[] = [];
  readonly #project: string;

  constructor(told: Told, project: string, projectId: number, root: number) {
    this.#told = told;
    this.#project = project;
    this.#projectId = projectId;
    this.#root = root;
  }

  /** Once over all runs, under the same key: a request that was killed before its answer came is answered by the first one's. */
  once(name: string, make: (key: string) => Promise<number>): Promise<number> {
    const { run } = this.#told;
    return run.once(`${this.#project}: ${name}`, () => make(keyOf(run, `${this.#project} ${name}`)));
  }

  async tell(line: Line, nth: number): Promise<void> {
    const { clock, run } = this.#told;
    // Never two deeds at one moment, also where the day has not come that far yet.
    clock.time = Math.max(moment(run.beganAt, line.day, line.at), clock.time + 1);
    await this.#do(line, line.by, nth);
  }

  /** Oldest first. */
  get messages(): readonly number[] {
    return this.#messages;
  }

  #message = (key: string): Promise<number> => this.once(`said ${key}`, () => Promise.reject(new Error(`Nobody has said "${key}" yet`)));
  #task = (key: string): Promise<number> => this.once(`task ${key}`, () => Promise.reject(new Error(`There is no task "${key}" yet`)));
  #file = (name: AssetName): Promise<number> => this.once(`file ${fileNameOf(name)}`, () => Promise.reject(new Error(`There is no file "${name}" yet`)));
  #meaning = (text: string): string =>
    text.replaceAll(/@(\w+)/g, (all, name: string) => (name in this.#told.cast ? `<@${this.#told.cast[name as Speaker].id}>` : all));

  async #do(deed: Deed, by: Speaker, nth: number): Promise<void> {
    const { cast } = this.#told;
    const { ask } = cast[by];
    switch (deed.does) {
      case "say": {
        const body = {
          project_id: this.#projectId,
          body: this.#meaning(deed.text),
          parent_message_id: deed.answers === undefined ? null : await this.#message(deed.answers),
          attachment_ids: await Promise.all((deed.files ?? []).map((name) => this.#file(name))),
          is_audio_message: deed.voice ?? false,
        };
        const id = await this.once(
          `said ${deed.key ?? nth}`,
          async (key) => (await ask(sendMessage, { body: { ...body, client_id: key.slice(-64) } })).data.id,
        );
        this.#messages.push(id);
        await this.#react(id, deed.reactions ?? "");
        return;
      }
      case "bring":
        await this.#bring(deed.file, by);
        return;
      case "status": {
        const [file_id, status_id] = [await this.#file(deed.file), this.#told.statuses.get(deed.status) ?? 0];
        await this.once(`status ${nth}`, async () => (await ask(setFileStatus, { body: { file_id, status_id, note: deed.note } })).data.id);
        return;
      }
      case "comment":
      case "reply":
      case "resolve":
        return this.#comment(deed, ask, nth);
      case "edit": {
        const message_id = await this.#message(deed.message);
        await this.once(`edit ${nth}`, async () => {
          const params = { project_id: this.#projectId, message_id };
          return (await ask(editMessage, { params, body: { body: this.#meaning(deed.text) } })).data.id;
        });
        return;
      }
      case "task": {
        const file_id = await this.#file(deed.file);
        const due = deed.dueInDays === undefined ? {} : { due_date: dayFrom(this.#told.clock.time, deed.dueInDays) };
        const tasks = [{ title: deed.title, assignee_account_id: cast[deed.for].id, ...due }];
        await this.once(`task ${deed.key}`, async (key) => (await ask(createTasks, { body: { file_id, tasks }, key })).data[0]?.id ?? 0);
        return;
      }
      case "close": {
        const task_id = await this.#task(deed.task);
        await this.once(`closed ${nth}`, async () => (await ask(updateTask, { params: { task_id }, body: { closed: true } })).data.id);
        return;
      }
    }
    throw new Error(`Nobody knows how to do that (${(deed satisfies never as Deed).does})`);
  }

  async #comment(deed: Extract<Deed, { does: "comment" | "reply" | "resolve" }>, ask: Ask, nth: number): Promise<void> {
    if (deed.does === "comment") {
      const params = { file_id: await this.#file(deed.file) };
      const body = { body: deed.text, position_ms: milliseconds(deed.from), end_ms: milliseconds(deed.to) };
      await this.once(`comment ${deed.key}`, async (key) => (await ask(writeComment, { params, body, key })).data.id);
      await this.once(`commented ${deed.key}`, () => Promise.resolve(params.file_id));
      return;
    }
    const comment_id = await this.once(`comment ${deed.comment}`, () => Promise.reject(new Error(`Nobody has commented "${deed.comment}" yet`)));
    if (deed.does === "resolve") {
      await this.once(`resolved ${nth}`, async () => (await ask(updateComment, { params: { comment_id }, body: { resolved: true } })).data.id);
      return;
    }
    const file_id = await this.once(`commented ${deed.comment}`, () => Promise.reject(new Error(`Nobody has commented "${deed.comment}" yet`)));
    const body = { body: deed.text, parent_comment_id: comment_id };
    await this.once(`reply ${nth}`, async (key) => (await ask(writeComment, { params: { file_id }, body, key })).data.id);
  }

  /** "ben 🔥, mia 🎧". */
  async #react(messageId: number, reactions: string): Promise<void> {
    for (const one of reactions.split(", ").filter(Boolean)) {
      const [who = "", emoji = ""] = one.split(" ");
      this.#told.clock.time = Math.min(this.#told.clock.time + REACTS_AFTER_MS / CAST.length, this.#told.run.beganAt + 1_000);
      await this.once(`${messageId} ${who} ${emoji}`, async () => {
        await this.#told.cast[who as Speaker].ask(addReaction, { params: { project_id: this.#projectId, message_id: messageId, emoji } });
        return 1;
      });
    }
  }

  async #folder(path: readonly string[]): Promise<number> {
    let parent_id = this.#root;
    for (const [depth, name] of path.entries()) {
      const into = parent_id;
      parent_id = await this.once(
        `folder ${path.slice(0, depth + 1).join("/")}`,
        async (key) => (await this.#told.cast.owner.ask(makeFolder, { body: { name, parent_id: into }, key })).data.id,
      );
    }
    return parent_id;
  }

  async #bring(name: AssetName, by: Speaker): Promise<void> {
    const { folder, name: fileName } = placeOf(name);
    const first = fileNameOf(name);
    const query = first === name ? { parent_id: await this.#folder(folder), name: fileName } : { version_of: await this.#file(name) };
    const brought = first === name ? `file ${name}` : `version ${name}`;
    await this.once(brought, async (key) => {
      const bytes = await this.#told.shelf.bytes(name);
      return (await this.#told.cast[by].ask(uploadFile, { query: query as never, bytes, key })).file_id;
    });
  }
}

/** `key`: of something of this run, so that it is made once. */
const keyOf = (run: Run, name: string): string => `demo-${run.beganAt}-${Buffer.from(name).toString("hex").slice(-64)}`;

/** An empty project and its group; answers its id. */
export async function openProject(
  { run, clock, teamId }: Pick<Told, "run" | "clock" | "teamId">,
  owner: Ask,
  { name, group, description }: StoryProject,
): Promise<number> {
  clock.time = moment(run.beganAt, 21, "09:00");
  const groupId =
    group === null
      ? null
      : await run.once(
          `group ${group}`,
          async () => (await owner(createGroup, { body: { team_id: teamId, name: group }, key: keyOf(run, `group ${group}`) })).data.id,
        );
  const body = { name, team_id: teamId, group_id: groupId, description };
  return run.once(`project ${name}`, async () => (await owner(createProject, { body, key: keyOf(run, `project ${name}`) })).data.id);
}

export async function tellProject(told: Told, project: StoryProject, projectId: number): Promise<void> {
  const { run, cast, clock } = told;
  const owner = cast.owner.ask;
  clock.time = moment(run.beganAt, 21, "09:30");
  const { root_folder_id } = (await owner(getProject, { body: { project_id: projectId } })).data as { root_folder_id?: number | null };
  const teller = new Teller(told, project.name, projectId, root_folder_id ?? 0);
  for (const name of project.people) {
    if (cast[name].id === cast.owner.id) continue;
    await teller.once(`member ${name}`, async () => {
      await owner(addProjectMember, { params: { project_id: projectId }, body: { account_id: cast[name].id } });
      return 1;
    });
  }
  for (const [nth, line] of project.lines.entries()) {
    await teller.tell(line, nth);
    await told.next();
  }
  clock.time = Math.max(run.beganAt, clock.time);
  const newest = teller.messages.at(-1);
  const lastRead = teller.messages.at(-1 - project.unread);
  for (const name of ["owner", ...project.people] as const) {
    const message_id = cast[name].id === cast.owner.id ? lastRead : newest;
    if (message_id !== undefined) await cast[name].ask(moveReadMarker, { params: { project_id: projectId }, body: { message_id } });
  }
}
