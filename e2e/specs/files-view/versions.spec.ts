import { expectAccessible } from "../../fixtures/axe.ts";
import { setStatus, upload } from "../../fixtures/files.ts";
import { dropOnto, fileRow, filesPath, writeTree } from "../../fixtures/files-view.ts";
import { statusButton } from "../../fixtures/statuses.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a new version resets the status, which menu and dialog say before; others see it, and a guest is not offered it", async ({
  pair: { ana, ben, project },
  createPerson,
  open,
}, info) => {
  const sourceFolder = info.outputPath("home");
  writeTree(sourceFolder, { "mix 2.txt": "second", "mix 3.txt": "third" });
  const id = await upload(ana, project, "mix.txt", "first");
  await setStatus(ana, project, id, "Approved");
  const gus = await createPerson("Gus", "guest", [project.id]);
  const [page, other] = [await open(ana, filesPath(project)), await open(ben, `/files/${id}`)];
  await expect(statusButton(other)).toHaveAccessibleName("Status of mix.txt: Approved");
  const openMenu = () => fileRow(page, "mix.txt").getByRole("button", { name: "More actions for mix.txt" }).click();

  await test.step("the menu says what happens to the status, and the other person sees it with its reason in the history", async () => {
    await openMenu();
    const item = page.getByRole("menuitem", { name: "Add a version…" });
    await expect(item).toContainText("Resets the status to In progress");
    await expectAccessible(page);
    const chooser = page.waitForEvent("filechooser");
    await item.click();
    await (await chooser).setFiles(`${sourceFolder}/mix 2.txt`);
    await expect(fileRow(page, "mix.txt")).toContainText("In progress");
    await expect(statusButton(other)).toHaveAccessibleName("Status of mix.txt: In progress");
    await expect(other.getByRole("region", { name: "Status history" }).getByRole("listitem").first()).toContainText("New version 2");
  });

  await test.step("without a change the menu says nothing about the status", async () => {
    await openMenu();
    await expect(page.getByRole("menuitem", { name: "Add a version…" })).not.toContainText("Status");
    await page.keyboard.press("Escape");
  });

  await test.step("the dialog after a drop says it too", async () => {
    await setStatus(ana, project, id, "Approved");
    await expect(fileRow(page, "mix.txt")).toContainText("Approved");
    await dropOnto(page, fileRow(page, "mix.txt"), [`${sourceFolder}/mix 3.txt`]);
    const dialog = page.getByRole("dialog", { name: "Add as a new version?" });
    await expect(dialog).toContainText("A new version resets the status to In progress.");
    await dialog.getByRole("button", { name: "Add as version" }).click();
    await expect(statusButton(other)).toHaveAccessibleName("Status of mix.txt: In progress");
  });

  await test.step("a guest sees why there is no version to add, and a dropped file goes beside it", async () => {
    await setStatus(ana, project, await upload(gus, project, "own.txt", "mine"), "Approved");
    const guestPage = await open(gus, filesPath(project));
    for (const [name, reason] of [
      ["mix.txt", "Guests can only add versions to files they uploaded."],
      ["own.txt", "Guests can't add versions to files with the status Approved."],
    ] as const) {
      await fileRow(guestPage, name)
        .getByRole("button", { name: `More actions for ${name}` })
        .click();
      await expect(guestPage.getByRole("menuitem", { name: "Add a version…" })).toBeDisabled();
      await expect(guestPage.getByRole("menuitem", { name: "Add a version…" })).toContainText(reason);
      await guestPage.keyboard.press("Escape");
    }
    await dropOnto(guestPage, fileRow(guestPage, "mix.txt"), [`${sourceFolder}/mix 2.txt`]);
    await expect(fileRow(guestPage, "mix 2.txt")).toBeVisible();
  });
});
