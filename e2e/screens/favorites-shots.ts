/** Lists the screenshots of favorites and recent items: in the navigation, on their pages and in the palette. */
import type { Page } from "@playwright/test";
import { listFolders } from "../../contract/operations/files-view.ts";
import { chatHistory } from "../../contract/operations/chat.ts";
import { recordRecentItem } from "../../contract/operations/favorites.ts";
import { call } from "../fixtures/api.ts";
import { addFavorite, favorites } from "../fixtures/favorites.ts";
import { chatPath, fixedPath, fullShot, main, neverRespond, type Scene } from "./shot.ts";

/** Adds favorites of each type and opens some files, as the account's other browser does. */
async function addItems(_page: Page, { ana, projectId, filesProjectId, files, sampleChat }: Scene): Promise<void> {
  const { data: folders } = await call(ana, listFolders, { params: { project_id: projectId }, query: {} });
  const { data: messages } = await call(ana, chatHistory, { body: { project_id: projectId, limit: 3 } });
  for (const id of [projectId, sampleChat.projectId]) await addFavorite(ana, "project", id);
  for (const id of [files.sound, ...folders.slice(1, 2).map((folder) => folder.id)]) await addFavorite(ana, "file", id);
  for (const { id } of messages) await addFavorite(ana, "message", id);
  for (const item_id of [files.document, files.image, files.video, files.sound])
    await call(ana, recordRecentItem, { params: { type: "file", item_id }, body: { action: item_id === files.sound ? "played" : "opened" } });
  await call(ana, recordRecentItem, { params: { type: "project", item_id: filesProjectId }, body: { action: "opened" } });
}

export const FAVORITES_SHOTS = [
  fullShot("favorites", fixedPath("/favorites"), (page) => main(page).getByRole("listitem").first(), { before: addItems }),
  fullShot("favorites-recent", fixedPath("/recent"), (page) => main(page).getByRole("listitem").first(), { before: addItems }),
  fullShot("favorites-rail", chatPath, (page) => favorites(page).getByRole("link").first().or(main(page).getByRole("article").first()), { before: addItems }),
  fullShot("favorites-palette", chatPath, (page) => page.getByRole("option").first(), {
    before: addItems,
    act: (page) => page.keyboard.press("Control+k"),
  }),
  fullShot("favorites-loading", fixedPath("/favorites"), (page) => page.getByRole("status", { name: "Loading" }).first(), {
    before: neverRespond("**/api/v2/favorites*"),
  }),
];
