/** How the rows about single messages are asked. */
import * as messages from "../../../contract/operations/messages.ts";
import { writeMessage } from "../cast.ts";
import type { Person } from "../people.ts";
import type { Stage } from "./actors.ts";
import type { Ask } from "./ask.ts";

/** A message of the target's in `home`; put there past the service, since the target may be out of it by now. */
async function ofTarget({ cast, target }: Stage): Promise<{ project_id: number; message_id: number }> {
  const id = await writeMessage(cast.world, cast.owner, cast.home.project, "matrix");
  await cast.world.database.write((tx) => tx.updateTable("messages").set({ account_id: target.id }).where("id", "=", id).execute());
  return { project_id: cast.home.project, message_id: id };
}
async function own(stage: Stage, by: Person): Promise<{ project_id: number; message_id: number }> {
  const params = await ofTarget(stage);
  await stage.cast.world.database.write((tx) => tx.updateTable("messages").set({ account_id: by.id }).where("id", "=", params.message_id).execute());
  return params;
}
const foreign = ({ cast }: Stage) => ({ project_id: cast.foreign.project, message_id: cast.foreign.message });
/** Through one's own project, a message that stands elsewhere. */
const across = ({ cast }: Stage) => ({ project_id: cast.home.project, message_id: cast.foreign.message });

async function deletedBy(stage: Stage, by: Person, params: { project_id: number; message_id: number }) {
  const now = stage.cast.world.clock.now();
  await stage.cast.world.database.write((tx) =>
    tx.updateTable("messages").set({ deleted_at: now, deleted_by: by.id }).where("id", "=", params.message_id).execute(),
  );
  return params;
}
const body = { body: "matrix, changed" };
const emoji = "🎧";
const inHome =
  (more: object = {}): Ask =>
  (stage) => ({ ...more, params: { project_id: stage.cast.home.project } });
const inForeign =
  (more: object = {}): Ask =>
  (stage) => ({ ...more, params: { project_id: stage.cast.foreign.project } });
const since = { query: { since: "2000-01-01T00:00:00Z" } };

export const MESSAGE_REQUESTS: Record<string, Ask> = {
  "editMessage one's own in home": async (stage, by) => ({ params: await own(stage, by), body }),
  "editMessage another's in home": async (stage) => ({ params: await ofTarget(stage), body }),
  "editMessage of foreign, by way of home": (stage) => ({ params: across(stage), body }),
  "deleteMessage one's own in home": async (stage, by) => ({ params: await own(stage, by) }),
  "deleteMessage another's in home": async (stage) => ({ params: await ofTarget(stage) }),
  "deleteMessage of foreign, by way of home": (stage) => ({ params: across(stage) }),
  "restoreMessage what one deleted": async (stage, by) => ({ params: await deletedBy(stage, by, await own(stage, by)) }),
  "restoreMessage what another deleted": async (stage, by) => ({ params: await deletedBy(stage, stage.target, await own(stage, by)) }),
  "restoreMessage another's, deleted by them": async (stage) => ({ params: await deletedBy(stage, stage.target, await ofTarget(stage)) }),
  "addReaction in home": async (stage) => ({ params: { ...(await ofTarget(stage)), emoji } }),
  "addReaction of foreign, by way of home": (stage) => ({ params: { ...across(stage), emoji } }),
  "removeReaction in home": async (stage) => {
    const params = { ...(await ofTarget(stage)), emoji };
    await stage.cast.world.call(stage.cast.owner, messages.addReaction, { params });
    return { params };
  },
  "removeReaction of foreign, by way of home": (stage) => ({ params: { ...across(stage), emoji } }),
  "firstMessage of home": inHome(since),
  "firstMessage of foreign": inForeign(since),
  "searchMessages of home": inHome({ query: { q: "welcome" } }),
  "searchMessages of foreign": inForeign({ query: { q: "welcome" } }),
  "listReaders of home": inHome(),
  "listReaders of foreign": inForeign(),
  "markUnread of home": (stage) => ({ params: { project_id: stage.cast.home.project }, body: { message_id: stage.cast.home.message } }),
  "markUnread from a message of foreign": (stage) => ({ params: { project_id: stage.cast.home.project }, body: { message_id: foreign(stage).message_id } }),
};
