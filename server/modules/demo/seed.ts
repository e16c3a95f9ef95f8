/** Seeds a project of the story through the public API, each step at its own time. Steps done by an earlier attempt are skipped. */
import { nameKey } from "../../../contract/text.ts";
import { moveReadMarker, sendMessage } from "../../../contract/operations/chat.ts";
import { updateComment, writeComment } from "../../../contract/operations/comments.ts";
import { createFolder, setFileStatus, uploadFile } from "../../../contract/operations/files.ts";
import { addFavorite } from "../../../contract/operations/favorites.ts";
import { addReaction, editMessage } from "../../../contract/operations/messages.ts";
import { createPlaylist } from "../../../contract/operations/playlists.ts";
import { addProjectMember, createProject, getProject } from "../../../contract/operations/projects.ts";
import { createTasks, updateTask } from "../../../contract/operations/tasks.ts";
import { createGroup, listGroups } from "../../../contract/operations/teams.ts";
import type { MetadataTemplate } from "../../../contract/metadata-records.ts";
import type { ResponseOf } from "../../../contract/define-operation.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import type { ApiCall } from "./api.ts";
import { fileAssetOf, placementOf, type AssetName, type Assets } from "./assets.ts";
import type { DemoRun } from "./run.ts";
import { setReleaseValues } from "./metadata.ts";
import type { ReleaseValues } from "./story/release.ts";
import { PERSON_NAMES, type Step, type TimedStep, type UserKey, type StoryProject } from "./story/story.ts";
import { storyTime } from "./story-time.ts";
import type { DemoUsers } from "./users.ts";

export interface ProjectSeedContext {
  run: DemoRun;
  users: DemoUsers;
  assets: Assets;
  /** Set to the time of each step. */
  clock: { time: number };
  teamId: number;
  /** Status ids by title. */
  statuses: ReadonlyMap<string, number>;
  /** The template of `StoryProject.metadata`; null without one. */
  releaseTemplate: MetadataTemplate | null;
  /** Called after each step. */
  onStepDone(): Promise<void>;
}

const REACTION_DELAY_MS = 2 * MINUTE;

const toMilliseconds = (seconds: number | undefined): number | null => (seconds === undefined ? null : Math.round(seconds * 1_000));
const addDays = (now: number, days: number): string => new Date(now + days * DAY).toISOString().slice(0, 10);

class ProjectSeeder {
  readonly #context: ProjectSeedContext;
  readonly #projectId: number;
  readonly #root: number;
  readonly #messages: number[] = [];
  readonly #project: string;

  constructor(context: ProjectSeedContext, project: string, projectId: number, root: number) {
    this.#context = context;
    this.#project = project;
    this.#projectId = projectId;
    this.#root = root;
  }

  /**
   * Creates a resource once across all attempts under the same idempotency key, so that a request whose response was
   * lost returns the first result.
   */
  runOnce(name: string, create: (key: string) => Promise<number>): Promise<number> {
    const { run } = this.#context;
    return run.getOrCreate(`${this.#project}: ${name}`, () => create(createIdempotencyKey(run, `${this.#project} ${name}`)));
  }

  async runStep(step: TimedStep, index: number): Promise<void> {
    const { clock, run } = this.#context;
    // Keeps timestamps strictly increasing, even if the time of day has not been reached yet.
    clock.time = Math.max(storyTime(run.beganAt, step.day, step.at), clock.time + 1);
    await this.#dispatch(step, step.by, index);
  }

  /** Message ids, oldest first. */
  get messages(): readonly number[] {
    return this.#messages;
  }

  #message = (key: string): Promise<number> => this.runOnce(`said ${key}`, () => Promise.reject(new Error(`No message has the key "${key}" yet`)));
  #task = (key: string): Promise<number> => this.runOnce(`task ${key}`, () => Promise.reject(new Error(`No task has the key "${key}" yet`)));
  #playlist = (key: string): Promise<number> => this.runOnce(`playlist ${key}`, () => Promise.reject(new Error(`No playlist has the key "${key}" yet`)));
  #file = (name: AssetName): Promise<number> =>
    this.runOnce(`file ${fileAssetOf(name)}`, () => Promise.reject(new Error(`No file has the name "${name}" yet`)));
  #replaceMentions = (text: string): string =>
    text.replaceAll(/@(\w+)/g, (all, name: string) => (name in this.#context.users ? `<@${this.#context.users[name as UserKey].id}>` : all));

  async #dispatch(step: Step, by: UserKey, index: number): Promise<void> {
    const { users } = this.#context;
    const { call } = users[by];
    switch (step.type) {
      case "post": {
        const body = {
          project_id: this.#projectId,
          body: this.#replaceMentions(step.text),
          parent_message_id: step.replyTo === undefined ? null : await this.#message(step.replyTo),
          attachment_ids: await Promise.all((step.files ?? []).map((name) => this.#file(name))),
          is_audio_message: step.voice ?? false,
          playlist_id: step.playlist === undefined ? null : await this.#playlist(step.playlist),
        };
        const id = await this.runOnce(
          `said ${step.key ?? index}`,
          async (key) => (await call(sendMessage, { body: { ...body, client_id: key.slice(-64) } })).data.id,
        );
        this.#messages.push(id);
        await this.#react(id, step.reactions ?? "");
        return;
      }
      case "upload":
        await this.#upload(step.file, by);
        return;
      case "status": {
        const [file_id, status_id] = [await this.#file(step.file), this.#context.statuses.get(step.status) ?? 0];
        await this.runOnce(`status ${index}`, async () => (await call(setFileStatus, { body: { file_id, status_id, note: step.note } })).data.id);
        return;
      }
      case "comment":
      case "reply":
      case "resolve":
        return this.#comment(step, call, index);
      case "edit": {
        const message_id = await this.#message(step.message);
        await this.runOnce(`edit ${index}`, async () => {
          const params = { project_id: this.#projectId, message_id };
          return (await call(editMessage, { params, body: { body: this.#replaceMentions(step.text) } })).data.id;
        });
        return;
      }
      case "task": {
        const file_id = await this.#file(step.file);
        const due = step.dueInDays === undefined ? {} : { due_date: addDays(this.#context.clock.time, step.dueInDays) };
        const tasks = [{ title: step.title, assignee_account_id: users[step.for].id, ...due }];
        await this.runOnce(`task ${step.key}`, async (key) => (await call(createTasks, { body: { file_id, tasks }, key })).data[0]?.id ?? 0);
        return;
      }
      case "closeTask": {
        const task_id = await this.#task(step.task);
        await this.runOnce(`closed ${index}`, async () => (await call(updateTask, { params: { task_id }, body: { closed: true } })).data.id);
        return;
      }
      case "playlist": {
        const items = await Promise.all(step.files.map(async (name) => ({ file_id: await this.#file(name) })));
        const body = { project_id: this.#projectId, name: step.name, gap_ms: step.gapSeconds * 1_000, items };
        await this.runOnce(`playlist ${step.key}`, async (key) => (await call(createPlaylist, { body, key })).data.id);
        return;
      }
    }
    throw new Error(`Unknown step type "${(step satisfies never as Step).type}"`);
  }

  async #comment(step: Extract<Step, { type: "comment" | "reply" | "resolve" }>, call: ApiCall, index: number): Promise<void> {
    if (step.type === "comment") {
      const params = { file_id: await this.#file(step.file) };
      const body = { body: step.text, position_ms: toMilliseconds(step.from), end_ms: toMilliseconds(step.to) };
      await this.runOnce(`comment ${step.key}`, async (key) => (await call(writeComment, { params, body, key })).data.id);
      await this.runOnce(`commented ${step.key}`, () => Promise.resolve(params.file_id));
      return;
    }
    const comment_id = await this.runOnce(`comment ${step.comment}`, () => Promise.reject(new Error(`No comment has the key "${step.comment}" yet`)));
    if (step.type === "resolve") {
      await this.runOnce(`resolved ${index}`, async () => (await call(updateComment, { params: { comment_id }, body: { resolved: true } })).data.id);
      return;
    }
    const file_id = await this.runOnce(`commented ${step.comment}`, () => Promise.reject(new Error(`No comment has the key "${step.comment}" yet`)));
    const body = { body: step.text, parent_comment_id: comment_id };
    await this.runOnce(`reply ${index}`, async (key) => (await call(writeComment, { params: { file_id }, body, key })).data.id);
  }

  /** Stars the project or one of its files for the owner. */
  async addFavorite(favorite: "project" | AssetName): Promise<void> {
    const params = favorite === "project" ? { type: "project", item_id: this.#projectId } : { type: "file", item_id: await this.#file(favorite) };
    await this.#context.users.owner.call(addFavorite, { params });
  }

  /** Sets the values of one of its files. */
  async setMetadata(template: MetadataTemplate, name: AssetName, values: Omit<ReleaseValues, "file">): Promise<void> {
    await setReleaseValues(this.#context, template, await this.#file(name), values);
  }

  /** Parses reactions such as "ben 🔥, mia 🎧". */
  async #react(messageId: number, reactions: string): Promise<void> {
    for (const reaction of reactions.split(", ").filter(Boolean)) {
      const [name = "", emoji = ""] = reaction.split(" ");
      this.#context.clock.time = Math.min(this.#context.clock.time + REACTION_DELAY_MS / PERSON_NAMES.length, this.#context.run.beganAt + 1_000);
      await this.runOnce(`${messageId} ${name} ${emoji}`, async () => {
        await this.#context.users[name as UserKey].call(addReaction, { params: { project_id: this.#projectId, message_id: messageId, emoji } });
        return 1;
      });
    }
  }

  async #folder(path: readonly string[]): Promise<number> {
    let parent_id = this.#root;
    for (const [depth, name] of path.entries()) {
      const parentId = parent_id;
      parent_id = await this.runOnce(
        `folder ${path.slice(0, depth + 1).join("/")}`,
        async (key) => (await this.#context.users.owner.call(createFolder, { body: { name, parent_id: parentId }, key })).data.id,
      );
    }
    return parent_id;
  }

  async #upload(name: AssetName, by: UserKey): Promise<void> {
    const { folder, name: fileName } = placementOf(name);
    const fileAsset = fileAssetOf(name);
    const query = fileAsset === name ? { parent_id: await this.#folder(folder), name: fileName } : { version_of: await this.#file(name) };
    const stepName = fileAsset === name ? `file ${name}` : `version ${name}`;
    await this.runOnce(stepName, async (key) => {
      const bytes = await this.#context.assets.bytes(name);
      return (await this.#context.users[by].call(uploadFile, { query: query as never, bytes, key })).file_id;
    });
  }
}

/** Returns an idempotency key that is unique to this run, so that the resource is created once. */
const createIdempotencyKey = (run: DemoRun, name: string): string => `demo-${run.beganAt}-${Buffer.from(name).toString("hex").slice(-64)}`;

/** Creates an empty project and its group, and returns the project's id. */
export async function createEmptyProject(
  { run, clock, teamId }: Pick<ProjectSeedContext, "run" | "clock" | "teamId">,
  owner: ApiCall,
  { name, group, description }: StoryProject,
): Promise<number> {
  clock.time = storyTime(run.beganAt, 21, "09:00");
  const groupId =
    group === null
      ? null
      : await run.getOrCreate(`group ${group}`, async () => {
          for (let cursor: string | null | undefined; cursor !== null;) {
            const { data, next_cursor }: ResponseOf<typeof listGroups> = await owner(listGroups, { body: { team_id: teamId, cursor } });
            const existing = data.find(({ name: other }) => nameKey(other) === nameKey(group));
            if (existing) return existing.id;
            cursor = next_cursor;
          }
          return (await owner(createGroup, { body: { team_id: teamId, name: group }, key: createIdempotencyKey(run, `group ${group}`) })).data.id;
        });
  const body = { name, team_id: teamId, group_id: groupId, description };
  return run.getOrCreate(`project ${name}`, async () => (await owner(createProject, { body, key: createIdempotencyKey(run, `project ${name}`) })).data.id);
}

export async function seedProject(context: ProjectSeedContext, project: StoryProject, projectId: number): Promise<void> {
  const { run, users, clock } = context;
  const owner = users.owner.call;
  clock.time = storyTime(run.beganAt, 21, "09:30");
  const { root_folder_id } = (await owner(getProject, { body: { project_id: projectId } })).data as { root_folder_id?: number | null };
  const seeder = new ProjectSeeder(context, project.name, projectId, root_folder_id ?? 0);
  for (const name of project.people) {
    if (users[name].id === users.owner.id) continue;
    await seeder.runOnce(`member ${name}`, async () => {
      await owner(addProjectMember, { params: { project_id: projectId }, body: { account_id: users[name].id } });
      return 1;
    });
  }
  for (const [index, step] of project.steps.entries()) {
    await seeder.runStep(step, index);
    await context.onStepDone();
  }
  for (const favorite of project.favorites ?? []) await seeder.addFavorite(favorite);
  if (context.releaseTemplate) for (const { file, ...values } of project.metadata ?? []) await seeder.setMetadata(context.releaseTemplate, file, values);
  clock.time = Math.max(run.beganAt, clock.time);
  const newestMessageId = seeder.messages.at(-1);
  const lastReadMessageId = seeder.messages.at(-1 - project.unread);
  for (const name of ["owner", ...project.people] as const) {
    const message_id = users[name].id === users.owner.id ? lastReadMessageId : newestMessageId;
    if (message_id !== undefined) await users[name].call(moveReadMarker, { params: { project_id: projectId }, body: { message_id } });
  }
}
