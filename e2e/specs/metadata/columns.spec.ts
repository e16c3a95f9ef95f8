import { expectAccessible } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { createFolder, entry, entryNames, filesPath } from "../../fixtures/files-view.ts";
import { createPair, createReleaseTemplate, fieldOf, setMetadata } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { selectOption } from "../../fixtures/pages.ts";
import { shareOrganization } from "../../fixtures/organization.ts";

const organization = shareOrganization();

test("the files view shows metadata as columns, sorts by them, and follows what others change", async ({ open }) => {
  const { ana, ben, project } = await createPair(organization());
  const template = await createReleaseTemplate(organization().owner, project.team_id);
  const idOf = (name: string) => fieldOf(template, name).id;
  await createFolder(ana, project.root_folder_id, "Stems");
  const [first, second, third] = [
    await upload(ana, project, "a.txt", "first"),
    await upload(ana, project, "b.txt", "second"),
    await upload(ana, project, "c.txt", "third"),
  ];
  await setMetadata(ana, first, { [idOf("Artist")]: "Zoe", [idOf("Take")]: 2, [idOf("Samples cleared")]: true });
  await setMetadata(ana, second, { [idOf("Artist")]: "Lina & Co", [idOf("Mix engineer")]: ben.id, [idOf("Release date")]: "2026-12-04" });
  const page = await open(ana, filesPath(project));
  const header = (name: string) => page.getByRole("columnheader", { name, exact: true });

  await test.step("the first fields have a column without any choice", async () => {
    await expect(entry(page, "b.txt")).toContainText("Lina & Co");
    await expect(header("Artist")).toBeVisible();
    await expect(header("Edit")).toBeVisible();
    await expect(header("Mix engineer")).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step("a column's header sorts by it, files without a value last, and the link has the order", async () => {
    await header("Artist").getByRole("button").click();
    await expect(header("Artist")).toHaveAttribute("aria-sort", "ascending");
    await expect.poll(() => entryNames(page)).toEqual(["b.txt", "a.txt", "Stems", "c.txt"]);
    await header("Artist").getByRole("button").click();
    await expect.poll(() => entryNames(page)).toEqual(["a.txt", "b.txt", "Stems", "c.txt"]);
    await expect(page).toHaveURL(new RegExp(`\\?sort=field-${idOf("Artist")}&order=desc$`));
    await page.reload();
    await expect.poll(() => entryNames(page)).toEqual(["a.txt", "b.txt", "Stems", "c.txt"]);
  });

  await test.step("a value that somebody else sets shows, and moves its file to its place", async () => {
    await setMetadata(ben, first, { [idOf("Artist")]: "Anna" });
    await expect(entry(page, "a.txt")).toContainText("Anna");
    await expect.poll(() => entryNames(page)).toEqual(["b.txt", "a.txt", "Stems", "c.txt"]);
  });

  await test.step("columns are chosen by keyboard, and the browser remembers them", async () => {
    await page.getByRole("button", { name: "Columns", exact: true }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Columns" });
    await expect(dialog.getByRole("checkbox", { name: "Artist" })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("Space");
    for (const name of ["Mix engineer", "Release date", "Samples cleared"]) await dialog.getByRole("checkbox", { name }).press("Space");
    await page.keyboard.press("Escape");
    await expect(header("Artist")).toHaveCount(0);
    await expect(entry(page, "b.txt")).toContainText(ben.name);
    await expect(entry(page, "a.txt").getByRole("img", { name: "Yes" })).toBeVisible();
    await page.goto(ana.url + filesPath(project));
    await expect(header("Samples cleared")).toBeVisible();
    await expect(header("Artist")).toHaveCount(0);
  });

  await test.step("the list is filtered by fields, the link has the filter, and a change of others is seen", async () => {
    await page.getByRole("button", { name: /^Filter/ }).click();
    const form = page.getByRole("dialog", { name: "Filter" });
    await selectOption(form.getByRole("button", { name: /Samples cleared$/ }), "Checked");
    await expectAccessible(page);
    await form.getByRole("textbox", { name: "Take, from" }).fill("1,5");
    await form.getByRole("textbox", { name: "Take, from" }).press("Enter");
    await page.keyboard.press("Escape");
    await expect.poll(() => entryNames(page)).toEqual(["a.txt"]);
    await expect(page).toHaveURL(new RegExp(`field-${idOf("Samples cleared")}=not_empty`));
    await expect(page).toHaveURL(new RegExp(`field-${idOf("Take")}=range:1\\.5\\.\\.`));
    await expect(page.getByRole("button", { name: "Remove filter: Take: from 1.5" })).toBeVisible();
    await setMetadata(ben, third, { [idOf("Samples cleared")]: true, [idOf("Take")]: 7 });
    await expect.poll(() => entryNames(page)).toEqual(["a.txt", "c.txt"]);
    await page.reload();
    await expect.poll(() => entryNames(page)).toEqual(["a.txt", "c.txt"]);
    await page.getByRole("button", { name: "Remove filter: Take: from 1.5" }).click();
    await page.getByRole("button", { name: "Remove filter: Samples cleared: Checked" }).click();
    await expect.poll(() => entryNames(page)).toEqual(["Stems", "a.txt", "b.txt", "c.txt"]);
  });

  await test.step("while the list scrolls sideways, the names stay", async () => {
    await page.setViewportSize({ width: 900, height: 700 });
    // The sidebar becomes narrow, which moves everything.
    await expect.poll(async () => (await page.getByRole("main").boundingBox())?.x).toBeLessThan(100);
    const name = entry(page, "b.txt").getByRole("link", { name: "b.txt" });
    const before = await name.boundingBox();
    await header("Samples cleared").scrollIntoViewIfNeeded();
    await expect(header("Samples cleared")).toBeInViewport();
    expect((await name.boundingBox())?.x).toBe(before?.x);
    await expect(name).toBeInViewport({ ratio: 1 });
  });
});
