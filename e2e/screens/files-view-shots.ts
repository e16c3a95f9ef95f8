/** The files view in every state that it can be in. */
import type { Page } from "@playwright/test";
import { entry } from "../fixtures/files-view.ts";
import { again, ana, failing, FILE_LIST, full, held, collection, main, skeleton, type Scene, type Shot } from "./shot.ts";

const inFolder = (which: "large" | "empty") => (scene: Scene) => `${collection(scene)}/${scene.collection[which]}`;
const anyEntry = (page: Page) => main(page).locator("[data-entry]").first();

export const FILES_VIEW_SHOTS: Shot[] = [
  full("files-view", collection, anyEntry),
  full("files-view-tiles", collection, (page) => main(page).getByRole("gridcell").first(), {
    act: (page) => page.getByRole("button", { name: "As tiles" }).click(),
  }),
  full("files-view-large", inFolder("large"), (page) => entry(page, "loop 1.wav")),
  full("files-view-selected", collection, (page) => page.getByText("2 selected"), {
    byMouse: true,
    act: async (page) => {
      await entry(page, "harbour_mix_v4.wav").click();
      await entry(page, "cover.png").click({ modifiers: ["Control"] });
    },
  }),
  full("files-view-menu", collection, (page) => page.getByRole("menu").first(), {
    act: (page) =>
      entry(page, "harbour_mix_v4.wav")
        .getByRole("button", { name: /^More for/ })
        .click({ force: true }),
  }),
  full("files-view-filter", collection, (page) => page.getByRole("combobox", { name: "Key" }), {
    act: (page) => page.getByRole("button", { name: "Filter" }).click(),
  }),
  full("files-view-found", (scene) => `${collection(scene)}?q=i&bpm=90-130&kind=audio`, anyEntry),
  full(
    "files-view-gone",
    (scene) => `${collection(scene)}/999999`,
    (page) => page.getByRole("main").getByText("This folder is not here").first(),
  ),
  { view: "files-view", state: "empty", as: ana, path: inFolder("empty"), ready: (page) => page.getByText("This folder is empty") },
  {
    view: "files-view-found",
    state: "empty",
    as: ana,
    path: (scene) => `${collection(scene)}?q=nothing+like+it`,
    ready: (page) => page.getByText("Nothing found"),
  },
  { view: "files-view", state: "loading", as: ana, path: collection, before: held(FILE_LIST), ready: skeleton },
  { view: "files-view", state: "error", as: ana, path: collection, before: failing(FILE_LIST), ready: again },
];
