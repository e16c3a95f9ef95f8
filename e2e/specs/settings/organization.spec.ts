import type { Page } from "@playwright/test";
import { createToken } from "../../../contract/operations/accounts.ts";
import { setFileStatus } from "../../../contract/operations/files.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { call, createProject, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { loadFileInfo, upload } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { dialog, rail, selectOption } from "../../fixtures/pages.ts";
import { statusButton } from "../../fixtures/statuses.ts";

const organization = shareOrganization();

async function scanDialog(page: Page, title: string): Promise<void> {
  await expect(dialog(page, title)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page, title)).toHaveCount(0);
}

test("the settings pages and their dialogs are accessible", async ({ open }) => {
  const { owner } = organization();
  await call(owner, createToken, { body: { name: "Stem exporter", scopes: ["chat:read"] } });
  const page = await open(owner, "/settings/profile");
  const main = page.getByRole("main");
  const goTo = (name: string) => page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).click();
  await test.step("the profile page is accessible", async () => {
    await expect(main.getByRole("button", { name: "Change password" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("?");
    await scanDialog(page, "Keyboard shortcuts");
    await page.keyboard.press("Control+k");
    await scanDialog(page, "Search");
    for (const item of ["New project", "New group"]) {
      await rail(page).getByRole("button", { name: "Create" }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await scanDialog(page, item);
    }
  });
  await test.step("the members page is accessible", async () => {
    await goTo("Members");
    await expect(main.getByRole("button", { name: /Role of/ }).first()).toBeVisible();
    await expectAccessible(page);
    await main.getByRole("button", { name: "Invite", exact: true }).click();
    await scanDialog(page, "Invite someone");
  });
  await test.step("the API tokens page is accessible", async () => {
    await goTo("API tokens");
    await expect(main.getByRole("button", { name: /^Revoke/ }).first()).toBeVisible();
    await expectAccessible(page);
    await main.getByRole("button", { name: "New token" }).click();
    await scanDialog(page, "New token");
  });
  await test.step("the sessions page is accessible", async () => {
    await goTo("Sessions");
    await expect(main.getByText("This browser")).toBeVisible();
    await expectAccessible(page);
    await main.getByRole("button", { name: "Sign out everywhere" }).click();
    await scanDialog(page, "Sign out everywhere?");
  });
});

test("a team's statuses are added, moved, recolored and deleted by keyboard, live for somebody who is choosing one", async ({ open, network }) => {
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive EP");
  const ben = await joinByInvite(owner, "Ben", "member", [project.id]);
  const id = await upload(owner, project, "mix.txt", "Stems");
  const inReview = (await call(owner, listFileStatuses, { body: { team_id: project.team_id } })).data.find(({ title }) => title === "In review")!;
  await call(owner, setFileStatus, { body: { file_id: id, status_id: inReview.id } });

  // The menu opens before its statuses have loaded, and then moves the focus to the file's current status.
  const benPage = await open(ben, "/icon.svg");
  const pausedStatuses = await network.pause(benPage, "**/v1/teams/get_file_statuses");
  await benPage.goto(`${ben.url}/files/${id}`);
  await statusButton(benPage).click();
  await expect(benPage.getByRole("menuitem", { name: "Loading statuses…" })).toBeVisible();
  await expect(benPage.getByRole("menu")).toBeFocused();
  await pausedStatuses.end();
  const statusOptions = benPage.getByRole("menuitemradio");
  await expect(statusOptions).toHaveText(["In progress", "In review", "Changes requested", "Approved"]);
  await expect(statusOptions.nth(1)).toBeFocused();

  const page = await open(owner, "/settings/statuses");
  const moveHandle = (title: string) => page.getByRole("button", { name: new RegExp(`^Move ${title},`) });
  await expect(page.getByRole("main")).toContainText("4 of 15");
  await expectAccessible(page);

  // Reorders with the arrow keys; the focus stays on the moved row.
  await moveHandle("Approved").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(moveHandle("Approved")).toHaveAccessibleName("Move Approved, 2 of 4. Use the arrow keys.");
  await expect(moveHandle("Approved")).toBeFocused();
  await expect(statusOptions).toHaveText(["In progress", "Approved", "In review", "Changes requested"]);

  // Adds a status, which is rejected while its title is taken.
  await page.getByRole("button", { name: "Add status" }).press("Enter");
  const addDialog = dialog(page, "New status");
  await addDialog.getByRole("textbox", { name: "Title" }).fill("APPROVED");
  await page.keyboard.press("Enter");
  await expect(addDialog.getByText("A status with this title already exists.")).toBeVisible();
  await addDialog.getByRole("textbox", { name: "Title" }).fill("Mastering");
  await addDialog.getByRole("radio", { name: "Purple" }).check({ force: true });
  await expectAccessible(page);
  await addDialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
  // The other person may see the change before the response closes the dialog here.
  await expect(addDialog).toHaveCount(0);
  await expect(statusOptions).toHaveText(["In progress", "Approved", "In review", "Changes requested", "Mastering"]);

  // Deletes a status while the other person's menu is open: the file gets the replacement and the menu stays open.
  await page.getByRole("button", { name: "Delete In review" }).press("Enter");
  const deleteDialog = dialog(page, "Delete “In review”?");
  await expect(deleteDialog).toContainText("1 file uses it");
  await selectOption(deleteDialog.getByRole("button", { name: "Replace with" }), "Mastering");
  await deleteDialog.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await expect(statusOptions).toHaveText(["In progress", "Approved", "Changes requested", "Mastering"]);
  await expect(page.getByRole("button", { name: "Add status" })).toBeFocused();
  await benPage.keyboard.press("End");
  await expect(benPage.getByRole("menuitem", { name: "Set with a note…" })).toBeFocused();
  await benPage.keyboard.press("Escape");
  await expect(statusButton(benPage)).toHaveAccessibleName("Status of mix.txt: Mastering");

  await selectOption(page.getByRole("button", { name: "Default status for new uploads" }), "In progress");
  await expect(page.getByRole("listitem").filter({ hasText: "In progress" })).toContainText("Default");
  expect((await loadFileInfo(ben, await upload(ben, project, "new.txt", "Stems"))).common.status).toMatchObject({ title: "In progress" });

  // A new version resets the status unless the team switches that off.
  const resetSwitch = page.getByRole("checkbox", { name: "A new version resets the status" });
  await expect(resetSwitch).toBeChecked();
  await expect(resetSwitch).toHaveAccessibleDescription("The file's status is set to In progress. The change appears in its status history.");
  // `uncheck` looks at once, but the page shows the mutation's value in its next render.
  await resetSwitch.click();
  const loadTeam = async () => call(ben, listFileStatuses, { body: { team_id: project.team_id } });
  await expect.poll(async () => (await loadTeam()).new_version_resets_status).toBe(false);
  await expect(resetSwitch).not.toBeChecked();

  // A final status is one at which guests add no versions.
  await expect(page.getByRole("listitem").filter({ hasText: "Approved" })).toContainText("Final");
  await page.getByRole("button", { name: "Edit Mastering" }).press("Enter");
  await dialog(page, "Edit “Mastering”").getByRole("checkbox", { name: "Final status" }).check();
  await expectAccessible(page);
  await dialog(page, "Edit “Mastering”").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Mastering" })).toContainText("Final");
  expect((await loadTeam()).data.filter(({ is_final }) => is_final).map(({ title }) => title)).toEqual(["Approved", "Mastering"]);

  // A user who is not an admin has read-only access.
  await benPage.goto(`${ben.url}/settings/statuses`);
  await expect(benPage.getByRole("main")).toContainText("Owners and admins can change them.");
  await expect(benPage.getByRole("button", { name: /^(Move|Edit|Delete)/ })).toHaveCount(0);
});
