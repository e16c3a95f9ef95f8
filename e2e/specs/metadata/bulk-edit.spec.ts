import type { Page } from "@playwright/test";
import { deleteMetadataTemplate, listMetadataTemplates } from "../../../contract/operations/metadata.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { entry, filesPath } from "../../fixtures/files-view.ts";
import { createPair, createReleaseTemplate, fieldOf, loadNamedMetadata, setMetadata } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { selectOption } from "../../fixtures/pages.ts";

const organization = shareOrganization();

async function prepare() {
  const { ana, ben, project } = await createPair(organization());
  const { owner } = organization();
  // The tests share a team, whose files show the fields of all its templates.
  for (const { id } of (await call(owner, listMetadataTemplates, { params: { team_id: project.team_id } })).data)
    await call(owner, deleteMetadataTemplate, { params: { template_id: id } });
  const template = await createReleaseTemplate(owner, project.team_id);
  const idOf = (name: string) => fieldOf(template, name).id;
  const ids = { a: 0, b: 0, c: 0 };
  for (const name of ["a", "b", "c"] as const) ids[name] = await upload(ana, project, `${name}.txt`, name);
  const radio = fieldOf(template, "Edit").options[1]?.id ?? "";
  await setMetadata(ana, ids.a, { [idOf("Artist")]: "Lina", [idOf("Take")]: 2, [idOf("Samples cleared")]: true, [idOf("Edit")]: radio });
  await setMetadata(ana, ids.b, { [idOf("Artist")]: "Lina", [idOf("Take")]: 7, [idOf("Edit")]: radio });
  const valuesOf = (id: number) => loadNamedMetadata(ben, template, id);
  const all = async () => [await valuesOf(ids.a), await valuesOf(ids.b), await valuesOf(ids.c)];
  return { ana, ben, project, idOf, ids, all, radio };
}

/** Selects the files and opens the dialog. */
async function edit(page: Page, names: readonly string[]) {
  const position = { x: 200, y: 20 };
  for (const [index, name] of names.entries()) await entry(page, `${name}.txt`).click({ position, modifiers: index === 0 ? [] : ["ControlOrMeta"] });
  await entry(page, `${names.at(-1)}.txt`).click({ position, button: "right" });
  await page.getByRole("menuitem", { name: "Edit metadata…" }).click();
  return page.getByRole("dialog", { name: /^Edit metadata of/ });
}

test("several fields of several files are edited in one dialog, and undone except for the values that somebody has changed since", async ({
  open,
  network,
}) => {
  const { ana, ben, project, idOf, ids, all, radio } = await prepare();
  const page = await open(ana, filesPath(project));
  await expect(entry(page, "a.txt")).toContainText("Lina");
  const before = await all();
  const requests = network.recordRequests(page, /\/projects\/\d+\/metadata$/);
  const dialog = await edit(page, ["a", "b", "c"]);
  const field = (name: string) => dialog.getByRole("textbox", { name, exact: true });
  const save = dialog.getByRole("button", { name: "Save for 3 files" });

  await test.step("fields show what the files share, and which differ", async () => {
    await expect(dialog).toHaveAccessibleName("Edit metadata of 3 files");
    await expect(field("Artist")).toHaveAttribute("placeholder", "Mixed");
    await expect(field("Artist")).toHaveValue("");
    await expect(dialog.getByRole("button", { name: "Mixed Samples cleared" })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Mixed Edit" })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "None Mix engineer" })).toBeVisible();
    await expect(save).toBeDisabled();
    await expectAccessible(page);
    // An empty field does not mean that the files should lose their values.
    await field("Take").press("Enter");
    await expect(dialog).toBeVisible();
  });

  await test.step("what does not fit is not sent, and the first such field gets the focus", async () => {
    await field("ISRC").fill("nothing");
    await field("Artist").fill("Zoe");
    await expect(dialog.getByText("Changes 3 of 3 files.")).toBeVisible();
    await field("Artist").press("Enter");
    await expect(dialog.getByText("Enter an ISRC")).toBeVisible();
    await expect(field("ISRC")).toBeFocused();
    expect(await all()).toEqual(before);
  });

  await test.step("only the fields that were touched are saved, by one request", async () => {
    await dialog.getByRole("button", { name: "Reset ISRC" }).click();
    await expect(field("ISRC")).toBeFocused();
    await dialog.getByRole("button", { name: "Clear Take" }).click();
    await expect(dialog.getByText("Changes 2 of 3 files.")).toBeVisible();
    await selectOption(dialog.getByRole("button", { name: "Mixed Samples cleared" }), "Checked");
    await selectOption(dialog.getByRole("button", { name: "None Mix engineer" }), ben.name);
    await dialog.getByRole("button", { name: "Reset Mix engineer" }).click();
    await expect(dialog.getByRole("button", { name: "None Mix engineer" })).toBeFocused();
    await selectOption(dialog.getByRole("button", { name: "None Mix engineer" }), ben.name);
    await expectAccessible(page);
    await save.click();
    await expect(page.getByText("Metadata of 3 files saved.")).toBeVisible();
    const common = { Artist: "Zoe", "Samples cleared": true, "Mix engineer": ben.id };
    expect(await all()).toEqual([{ ...common, Edit: radio }, { ...common, Edit: radio }, common]);
    await expect(entry(page, "c.txt")).toContainText("Zoe");
    expect(requests).toEqual([expect.stringMatching(/^PATCH /)]);
  });

  await test.step("Undo gives each file its own values again, but not those that somebody has changed", async () => {
    await setMetadata(ben, ids.b, { [idOf("Artist")]: "Mia" });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Undone for 3 files. Someone else changed a value in 1 file; it was kept.")).toBeVisible();
    const [a, b, c] = await all();
    expect([a, c]).toEqual([before[0], before[2]]);
    expect(b).toEqual({ ...before[1], Artist: "Mia" });
    await expect(entry(page, "a.txt")).toContainText("Lina");
  });
});

test("nothing is saved if somebody changes one of the files first, and the dialog then shows what is there", async ({ open, network, pageErrors }) => {
  const { ana, ben, project, idOf, ids, all } = await prepare();
  const page = await open(ana, filesPath(project));
  await expect(entry(page, "a.txt")).toContainText("Lina");
  const dialog = await edit(page, ["a", "b"]);
  const artist = dialog.getByRole("textbox", { name: "Artist" });
  await expect(artist).toHaveValue("Lina");

  await test.step("a change of others shows in a field that is not touched", async () => {
    await setMetadata(ben, ids.a, { [idOf("Take")]: 7 });
    await expect(dialog.getByRole("textbox", { name: "Take" })).toHaveValue("7");
  });

  pageErrors.allow(statusError(409));
  await artist.fill("Zoe");
  // The request waits until somebody else was faster.
  const request = await network.pause(page, /\/projects\/\d+\/metadata$/, { method: "PATCH" });
  await dialog.getByRole("button", { name: "Save for 2 files" }).click();
  await expect.poll(() => request.urls.length).toBe(1);
  await setMetadata(ben, ids.b, { [idOf("Artist")]: "Mia" });
  await request.end();
  await expect(dialog.getByText(/Nothing was saved/)).toBeVisible();
  expect((await all()).map(({ Artist }) => Artist)).toEqual(["Lina", "Mia", undefined]);
  await expect(artist).toHaveValue("Zoe");

  const save = dialog.getByRole("button", { name: "Save for 2 files" });
  await test.step("the person decides whether to replace what someone else has set", async () => {
    await expect(dialog.getByText("Someone else has set this to “Mia” in 1 of 2 files.")).toBeVisible();
    await expectAccessible(page);
    await save.click();
    await expect(dialog.getByRole("button", { name: "Keep theirs" })).toBeFocused();
    expect((await all()).map(({ Artist }) => Artist)).toEqual(["Lina", "Mia", undefined]);
    await dialog.getByRole("button", { name: "Use mine" }).click();
    await expect(dialog.getByText(/Somebody else/)).toBeHidden();
  });

  await save.click();
  await expect(page.getByText("Metadata of 2 files saved.")).toBeVisible();
  expect((await all()).map(({ Artist }) => Artist)).toEqual(["Zoe", "Zoe", undefined]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone for 2 files.")).toBeVisible();
  expect((await all()).map(({ Artist }) => Artist)).toEqual(["Lina", "Mia", undefined]);
});

test("a value that somebody else sets while the dialog is open is not replaced without a decision", async ({ open }) => {
  const { ana, ben, project, idOf, ids, all } = await prepare();
  const page = await open(ana, filesPath(project));
  await expect(entry(page, "a.txt")).toContainText("Lina");
  await setMetadata(ana, ids.a, { [idOf("Release date")]: "2026-03-02" });
  const dialog = await edit(page, ["a", "b", "c"]);
  await expect(dialog.getByLabel("Release date", { exact: true })).toHaveAccessibleDescription("The files have different values.");
  await expect(dialog.getByRole("textbox", { name: "Take" })).toHaveAccessibleDescription("The files have different values. Counted from the first session.");
  expect((await dialog.getByRole("button", { name: "Clear Take" }).boundingBox())?.height).toBeGreaterThanOrEqual(24);
  const artist = dialog.getByRole("textbox", { name: "Artist" });
  await artist.fill("Zoe");
  await dialog.getByRole("textbox", { name: "ISRC" }).fill("GB-ABC-26-00001");
  await setMetadata(ben, ids.b, { [idOf("Artist")]: "Mia" });
  await expect(dialog.getByText("Someone else has set this to “Mia” in 1 of 3 files.")).toBeVisible();
  await setMetadata(ben, ids.c, { [idOf("Artist")]: "Noa" });
  await expect(dialog.getByText("Someone else has changed this in 2 of 3 files.")).toBeVisible();
  await dialog.getByRole("button", { name: "Keep theirs" }).click();
  await expect(artist).toHaveValue("");
  await expect(artist).toBeFocused();
  await dialog.getByRole("button", { name: "Save for 3 files" }).click();
  await expect(page.getByText("Metadata of 3 files saved.")).toBeVisible();
  const saved = await all();
  expect(saved.map(({ Artist }) => Artist)).toEqual(["Lina", "Mia", "Noa"]);
  expect(saved.map(({ ISRC }) => ISRC)).toEqual(Array(3).fill("GB-ABC-26-00001"));
});
