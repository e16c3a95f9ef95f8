/** Lists the screenshots of the menus and dialogs of projects and groups, and of archived and deleted projects. */
import { deleteProject } from "../../contract/operations/deleted-projects.ts";
import { listProjects, updateProject } from "../../contract/operations/projects.ts";
import { call, createProject } from "../fixtures/api.ts";
import { dialog, rail } from "../fixtures/pages.ts";
import { chatPath, emptyOwner, failRequests, fixedPath, fullShot, main, retryButton, type Scene, type Shot } from "./shot.ts";
import type { Page } from "@playwright/test";

const openMenu = (page: Page) =>
  main(page)
    .getByRole("button", { name: /^Options for/ })
    .click();
const openItem = (name: string) => async (page: Page) => {
  await openMenu(page);
  await page.getByRole("menuitem", { name }).click();
};
const inDialog = (name: RegExp) => (page: Page) => dialog(page, name);

/** Returns the project with this name, which the first shot creates. */
async function ensureProject({ ana }: Scene, name: string): Promise<number> {
  const known = (await call(ana, listProjects)).data.find((project) => project.name === name);
  return known?.id ?? (await createProject(ana, name)).id;
}
async function archive(_page: Page, scene: Scene): Promise<void> {
  const project_id = await ensureProject(scene, "Winter campaign");
  await call(scene.ana, updateProject, { params: { project_id }, body: { archived: true } });
}
async function remove(_page: Page, scene: Scene): Promise<void> {
  const project_id = await ensureProject(scene, "Demo of a demo");
  await call(scene.ana, deleteProject, { params: { project_id } });
}

export const PROJECT_LIFE_SHOTS: Shot[] = [
  fullShot("project-menu", chatPath, (page) => page.getByRole("menuitem", { name: "Archive" }), { act: openMenu }),
  fullShot("project-rename", chatPath, inDialog(/^Rename/), { act: openItem("Rename…") }),
  fullShot("project-move", chatPath, inDialog(/^Move/), { act: openItem("Move to group…") }),
  fullShot("project-color", chatPath, inDialog(/^Color of/), { act: openItem("Change color…") }),
  fullShot("project-delete", chatPath, inDialog(/^Delete/), { act: openItem("Delete…") }),
  fullShot("group-menu", chatPath, (page) => page.getByRole("menuitem", { name: "Rename…" }), {
    desktopOnly: true,
    act: async (page) => {
      const heading = rail(page).locator("section[aria-labelledby] h2").first();
      if (await heading.isVisible()) await heading.click({ button: "right" });
      else await openMenu(page);
    },
  }),
  fullShot("project-archived", chatPath, (page) => page.getByRole("note"), {
    before: archive,
    act: async (page) => {
      await page.goto(new URL("/projects/archived", page.url()).href);
      await main(page).getByRole("link", { name: "Winter campaign" }).click();
    },
  }),
  fullShot("projects-archived", fixedPath("/projects/archived"), (page) => page.getByRole("button", { name: /^Unarchive/ }).first(), { before: archive }),
  fullShot("settings-deleted", fixedPath("/settings/deleted"), (page) => page.getByRole("button", { name: /^Restore/ }).first(), { before: remove }),
  { view: "settings-deleted", state: "empty", as: emptyOwner, path: fixedPath("/settings/deleted"), ready: (page) => page.getByText("No deleted projects") },
  fullShot("settings-deleted", fixedPath("/settings/deleted"), retryButton, { state: "failed", before: failRequests("**/api/v2/deleted_projects") }),
];
