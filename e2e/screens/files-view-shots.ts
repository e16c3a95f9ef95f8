/** Lists the screenshots of every state of the files view. */
import type { Page } from "@playwright/test";
import { miniPlayer } from "../fixtures/file-page.ts";
import { entry } from "../fixtures/files-view.ts";
import {
  retryButton,
  ana,
  failRequests,
  FILE_LIST,
  fullShot,
  neverRespond,
  sampleFilesViewPath,
  sampleRecentPath,
  main,
  skeleton,
  type Scene,
  type Shot,
} from "./shot.ts";

const folderPath = (key: "large" | "empty") => (scene: Scene) => `${sampleRecentPath(scene)}/${scene.sampleFilesView[key]}`;
const firstEntry = (page: Page) => main(page).locator("[data-entry]").first();

export const FILES_VIEW_SHOTS: Shot[] = [
  fullShot("files-recent", sampleRecentPath, firstEntry),
  fullShot("files-recent-tiles", sampleRecentPath, (page) => main(page).getByRole("gridcell").first(), {
    act: (page) => page.getByRole("button", { name: "Grid view" }).click(),
  }),
  fullShot("files-recent-selected", sampleRecentPath, (page) => page.getByText("1 selected"), {
    act: (page) =>
      main(page)
        .getByRole("checkbox", { name: /^Select harbour_mix_v4/ })
        .click(),
    desktopOnly: true,
  }),
  fullShot("files-view-resized", sampleFilesViewPath, (page) => page.getByRole("separator", { name: "Resize Status" }), {
    desktopOnly: true,
    act: async (page) => {
      for (let press = 0; press < 6; press += 1) await page.getByRole("separator", { name: "Resize Status" }).press("ArrowLeft");
    },
  }),
  fullShot("files-view", sampleFilesViewPath, firstEntry),
  fullShot("files-view-tiles", sampleFilesViewPath, (page) => main(page).getByRole("gridcell").first(), {
    act: (page) => page.getByRole("button", { name: "Grid view" }).click(),
  }),
  fullShot("files-view-playing", sampleFilesViewPath, (page) => miniPlayer(page).locator("img"), {
    act: (page) => entry(page, "harbour_single.mp3").getByRole("button", { name: "Play harbour_single.mp3" }).click(),
  }),
  fullShot("files-view-large", folderPath("large"), (page) => entry(page, "loop 1.wav")),
  fullShot("files-view-selected", sampleFilesViewPath, (page) => page.getByText("2 selected"), {
    desktopOnly: true,
    act: async (page) => {
      await entry(page, "harbour_mix_v4.wav").click();
      await entry(page, "cover.png").click({ modifiers: ["Control"] });
    },
  }),
  fullShot("files-view-menu", sampleFilesViewPath, (page) => page.getByRole("menu").first(), {
    act: (page) =>
      entry(page, "harbour_mix_v4.wav")
        .getByRole("button", { name: /^More actions for/ })
        .click(),
  }),
  fullShot("files-view-filter", sampleFilesViewPath, (page) => page.getByRole("button", { name: /Key$/ }), {
    act: (page) => page.getByRole("button", { name: "Filter" }).click(),
  }),
  fullShot("files-view-found", (scene) => `${sampleFilesViewPath(scene)}?q=i&bpm=90-130&kind=audio`, firstEntry),
  fullShot(
    "files-view-gone",
    (scene) => `${sampleRecentPath(scene)}/999999`,
    (page) => page.getByRole("main").getByText("Folder not found").first(),
  ),
  { view: "files-view", state: "empty", as: ana, path: folderPath("empty"), ready: (page) => page.getByText("This folder is empty") },
  {
    view: "files-view-found",
    state: "empty",
    as: ana,
    path: (scene) => `${sampleFilesViewPath(scene)}?q=nothing+like+it`,
    ready: (page) => page.getByText("No results"),
  },
  { view: "files-view", state: "loading", as: ana, path: sampleFilesViewPath, before: neverRespond(FILE_LIST), ready: skeleton },
  { view: "files-view", state: "error", as: ana, path: sampleFilesViewPath, before: failRequests(FILE_LIST), ready: retryButton },
];
