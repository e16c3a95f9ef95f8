/** Lists the screenshots of metadata: the settings of a team, columns and dialogs of the files view, and the panel of a file's page. */
import type { Page } from "@playwright/test";
import type { MetadataTemplate } from "../../contract/metadata-records.ts";
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

/** Adds a second template to the response, because the demo has one. */
const addTemplate = (page: Page) =>
  page.route(TEMPLATES, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: MetadataTemplate[] };
    const session = data.slice(0, 1).map((template) => ({ ...template, id: 9_000, name: "Session", fields: template.fields.slice(0, 2) }));
    await route.fulfill({ response, json: { ...rest, data: [...data, ...session] } });
  });
const chooseTable = async (page: Page, table: string) => {
  await openImport(page);
  await page.getByLabel("Choose CSV file", { exact: true }).setInputFiles({ name: "release.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
};

export const METADATA_SHOTS: Shot[] = [
  fullShot("settings-metadata", settingsPath, (page) => main(page).getByText("Release date", { exact: true })),
  fullShot("settings-metadata-field", settingsPath, (page) => dialog(page, "Edit “Genre”"), inSettings("Edit Genre")),
  fullShot("settings-metadata-options", settingsPath, (page) => dialog(page, "Edit “Genre”").getByText("There is already an option with this name."), {
    async act(page) {
      await inSettings("Edit Genre").act(page);
      await dialog(page, "Edit “Genre”").getByRole("textbox", { name: "Option 2" }).fill("Indie");
      await dialog(page, "Edit “Genre”").getByRole("textbox", { name: "Option 1" }).fill("indie");
    },
  }),
  fullShot("settings-metadata-template", settingsPath, (page) => dialog(page, "New template"), inSettings("Add template")),
  fullShot("settings-metadata-delete", settingsPath, (page) => dialog(page, "Delete “ISRC”?").getByText(/values? for this field/), inSettings("Delete ISRC")),
  fullShot("settings-metadata-order", settingsPath, (page) => dialog(page, "Order of templates"), {
    before: addTemplate,
    ...inSettings("Reorder"),
  }),
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
  fullShot("files-view-metadata-bulk", songsPath, (page) => page.getByRole("dialog", { name: /^Edit metadata of \d+ files/ }).getByText("Genre"), {
    async act(page) {
      await entry(page, SONG).focus();
      await page.keyboard.press("ControlOrMeta+a");
      await entry(page, SONG).click({ button: "right", position: { x: 200, y: 20 } });
      await page.getByRole("menuitem", { name: "Edit metadata…" }).click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Artist" }).fill("Lina & Co");
    },
  }),
  fullShot("files-view-metadata-import", songsPath, (page) => page.getByText("2 problems."), {
    act: (page) => chooseTable(page, "Path,ISRC,Tempo,Mood,Genre,Artist\nMixes/Nightdrive mix.wav,SE-PL7,fast,calm,,Lina & Co\n"),
  }),
  fullShot("files-view-metadata-preview", songsPath, (page) => page.getByRole("region", { name: "Changes" }), {
    act: (page) => chooseTable(page, "Path,ISRC,Genre,Artist\nMixes/Nightdrive mix.wav,SE-PL7-26-00042,,Lina & Co\n"),
  }),
];
