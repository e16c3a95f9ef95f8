import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { createFolder } from "../../../contract/operations/files.ts";
import { call, createProject, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";

const organization = shareOrganization();

test("deleted files and folders are listed and restored, live in two browsers", async ({ open, pageErrors }) => {
  // The page of a deleted file asks for it in vain.
  pageErrors.allow(statusError(404));
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive EP");
  const ben = await joinByInvite(owner, "Ben", "member", [project.id]);
  const root = project.root_folder_id!;
  const mixes = (await call(owner, createFolder, { body: { parent_id: root, name: "Mixes" } })).data.id;
  const demo = await upload(owner, { ...project, root_folder_id: mixes }, "Paper Moon demo.txt", "one");
  const notes = await upload(owner, project, "notes.txt", "two");
  await call(owner, deleteFiles, { body: { file_ids: [demo] } });

  const page = await open(owner, `/projects/${project.id}/files`);
  await page.getByRole("link", { name: "Recently deleted" }).first().click();
  await expect(page.getByRole("heading", { name: "Recently deleted" })).toBeVisible();
  const row = (name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await expect(row("Paper Moon demo.txt")).toContainText("Mixes");
  await expect(row("Paper Moon demo.txt")).toContainText("30 days left");
  await expectAccessible(page);

  // Ben deletes the folder and a file; both appear without a reload, and he sees what the owner restores.
  const benPage = await open(ben, `/projects/${project.id}/files/deleted`);
  await expect(benPage.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await call(ben, deleteFiles, { body: { file_ids: [mixes] } });
  await call(ben, deleteFiles, { body: { file_ids: [notes] } });
  await expect(row("notes.txt")).toContainText("Deleted by Ben");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select notes.txt" }).check();
  await page.getByRole("checkbox", { name: "Select Mixes" }).check();
  await page.getByRole("button", { name: "Restore 2 items" }).click();
  await expect(page.getByText("2 items restored.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recently deleted" })).toBeFocused();
  await expect(benPage.getByRole("main").getByRole("listitem")).toHaveCount(1);

  // A name that is taken gets a number, and the result says so.
  await upload(owner, { ...project, root_folder_id: mixes }, "Paper Moon demo.txt", "newer");
  await page.getByRole("button", { name: "Restore Paper Moon demo.txt" }).click();
  await expect(page.getByText("restored to Mixes as “Paper Moon demo (2).txt”.")).toBeVisible();
  await expect(page.getByText("Nothing was deleted in the last 30 days")).toBeVisible();
  await expect(benPage.getByText("Nothing was deleted in the last 30 days")).toBeVisible();

  // The page of a deleted file offers to restore it, and shows it then.
  await call(ben, deleteFiles, { body: { file_ids: [notes] } });
  await benPage.goto(`${ben.url}/files/${notes}`);
  await expect(benPage.getByText("“notes.txt” was deleted")).toBeVisible();
  await expectAccessible(benPage);
  await benPage.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(benPage.getByRole("heading", { name: "notes.txt" })).toBeVisible();
});
