/** Requests for the matrix rows about single messages. */
import * as messages from "../../../contract/operations/messages.ts";
import { createMessage } from "../fixtures.ts";
import type { Person } from "../people.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

/** Creates a message of the target in `home`. Sets the author in the database, since the target may no longer be in the project. */
async function createTargetMessage({ fixtures, target }: Scenario): Promise<{ project_id: number; message_id: number }> {
  const id = await createMessage(fixtures.testApp, fixtures.owner, fixtures.home.project, "matrix");
  await fixtures.testApp.database.write((tx) => tx.updateTable("messages").set({ account_id: target.id }).where("id", "=", id).execute());
  return { project_id: fixtures.home.project, message_id: id };
}
async function createOwnMessage(scenario: Scenario, actor: Person): Promise<{ project_id: number; message_id: number }> {
  const params = await createTargetMessage(scenario);
  await scenario.fixtures.testApp.database.write((tx) =>
    tx.updateTable("messages").set({ account_id: actor.id }).where("id", "=", params.message_id).execute(),
  );
  return params;
}
const foreignParams = ({ fixtures }: Scenario) => ({ project_id: fixtures.foreign.project, message_id: fixtures.foreign.message });
/** Addresses a message of another organization through the caller's own project. */
const crossProjectParams = ({ fixtures }: Scenario) => ({ project_id: fixtures.home.project, message_id: fixtures.foreign.message });

async function markDeletedBy(scenario: Scenario, actor: Person, params: { project_id: number; message_id: number }) {
  const now = scenario.fixtures.testApp.clock.now();
  await scenario.fixtures.testApp.database.write((tx) =>
    tx.updateTable("messages").set({ deleted_at: now, deleted_by: actor.id }).where("id", "=", params.message_id).execute(),
  );
  return params;
}
const body = { body: "matrix, changed" };
const emoji = "🎧";
const homeRequest =
  (extra: object = {}): RequestBuilder =>
  (scenario) => ({ ...extra, params: { project_id: scenario.fixtures.home.project } });
const foreignRequest =
  (extra: object = {}): RequestBuilder =>
  (scenario) => ({ ...extra, params: { project_id: scenario.fixtures.foreign.project } });
const since = { query: { since: "2000-01-01T00:00:00Z" } };

export const MESSAGE_REQUESTS: Record<string, RequestBuilder> = {
  "editMessage one's own in home": async (scenario, actor) => ({ params: await createOwnMessage(scenario, actor), body }),
  "editMessage another's in home": async (scenario) => ({ params: await createTargetMessage(scenario), body }),
  "editMessage of foreign, through home": (scenario) => ({ params: crossProjectParams(scenario), body }),
  "deleteMessage one's own in home": async (scenario, actor) => ({ params: await createOwnMessage(scenario, actor) }),
  "deleteMessage another's in home": async (scenario) => ({ params: await createTargetMessage(scenario) }),
  "deleteMessage of foreign, through home": (scenario) => ({ params: crossProjectParams(scenario) }),
  "restoreMessage own, deleted by oneself": async (scenario, actor) => ({
    params: await markDeletedBy(scenario, actor, await createOwnMessage(scenario, actor)),
  }),
  "restoreMessage own, deleted by another": async (scenario, actor) => ({
    params: await markDeletedBy(scenario, scenario.target, await createOwnMessage(scenario, actor)),
  }),
  "restoreMessage another's, deleted by oneself": async (scenario, actor) => ({
    params: await markDeletedBy(scenario, actor, await createTargetMessage(scenario)),
  }),
  "restoreMessage another's, deleted by them": async (scenario) => ({
    params: await markDeletedBy(scenario, scenario.target, await createTargetMessage(scenario)),
  }),
  "addReaction in home": async (scenario) => ({ params: { ...(await createTargetMessage(scenario)), emoji } }),
  "addReaction of foreign, through home": (scenario) => ({ params: { ...crossProjectParams(scenario), emoji } }),
  "removeReaction in home": async (scenario) => {
    const params = { ...(await createTargetMessage(scenario)), emoji };
    await scenario.fixtures.testApp.call(scenario.fixtures.owner, messages.addReaction, { params });
    return { params };
  },
  "removeReaction of foreign, through home": (scenario) => ({ params: { ...crossProjectParams(scenario), emoji } }),
  "findFirstMessage of home": homeRequest(since),
  "findFirstMessage of foreign": foreignRequest(since),
  "searchMessages of home": homeRequest({ query: { q: "welcome" } }),
  "searchMessages of foreign": foreignRequest({ query: { q: "welcome" } }),
  "listReaders of home": homeRequest(),
  "listReaders of foreign": foreignRequest(),
  "listFileMessages of home": ({ fixtures }) => ({ params: { file_id: fixtures.home.file } }),
  "listFileMessages of foreign": ({ fixtures }) => ({ params: { file_id: fixtures.foreign.file } }),
  "markUnread of home": (scenario) => ({ params: { project_id: scenario.fixtures.home.project }, body: { message_id: scenario.fixtures.home.message } }),
  "markUnread from a message of foreign": (scenario) => ({
    params: { project_id: scenario.fixtures.home.project },
    body: { message_id: foreignParams(scenario).message_id },
  }),
};
