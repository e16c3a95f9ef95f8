/** Lists the screenshots of deleted files, of the organization's settings, of removing the demo and of transferring ownership. */
import type { Page } from "@playwright/test";
import { deleteFiles } from "../../contract/operations/files-view.ts";
import { createFolder } from "../../contract/operations/files.ts";
import { call, createProject } from "../fixtures/api.ts";
import { upload } from "../fixtures/files.ts";
import { dialog } from "../fixtures/pages.ts";
import { ana, fixedPath, type Scene, type Shot } from "./shot.ts";

interface Deleted {
  projectId: number;
  fileId: number;
}
const deletedFiles = new WeakMap<Scene, Promise<Deleted>>();

/** Creates a project of its own with deleted files, once for the shots that run at the same time. */
function createDeletedFiles(scene: Scene): Promise<Deleted> {
  const created = deletedFiles.get(scene) ?? create(scene);
  deletedFiles.set(scene, created);
  return created;
}

async function create({ ana: owner }: Scene): Promise<Deleted> {
  const project = await createProject(owner, "Signal Path LP");
  const folder = async (name: string) => (await call(owner, createFolder, { body: { parent_id: project.root_folder_id ?? 0, name } })).data.id;
  const [mixes, stems] = [await folder("Mixes"), await folder("Stems")];
  const inFolder = (root_folder_id: number) => ({ ...project, root_folder_id });
  const fileId = await upload(owner, inFolder(mixes), "Paper Moon demo.wav", "RIFF\u0010\0\0\0WAVEfmt ");
  await upload(owner, inFolder(stems), "drums.flac", "fLaC");
  await upload(owner, inFolder(stems), "bass.flac", "fLaC");
  const notes = await upload(owner, project, "A session sheet with a name that is longer than any phone is wide, of the second day.txt", "notes");
  await call(owner, deleteFiles, { body: { file_ids: [stems, notes, fileId] } });
  return { projectId: project.id, fileId };
}

const goTo = (path: (deleted: Deleted) => string) => async (page: Page, scene: Scene) => {
  await page.goto(new URL(path(await createDeletedFiles(scene)), page.url()).href);
};
const shot = (state: string, overrides: Omit<Partial<Shot>, "state"> & Pick<Shot, "ready">): Shot => ({
  view: "organization",
  state,
  as: ana,
  path: fixedPath("/settings/organization"),
  ...overrides,
});

export const ORGANIZATION_SHOTS: Shot[] = [
  shot("settings", { ready: (page) => page.getByRole("button", { name: "Remove demo" }) }),
  shot("remove-demo", {
    ready: (page) => page.getByRole("button", { name: "Remove demo" }).first(),
    act: (page) => page.getByRole("button", { name: "Remove demo" }).click(),
  }),
  shot("removing", {
    ready: (page) => page.getByRole("main"),
    async act(page) {
      const data = { state: "removing", possible: false, step: null, progress: 0.6, project_id: 1, failure: null, contents: null };
      await page.route("**/api/v2/demo", (route) => route.fulfill({ json: { object: "demo", data } }));
      await page.reload();
      await page.getByRole("progressbar").waitFor();
    },
  }),
  shot("transfer", {
    path: fixedPath("/settings/members"),
    ready: (page) => page.getByRole("button", { name: "More for Ben Okafor", exact: true }),
    async act(page) {
      await page.getByRole("button", { name: "More for Ben Okafor", exact: true }).click();
      await page.getByRole("menuitem", { name: "Transfer ownership…" }).click();
      await dialog(page, "Make Ben Okafor an owner?").waitFor();
    },
  }),
  shot("deleted-files", {
    ready: (page) => page.getByRole("main"),
    async act(page, scene) {
      await goTo(({ projectId }) => `/projects/${projectId}/files/deleted`)(page, scene);
      await page.getByRole("checkbox", { name: "Select Stems" }).check();
    },
  }),
  shot("deleted-file", {
    ready: (page) => page.getByRole("main"),
    async act(page, scene) {
      await goTo(({ fileId }) => `/files/${fileId}`)(page, scene);
      await page.getByRole("button", { name: "Restore", exact: true }).waitFor();
    },
  }),
  shot("files-with-link", {
    ready: (page) => page.getByRole("main"),
    async act(page, scene) {
      await goTo(({ projectId }) => `/projects/${projectId}/files`)(page, scene);
      await page.getByRole("link", { name: "Recently deleted" }).first().waitFor();
    },
  }),
];
