import { listMetadataTemplates, updateMetadataField } from "../../../contract/operations/metadata.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { createPair, fieldOf, loadMetadata, metadataPanel, setMetadata } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, selectOption } from "../../fixtures/pages.ts";

const organization = shareOrganization();

test("an owner sets up metadata fields by keyboard, a member reads them, and what is deleted comes back with its values", async ({ open, pageErrors }) => {
  const { owner } = organization();
  const { ana, project } = await createPair(organization());
  const id = await upload(ana, project, "mix notes.txt", "Vocal up 1 dB");
  const loadTemplates = async () => (await call(owner, listMetadataTemplates, { params: { team_id: project.team_id } })).data;
  const page = await open(owner, "/settings/profile");
  const main = page.getByRole("main");
  const fieldNames = () => main.getByRole("listitem").locator("p:first-child").allTextContents();

  await test.step("the settings lead there, and the first template is one press away", async () => {
    await page.getByRole("link", { name: "Metadata", exact: true }).click();
    await expect(main.getByText("No metadata fields yet")).toBeVisible();
    await expectAccessible(page);
    await main.getByRole("button", { name: "Add a Release template" }).press("Enter");
    await expect(main.getByRole("heading", { name: "Release" })).toBeVisible();
    expect((await loadTemplates())[0]?.fields.map(({ name }) => name)).toContain("ISRC");
    await expectAccessible(page);
    await expectReadable(page);
  });

  await test.step("another template with a choice", async () => {
    await main.getByRole("button", { name: "Add template" }).press("Enter");
    await expect(dialog(page, "New template").getByRole("textbox", { name: "Name" })).toBeFocused();
    await page.keyboard.type("release");
    await page.keyboard.press("Enter");
    await expect(dialog(page, "New template").getByText("This name is already taken.")).toBeVisible();
    await dialog(page, "New template").getByRole("textbox", { name: "Name" }).fill("Session");
    await dialog(page, "New template").getByRole("checkbox", { name: "All files" }).press("Space");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    // A live event can show the template below its dialog, which closes with the response.
    await expect(dialog(page, "New template")).toHaveCount(0);
    await expect(main.getByRole("heading", { name: "Session" })).toBeVisible();

    await main.getByRole("button", { name: "Add field to Session" }).press("Enter");
    const form = dialog(page, "New field in Session");
    await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
    await page.keyboard.type("Take quality");
    await selectOption(form.getByRole("button", { name: /Type$/ }), "Choice");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await expect(form.getByText("Add at least one option.")).toBeVisible();
    await form.getByRole("textbox", { name: "Option 1" }).fill("Maybe");
    await form.getByRole("button", { name: "Add option" }).click();
    await form.getByRole("textbox", { name: "Option 2" }).fill("Keeper");
    await form.getByRole("button", { name: /^Move Keeper, 2 of 2/ }).press("ArrowUp");
    await expect(form.getByRole("button", { name: /^Move Keeper, 1 of 2/ })).toBeFocused();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await expect(form).toHaveCount(0);
    await expect(main.getByText("Choice · Keeper, Maybe")).toBeVisible();
    for (const name of ["Room", "Tape"]) {
      await main.getByRole("button", { name: "Add field to Session" }).press("Enter");
      await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await expect(form).toHaveCount(0);
      await expect(main.getByText(name, { exact: true })).toBeVisible();
    }
  });

  await test.step("fields are moved by arrow keys", async () => {
    await main.getByRole("button", { name: /^Move Tape, 3 of 3/ }).press("Home");
    await expect(main.getByRole("button", { name: /^Move Tape, 1 of 3/ })).toBeFocused();
    await expect.poll(async () => (await loadTemplates())[1]?.fields.map(({ name }) => name)).toEqual(["Tape", "Take quality", "Room"]);
    await expect.poll(async () => (await fieldNames()).slice(-3)).toEqual(["Tape", "Take quality", "Room"]);
  });

  const [, session] = await loadTemplates();
  if (!session) throw new Error("The template Session is there");
  const quality = fieldOf(session, "Take quality");
  await setMetadata(ana, id, { [quality.id]: quality.options[1]?.id ?? "", [fieldOf(session, "Room").id]: "Live room" });

  await test.step("an option that a file has is removed only after a warning", async () => {
    await main.getByRole("button", { name: "Edit Take quality" }).click();
    const form = dialog(page, "Edit “Take quality”");
    const loss = (count: string) => form.getByText(new RegExp(`^${count} an option that you removed, and loses? (its|their) value\\.$`));
    await form.getByRole("button", { name: "Remove option 2" }).click();
    await expect(loss("1 file has")).toBeVisible();
    await form.getByRole("button", { name: "Remove option 1" }).click();
    await expect(loss("1 file has")).toBeVisible();
    await form.getByRole("button", { name: "Add option" }).click();
    await form.getByRole("textbox", { name: "Option 1" }).fill("Keeper");
    expect((await loadMetadata(ana, id))[quality.id]).toBe(quality.options[1]?.id);
    // Meanwhile another file gets the option, so the number is no longer right, and the service says the new one.
    const other = await upload(ana, project, "take 2 notes.txt", "Vocal up 2 dB");
    await setMetadata(ana, other, { [quality.id]: quality.options[1]?.id ?? "" });
    pageErrors.allow(statusError(409));
    await form.getByRole("button", { name: "Remove anyway" }).click();
    await expect(loss("2 files have")).toBeVisible();
    expect((await loadMetadata(ana, id))[quality.id]).toBe(quality.options[1]?.id);
    await form.getByRole("button", { name: "Remove anyway" }).click();
    await expect(form).toHaveCount(0);
    await expect(main.getByText("Choice · Keeper", { exact: true })).toBeVisible();
    expect((await loadMetadata(ana, id))[quality.id]).toBeUndefined();
  });

  await test.step("a deleted field comes back with its values by Undo", async () => {
    const filePage = await open(ana, `/files/${id}`);
    await expect(metadataPanel(filePage).getByRole("textbox", { name: "Room" })).toHaveValue("Live room");
    await main.getByRole("button", { name: "Delete Room" }).click();
    await expect(dialog(page, "Delete “Room”?").getByText("1 file will no longer show its value for this field.")).toBeVisible();
    await expectAccessible(page);
    await dialog(page, "Delete “Room”?").getByRole("button", { name: "Delete" }).click();
    await expect(metadataPanel(filePage).getByRole("textbox", { name: "Room" })).toHaveCount(0);
    await expect(page.getByText("Room deleted, with 1 value.")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(metadataPanel(filePage).getByRole("textbox", { name: "Room" })).toHaveValue("Live room");
    await expect(main.getByText("Room", { exact: true })).toBeVisible();
  });

  await test.step("a member reads them and sees changes at once", async () => {
    const memberPage = await open(ana, "/settings/metadata");
    await expect(memberPage.getByText("Owners and admins can change them.")).toBeVisible();
    await expect(memberPage.getByRole("main").getByText("Take quality")).toBeVisible();
    await expect(memberPage.getByRole("main").getByRole("button")).toHaveCount(0);
    await call(owner, updateMetadataField, { params: { field_id: quality.id }, body: { name: "Verdict" } });
    await expect(memberPage.getByRole("main").getByText("Verdict")).toBeVisible();
    await expectAccessible(memberPage);
  });
});
