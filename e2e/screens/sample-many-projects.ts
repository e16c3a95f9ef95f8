/** A workspace with fifty projects: unread ones, mentions, a muted project, a pinned one and a collapsed group's worth of messages. */
import { addFavorite } from "../../contract/operations/favorites.ts";
import { updateProjectNotificationSettings } from "../../contract/operations/notifications.ts";
import { call, createMessage, joinByInvite, setUpOwner } from "../fixtures/api.ts";
import { createManyProjects } from "../fixtures/many-projects.ts";
import type { Service } from "../fixtures/service.ts";
import type { Scene } from "./shot.ts";

export async function createSampleManyProjects(service: Service): Promise<Scene["manyProjects"]> {
  const owner = await setUpOwner(service.url, service.setupLink(), "Ana Kovač");
  const { projects } = await createManyProjects(owner);
  const ben = await joinByInvite(
    owner,
    "Ben",
    "member",
    projects.map(({ id }) => id),
  );
  const messages: [index: number, text: string][] = [
    [1, "The new take is up"],
    [1, "And the stems"],
    [2, `<@${owner.id}> can you approve v4?`],
    [26, "Rough mix"],
    [30, `<@${owner.id}> the client likes it`],
    [45, `<@${owner.id}> one more pass?`],
    [48, "Bounced at -14"],
  ];
  for (const [index, text] of messages) await createMessage(ben, projects[index]!.id, text);
  await call(owner, updateProjectNotificationSettings, { params: { project_id: projects[27]!.id }, body: { muted: true } });
  await call(owner, addFavorite, { params: { type: "project", item_id: projects[40]!.id } });
  await createMessage(ben, projects[27]!.id, "Muted news");
  return { owner, openProjectId: projects[24]!.id };
}
