/** Lists the screenshots of metadata: the settings of a team, columns and dialogs of the files view, and the panel of a file's page. */
import type { Page } from "@playwright/test";
import { entry } from "../fixtures/files-view.ts";
import { metadataPanel } from "../fixtures/metadata.ts";
import { dialog } from "../fixtures/pages.ts";
import { ana, emptyOwner, failRequests, fixedPath, fullShot, main, neverRespond, retryButton, type Scene, skeleton, type Shot } from "./shot.ts";

const settingsPath = fixedPath("/settings/metadata");
const songsPath = ({ projectId }: Scene) => `/projects/${projectId}/files?kind=audio&q=i`;
const TEMPLATES = "**/api/v2/teams/*/metadata-templates";
const SONG = "Nightdrive mix.wav";
const inSettings = (name: string) => ({ act: (page: Page) => main(page).getByRole("button", { name }).click() });
const openImport = async (page: Page) => {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import metadata (CSV)…" }).click();
};

export const METADATA_SHOTS: Shot[] = [
  fullShot("settings-metadata", settingsPath, (page) => main(page).getByText("Release date")),
  fullShot("settings-metadata-field", settingsPath, (page) => dialog(page, "Edit “Genre”"), inSettings("Edit Genre")),
  fullShot("settings-metadata-template", settingsPath, (page) => dialog(page, "New template"), inSettings("Add template")),
  fullShot("settings-metadata-delete", settingsPath, (page) => dialog(page, "Delete “ISRC”?"), inSettings("Delete ISRC")),
  { view: "settings-metadata", state: "empty", as: emptyOwner, path: settingsPath, ready: (page) => page.getByText("No metadata fields yet") },
  { view: "settings-metadata", state: "loading", as: ana, path: settingsPath, before: neverRespond(TEMPLATES), ready: skeleton },
  { view: "settings-metadata", state: "error", as: ana, path: settingsPath, before: failRequests(TEMPLATES), ready: retryButton },
  fullShot("file-metadata", songsPath, (page) => metadataPanel(page).getByText("Samples cleared"), {
    async act(page) {
      await entry(page, SONG).getByRole("link", { name: SONG }).click();
      await metadataPanel(page).getByText("Samples cleared").scrollIntoViewIfNeeded();
    },
  }),
  fullShot("files-view-metadata", songsPath, (page) => entry(page, SONG)),
  fullShot("files-view-metadata-columns", songsPath, (page) => page.getByRole("dialog", { name: "Columns" }), {
    desktopOnly: true,
    act: (page) => page.getByRole("button", { name: "Columns", exact: true }).click(),
  }),
  fullShot("files-view-metadata-edit", songsPath, (page) => page.getByRole("dialog", { name: /^Edit metadata of/ }), {
    async act(page) {
      await entry(page, SONG)
        .getByRole("button", { name: /^More actions for/ })
        .click();
      await page.getByRole("menuitem", { name: "Edit metadata…" }).click();
    },
  }),
  fullShot("files-view-metadata-import", songsPath, (page) => page.getByText("2 problems."), {
    async act(page) {
      await openImport(page);
      const buffer = Buffer.from("Path,ISRC,Tempo,Mood\nMixes/Nightdrive mix.wav,SE-PL7,fast,calm\n");
      await page.getByLabel("Choose CSV file", { exact: true }).setInputFiles({ name: "release.csv", mimeType: "text/csv", buffer });
    },
  }),
];
